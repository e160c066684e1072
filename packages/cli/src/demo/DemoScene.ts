/** Which of the made-up records the made-up team works on: the same ones everywhere. */
import { recordId } from "../import/RecordId.ts"
import type { DemoRecords } from "./DemoRecords.ts"

export interface DemoScene {
  /** Five researched properties in the licensed county; at the first one the contact works. */
  readonly propertyKeys: readonly [string, string, string, string, string]
  readonly contactKey: string
  readonly contactId: string
  /** What is on record of them: who owns the first property, who manages the second, and what the contact does. */
  readonly owner: string
  readonly manager: string
  readonly title: string
}

const attachedTo = (contact: Readonly<Record<string, unknown>>, propertyKey: string): boolean =>
  Array.isArray(contact["properties"]) &&
  contact["properties"].some((each) => each.propertyKey === propertyKey && each.relationshipStatus === "current")

type Row = Readonly<Record<string, unknown>>

const manages = (firm: Row, propertyKey: string): boolean =>
  Array.isArray(firm["properties"]) &&
  firm["properties"].some((each) => each.propertyKey === propertyKey && each.role === "property_manager")

/** The records are drawn from one seed, so what is looked for here is there; a test holds it to that. */
export const make = ({ contacts, firms, properties, toWorkOn }: DemoRecords): DemoScene => {
  const [first = "", ...others] = toWorkOn
  const contact = contacts.find((each) => each["email"] !== undefined && attachedTo(each, first))
  const contactKey = String(contact?.["key"])
  const [second = "", third = "", fourth = "", fifth = ""] = others
  return {
    propertyKeys: [first, second, third, fourth, fifth],
    contactKey,
    contactId: recordId("contacts", contactKey),
    owner: String(properties.find((each) => each["key"] === first)?.["recordOwner"]),
    manager: String(firms.find((each) => manages(each, second))?.["name"]),
    title: String(contact?.["title"])
  }
}
