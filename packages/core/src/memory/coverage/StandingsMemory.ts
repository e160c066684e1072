/** `Standings` in memory. */
import { Effect, Layer } from "effect"
import { Standings } from "../../coverage/Standings.ts"
import { contactReadingOf } from "../contact/ContactReading.ts"
import { MemoryState } from "../MemoryState.ts"

/** `Standings` in memory. */
export const layer: Layer.Layer<Standings, never, MemoryState> = Layer.effect(
  Standings,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Standings.of({
      read: Effect.fn("Standings.read")(({ contacts, orgId, properties }) =>
        Effect.sync(() => {
          const { standing } = contactReadingOf(state, orgId)
          const accesses = state.accounts.get(orgId)?.properties
          return {
            properties: properties.flatMap((id) => {
              const property = state.properties.get(id)
              if (property === undefined) return []
              const { countyFips, research, retiredInto } = property
              const source = accesses?.get(id)?.source
              const access = source === "paid" || source === "covered" ? source : null
              return [{ id, countyFips, retiredInto, researched: research !== null, access }]
            }),
            contacts: contacts.flatMap((id) => {
              const contact = state.contacts.get(id)
              if (contact === undefined) return []
              const { access, relationships } = standing(contact)
              return [{
                id,
                counties: Array.from(new Set(relationships.map(({ countyFips }) => countyFips))).sort(),
                openedByProperty: relationships.some(({ unlocked }) => unlocked),
                access
              }]
            })
          }
        })
      )
    })
  })
)
