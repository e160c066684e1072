/** `Standings` in memory. */
import { Effect, Layer } from "effect"
import {
  type ContactStandingFacts,
  type FoundProperty,
  type NamedContact,
  type NamedProperty,
  Standings,
  type StoodContact
} from "../../coverage/Standings.ts"
import { contactReadingOf } from "../contact/ContactReading.ts"
import { withRefusals } from "../contact/RefusedAddresses.ts"
import { withholdsOwner } from "../../property/Property.ts"
import { listedProperty } from "../Listed.ts"
import { MemoryState, type State, type StoredProperty } from "../MemoryState.ts"
import { standingOf } from "../property/PropertyStates.ts"

const propertyOf = (state: State, orgId: string, { address, countyFips, id, key, research, retiredInto }: StoredProperty): FoundProperty => {
  const source = state.accounts.get(orgId)?.properties.get(id)?.source
  const access = source === "paid" || source === "covered" ? source : null
  return { id, key, address, countyFips, retiredInto, researched: research !== null, access }
}

/** Each once, by whatever it is named. */
const propertiesNamed = (state: State, names: ReadonlyArray<string>): ReadonlyArray<StoredProperty> => {
  const asked = new Set(names)
  return Array.from(state.properties.values()).filter(({ id, key }) => asked.has(id) || asked.has(key))
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

const stoodContacts = (state: State, orgId: string, ids: ReadonlyArray<string>): ReadonlyArray<StoodContact> => {
  const refusing = withRefusals(state)
  return ids.flatMap((id) => {
    const [contact, standing] = [state.contacts.get(id), contactOf(state, orgId, id)]
    return contact === undefined || standing === undefined
      ? []
      : [{ ...standing, doNotContact: refusing(contact).doNotContact }]
  })
}

const namedProperty = (state: State, orgId: string, id: string): ReadonlyArray<NamedProperty> => {
  const property = state.properties.get(id)
  if (property === undefined) return []
  const { city, state: abbr } = property
  return [{ ...propertyOf(state, orgId, property), city, state: abbr, ...standingOf(state, orgId, id) }]
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
          properties: propertiesNamed(state, properties).map((property) => ({
            ...propertyOf(state, orgId, property),
            withholdsOwner: withholdsOwner(listedProperty(state, property))
          })),
          contacts: stoodContacts(state, orgId, contacts)
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
