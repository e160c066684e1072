/** Which of the made-up records the made-up team works on: the same ones everywhere. */
import { recordId } from "../import/RecordId.ts"
import type { DemoRecords } from "./DemoRecords.ts"

export interface DemoScene {
  /** Five researched properties in the licensed county; at the first one the contact works. */
  readonly propertyKeys: readonly [string, string, string, string, string]
  readonly contactKey: string
  readonly contactId: string
}

const attachedTo = (contact: Readonly<Record<string, unknown>>, propertyKey: string): boolean =>
  Array.isArray(contact["properties"]) &&
  contact["properties"].some((each) => each.propertyKey === propertyKey && each.relationshipStatus === "current")

/** The records are drawn from one seed, so what is looked for here is there; a test holds it to that. */
export const make = ({ contacts, toWorkOn }: DemoRecords): DemoScene => {
  const [first = "", ...others] = toWorkOn
  const contact = contacts.find((each) => each["email"] !== undefined && attachedTo(each, first))
  const contactKey = String(contact?.["key"])
  const [second = "", third = "", fourth = "", fifth = ""] = others
  return {
    propertyKeys: [first, second, third, fourth, fifth],
    contactKey,
    contactId: recordId("contacts", contactKey)
  }
}
