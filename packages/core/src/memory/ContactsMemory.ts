/** `Contacts` in memory. */
import { Effect, Layer, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import { compareText } from "../property/SearchOrder.ts"
import { listedTies } from "./Listed.ts"
import { MemoryState } from "./MemoryState.ts"
import { readingOf } from "./PropertyReading.ts"

export const layer: Layer.Layer<Contacts, never, MemoryState> = Layer.effect(
  Contacts,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Contacts.of({
      read: Effect.fn("Contacts.read")((contactId, orgId) =>
        Effect.sync(() => {
          const { unlocked } = readingOf(state, orgId)
          const source = state.accounts.get(orgId)?.contacts.get(contactId)?.source
          return Option.map(Option.fromUndefinedOr(state.contacts.get(contactId)), (contact) => ({
            contact,
            relationships: listedTies(state).flatMap((attachment) => {
              const property = state.properties.get(attachment.propertyId)
              if (attachment.contactId !== contactId || property === undefined || property.retiredInto !== null) {
                return []
              }
              const { address, city, countyFips, state: abbr } = property
              const { attributionType, propertyId, relationshipStatus, role } = attachment
              return [{
                propertyId,
                countyFips,
                address,
                city,
                state: abbr,
                role,
                relationshipStatus,
                attributionType,
                unlocked: unlocked(propertyId)
              }]
            }).sort((left, right) => compareText(left.propertyId, right.propertyId)),
            access: source === "paid" || source === "free" ? source : null
          }))
        })
      )
    })
  })
)
