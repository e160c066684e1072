/** Tells what records are called that a caller sees, many at once. */
import { Effect } from "effect"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { isOpen } from "../coverage/OpenContact.ts"
import { type NamedContact, type NamedProperty, Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { distinctNames } from "../operation/Uuid.ts"
import { reveal } from "../property/Research.ts"
import type { NameRecords, PropertyState } from "./NameOperations.ts"

const standingOf = (
  { access, countyFips, customer, lead, researched }: NamedProperty,
  caller: CallerFacts
): typeof PropertyState.Type => {
  if (customer) return "customer"
  if (lead) return "lead"
  const covered = Territory.covers(caller.organization, countyFips)
  return reveal({ researched, unlocked: access === "paid", covered }).researchState
}

const propertyOf = (property: NamedProperty, caller: CallerFacts) => ({
  id: property.id,
  key: property.key,
  address: property.address,
  city: property.city,
  state: property.state,
  standing: standingOf(property, caller)
})

const contactOf = (contact: NamedContact, { organization }: CallerFacts) => {
  const revealed = isOpen(contact, organization)
  return {
    id: contact.id,
    full_name: revealed ? contact.fullName : null,
    title: contact.title,
    employer_name: contact.employerName,
    revealed
  }
}

export const make = Effect.gen(function*() {
  const standings = yield* Standings

  const name: HandlerOf<typeof NameRecords> = Effect.fn("RecordNamer.name")(function*(input) {
    const caller = yield* Caller
    const found = yield* standings.named({
      orgId: caller.organization.org_id,
      properties: distinctNames(input.property_ids ?? []),
      contacts: distinctNames(input.contact_ids ?? [])
    })
    const sees = (countyFips: string) => Territory.sees(caller, countyFips)
    return {
      properties: found.properties
        .filter(({ countyFips, retiredInto }) => retiredInto === null && sees(countyFips))
        .map((property) => propertyOf(property, caller)),
      contacts: found.contacts.filter(({ counties }) => counties.some(sees)).map((contact) =>
        contactOf(contact, caller)
      )
    }
  })

  return { name }
})
