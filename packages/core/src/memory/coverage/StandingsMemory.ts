/** `Standings` in memory. */
import { Effect, Layer } from "effect"
import {
  type ContactStandingFacts,
  type NamedContact,
  type NamedProperty,
  type PropertyStanding,
  Standings
} from "../../coverage/Standings.ts"
import { contactReadingOf } from "../contact/ContactReading.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { standingOf } from "../property/PropertyStates.ts"

const propertyOf = (state: State, orgId: string, id: string): PropertyStanding | undefined => {
  const property = state.properties.get(id)
  if (property === undefined) return undefined
  const { countyFips, research, retiredInto } = property
  const source = state.accounts.get(orgId)?.properties.get(id)?.source
  const access = source === "paid" || source === "covered" ? source : null
  return { id, countyFips, retiredInto, researched: research !== null, access }
}

const contactOf = (state: State, orgId: string, id: string): ContactStandingFacts | undefined => {
  const contact = state.contacts.get(id)
  if (contact === undefined) return undefined
  const { access, relationships } = contactReadingOf(state, orgId).standing(contact)
  return {
    id,
    counties: Array.from(new Set(relationships.map(({ countyFips }) => countyFips))).sort(),
    openedByProperty: relationships.some(({ unlocked }) => unlocked),
    access
  }
}

const namedProperty = (state: State, orgId: string, id: string): ReadonlyArray<NamedProperty> => {
  const [property, standing] = [state.properties.get(id), propertyOf(state, orgId, id)]
  if (property === undefined || standing === undefined) return []
  const { address, city, key, state: abbr } = property
  return [{ ...standing, key, address, city, state: abbr, ...standingOf(state, orgId, id) }]
}

const namedContact = (state: State, orgId: string, id: string): ReadonlyArray<NamedContact> => {
  const [contact, standing] = [state.contacts.get(id), contactOf(state, orgId, id)]
  if (contact === undefined || standing === undefined) return []
  const { employerName, fullName, title } = contact
  return [{ ...standing, fullName, title, employerName }]
}

/** `Standings` in memory. */
export const layer: Layer.Layer<Standings, never, MemoryState> = Layer.effect(
  Standings,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Standings.of({
      read: Effect.fn("Standings.read")(({ contacts, orgId, properties }) =>
        Effect.sync(() => ({
          properties: properties.flatMap((id) => propertyOf(state, orgId, id) ?? []),
          contacts: contacts.flatMap((id) => contactOf(state, orgId, id) ?? [])
        }))
      ),

      named: Effect.fn("Standings.named")(({ contacts, orgId, properties }) =>
        Effect.sync(() => ({
          properties: properties.flatMap((id) => namedProperty(state, orgId, id)),
          contacts: contacts.flatMap((id) => namedContact(state, orgId, id))
        }))
      )
    })
  })
)
