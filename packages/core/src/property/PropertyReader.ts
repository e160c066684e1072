/**
 * Reads one property: its record, or its whole page with the contacts.
 *
 * A revealed property and each person shown are records taken. People shown only because the subscription covers the
 * county draw the daily contact-reveal limit, and beyond it stay closed.
 */
import { Clock, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Contacts, type LastWritten, type Written } from "../contact/Contacts.ts"
import { contactsSummary, revealedContact, withheldContact } from "../contact/ContactView.ts"
import * as Meter from "../credit/Meter.ts"
import type { RecordRef } from "../limit/Usage.ts"
import { Properties } from "./Properties.ts"
import type { GetProperty, GetPropertyRecord } from "./PropertyOperations.ts"
import * as PropertyRef from "./PropertyRef.ts"
import { record, revealOf } from "./PropertyView.ts"
import * as VisibleProperty from "./VisibleProperty.ts"

/** The property, if it is delivered in full. */
const taken = (id: string, revealed: boolean): ReadonlyArray<RecordRef> => revealed ? [{ kind: "property", id }] : []

const nothingWritten: LastWritten = { strategy: null, draft: null }

const written = (last: Written | null) =>
  last === null ? null : { run_id: last.runId, contact_id: last.contactId, at: last.at }

export const make = Effect.gen(function*() {
  const properties = yield* Properties
  const people = yield* Contacts
  const visible = yield* VisibleProperty.make
  const deciding = yield* VisibleProperty.makeDeciding
  const meter = yield* Meter.make

  const readRecord: HandlerOf<typeof GetPropertyRecord> = Effect.fn("PropertyReader.readRecord")(function*({ id }) {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const found = yield* properties.read(PropertyRef.parse(id), organization.org_id)
    const property = yield* visible(found, caller)
    const reveal = revealOf(property, organization)
    const metered = meter.read({
      subject: { _tag: "Property", propertyId: property.id },
      covered: [],
      whole: true,
      records: taken(property.id, reveal.researchRevealed)
    }, now)
    yield* deciding(property.id, caller, metered)
    return { property: record(property, organization), ...reveal }
  })

  /** What is shown of a property, and who of its people is still locked. */
  const readPage = Effect.fn("PropertyReader.readPage")(function*({ id }: (typeof GetProperty)["input"]["Type"]) {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const found = yield* properties.readWithContacts(PropertyRef.parse(id), organization.org_id)
    const property = yield* visible(Option.map(found, (each) => each.property), caller)
    const contacts = Option.match(found, { onNone: () => [], onSome: (each) => each.contacts })
    const reveal = revealOf(property, organization)
    // Contacts open with the property, paid or covered, whether or not there is research.
    const opened = property.unlocked || reveal.coveredByPlan
    const shown = contacts.filter((contact) => opened || contact.opened)
    const covered = property.unlocked ? [] : shown.filter((contact) => !contact.opened).map(({ id }) => id)
    const metered = meter.read({
      subject: { _tag: "Property", propertyId: property.id },
      covered,
      whole: false,
      records: [
        ...taken(property.id, reveal.researchRevealed),
        ...shown.filter(({ id }) => !covered.includes(id)).map(({ id }): RecordRef => ({ kind: "contact", id }))
      ]
    }, now)
    const withheld = yield* deciding(property.id, caller, metered)
    const locked = opened ? [] : contacts.filter((contact) => !contact.opened)
    const last = shown.length === 0 ? nothingWritten : yield* people.lastWritten(organization.org_id, {
      contactIds: shown.map(({ id }) => id),
      propertyIds: [property.id]
    })
    const detail = {
      property: record(property, organization),
      contacts: shown.map((contact) => withheld.has(contact.id) ? withheldContact(contact) : revealedContact(contact)),
      contactsSummary: opened ? null : contactsSummary(contacts.length, locked),
      ...reveal,
      lastStrategy: written(last.strategy),
      lastDraft: written(last.draft)
    }
    return { detail, locked }
  })

  const readDetail: HandlerOf<typeof GetProperty> = (input) => Effect.map(readPage(input), ({ detail }) => detail)

  return { readRecord, readDetail, readPage }
})
