/** `FindingGround` in memory, which knows no sources: no firm stands in a register, and people are known by their ids. */
import { Effect, Layer, Option } from "effect"
import type { AttachedFirm } from "../../lead/BundleSource.ts"
import { compareText } from "../../operation/TextOrder.ts"
import {
  type Acquaintance,
  FindingGround,
  type FoundPerson,
  type Ground,
  type GroundFirm,
  mostFirms,
  mostPlaces
} from "../../research/FindingGround.ts"
import { subjectTypes } from "../../research/ResearchRun.ts"
import { withRefusals } from "../contact/RefusedAddresses.ts"
import { listedFirms, listedProperty, listedTies } from "../Listed.ts"
import { MemoryState, type State } from "../MemoryState.ts"

const roles: ReadonlyArray<string> = ["owner", "property_manager", "operator"]

const shown = ({ domain, id, name, phone, websiteUrl }: AttachedFirm): GroundFirm => ({
  id,
  key: id,
  name,
  domain,
  websiteUrl,
  phone,
  register: null
})

const ofProperty = (state: State, id: string): Ground | null => {
  const stored = state.properties.get(id)
  if (stored === undefined || stored.retiredInto !== null) return null
  const { address, commonName, key, ownerName, ownerName2, recordOwner } = listedProperty(state, stored)
  const firms = listedFirms(state, id)
    .filter(({ role }) => role !== "tenant")
    .sort((left, right) => roles.indexOf(left.role) - roles.indexOf(right.role) || compareText(left.id, right.id))
  return {
    property: {
      id,
      key,
      address,
      commonName,
      owners: [recordOwner, ownerName, ownerName2].flatMap((name) => name ?? []),
      managementCompany: stored.research?.managementCompany ?? null,
      beneficialOwner: stored.research?.beneficialOwner ?? null
    },
    person: null,
    firms: [...new Map(firms.map((firm) => [firm.id, firm])).values()].slice(0, mostFirms).map(shown),
    places: [key]
  }
}

const firmOf = (state: State, firmId: string | null): AttachedFirm | undefined =>
  [...state.firms.values()].flat().find(({ id }) => id === firmId)

const ofFirm = (state: State, id: string): Ground | null => {
  const firm = firmOf(state, id)
  if (firm === undefined) return null
  const places = [...state.properties.values()]
    .filter((property) =>
      property.retiredInto === null && listedFirms(state, property.id).some((each) => each.id === id)
    )
    .sort((left, right) => compareText(left.id, right.id))
    .slice(0, mostPlaces)
  return { property: null, person: null, firms: [shown(firm)], places: places.map(({ key }) => key) }
}

const ofPerson = (state: State, id: string): Ground | null => {
  const contact = state.contacts.get(id)
  if (contact === undefined || state.suppressedContacts.has(id)) return null
  const firm = firmOf(state, contact.firmId)
  const { doNotContact, fullName } = withRefusals(state)(contact)
  return {
    property: null,
    person: { id, fullName, doNotContact },
    firms: firm === undefined ? [] : [shown(firm)],
    places: []
  }
}

const isText = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase()

const acquaintanceOf = (
  state: State,
  { domain, email, firmId, key, name }: FoundPerson,
  personId: string | null
): Acquaintance => {
  const people = [...state.contacts.values()]
  const known = people
    .filter((contact) =>
      contact.id === key || (isText(contact.fullName, name) &&
        (contact.firmId === firmId || isText(contact.employerDomain, domain) || isText(contact.email, email)))
    )
    .sort((left, right) =>
      Number(right.id === personId) - Number(left.id === personId) ||
      Number(right.id === key) - Number(left.id === key) || compareText(left.id, right.id)
    )
  const alike = [...known, ...people.filter((contact) => isText(contact.email, email))]
  if (alike.some(({ id }) => state.suppressedContacts.has(id))) return { _tag: "Barred" }
  const [contact] = known
  if (contact === undefined) return { _tag: "New" }
  return {
    _tag: "Known",
    id: contact.id,
    key: contact.id,
    title: contact.title,
    email: contact.email,
    emailValidationStatus: contact.emailValidationStatus,
    phone: contact.phone,
    doNotContact: withRefusals(state)(contact).doNotContact,
    ties: listedTies(state)
      .filter(({ contactId }) => contactId === contact.id)
      .sort((left, right) => compareText(left.propertyId, right.propertyId))
      .flatMap(({ attributionType, propertyId, relationshipStatus, role }) => {
        const propertyKey = state.properties.get(propertyId)?.key
        return propertyKey === undefined ? [] : [{ propertyKey, role, relationshipStatus, attributionType }]
      })
  }
}

/** `FindingGround` in memory. */
export const layer: Layer.Layer<FindingGround, never, MemoryState> = Layer.effect(
  FindingGround,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const grounds = { property: ofProperty, contact: ofPerson, organization: ofFirm }
    return FindingGround.of({
      of: Effect.fn("FindingGround.of")(({ action, subjectId }) =>
        Effect.sync(() => Option.fromNullishOr(grounds[subjectTypes[action]](state, subjectId)))
      ),
      acquaintances: Effect.fn("FindingGround.acquaintances")((people, personId) =>
        Effect.sync(() => people.map((person) => acquaintanceOf(state, person, personId)))
      )
    })
  })
)
