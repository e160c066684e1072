/** Reads one property: its record, or its whole page with the contacts. */
import { Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import type { Organization } from "../access/Organization.ts"
import { contactsSummary, revealedContact } from "../contact/ContactView.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import type { HandlerOf } from "../operation/Operation.ts"
import { Properties } from "./Properties.ts"
import type { GetProperty, GetPropertyRecord } from "./PropertyOperations.ts"
import * as PropertyRef from "./PropertyRef.ts"
import { record, revealOf } from "./PropertyView.ts"

/** A property that the organization may look at: it exists, lies in its area and was not merged, in that order. */
export const visible = Effect.fnUntraced(function*<
  P extends { readonly countyFips: string; readonly retiredInto: string | null }
>(
  found: Option.Option<P>,
  organization: Organization
): Effect.fn.Return<P, NotFound | OutOfTerritory | PropertyRetired> {
  if (Option.isNone(found)) return yield* new NotFound({ resource: "property" })
  const property = found.value
  if (!Territory.sees(organization, property.countyFips)) return yield* new OutOfTerritory({ reason: "subscription" })
  if (property.retiredInto !== null) return yield* new PropertyRetired({ successorPropertyId: property.retiredInto })
  return property
})

export const make = Effect.gen(function*() {
  const properties = yield* Properties

  const readRecord: HandlerOf<typeof GetPropertyRecord> = Effect.fn("PropertyReader.readRecord")(function*({ id }) {
    const { organization } = yield* Caller
    const found = yield* properties.read(PropertyRef.parse(id), organization.org_id)
    const property = yield* visible(found, organization)
    return { property: record(property, organization), ...revealOf(property, organization) }
  })

  const readDetail: HandlerOf<typeof GetProperty> = Effect.fn("PropertyReader.readDetail")(function*({ id }) {
    const { organization } = yield* Caller
    const found = yield* properties.readWithContacts(PropertyRef.parse(id), organization.org_id)
    const property = yield* visible(Option.map(found, (each) => each.property), organization)
    const contacts = Option.match(found, { onNone: () => [], onSome: (each) => each.contacts })
    const reveal = revealOf(property, organization)
    // Contacts open with the property, paid or covered, whether or not there is research.
    const opened = property.unlocked || reveal.coveredByPlan
    return {
      property: record(property, organization),
      contacts: contacts.filter((contact) => opened || contact.opened).map(revealedContact),
      contactsSummary: opened
        ? null
        : contactsSummary(contacts.length, contacts.filter((contact) => !contact.opened)),
      ...reveal
    }
  })

  return { readRecord, readDetail }
})
