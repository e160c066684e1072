/** What is left of the state when those who asked not to be listed are taken out: the one place that knows of them. */
import type { AttachedFirm } from "../lead/BundleSource.ts"
import type { Result } from "../research/ResearchRun.ts"
import { isNamedIn } from "../suppression/NamedWords.ts"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import type { PropertyContact, State, StoredProperty } from "./MemoryState.ts"

const isSuppressedName = (state: State, name: string | null): boolean =>
  name !== null && state.suppressedOwners.has(ownerNameKey(name))

const isWithheldOwner = (state: State, property: StoredProperty): boolean =>
  state.suppressedProperties.has(property.id) ||
  [property.recordOwner, property.ownerName, property.ownerNameRaw, property.ownerName2]
    .some((name) => isSuppressedName(state, name))

/** Whether a text names a person or an owner who asked not to be listed. */
const namesSuppressed = (state: State, text: string): boolean => {
  const people = [...state.suppressedContacts.keys()].flatMap((id) => state.contacts.get(id)?.fullName ?? [])
  const owners = [...state.suppressedOwners.values()].map(({ name }) => name)
  return [...people, ...owners].some((name) => isNamedIn(text, name))
}

/** What may be told of what research wrote or found: the points and the claims that name nobody who is suppressed; null: nothing. */
export const listedResult = (state: State, result: Result | null): Result | null => {
  const isNamed = (text: string) => namesSuppressed(state, text)
  switch (result?._tag) {
    case "Strategy": {
      const { approach, points, summary } = result.strategy
      return isNamed(`${summary} ${approach}`)
        ? null
        : { ...result, strategy: { ...result.strategy, points: points.filter((point) => !isNamed(point)) } }
    }
    case "Draft":
      return isNamed(`${result.draft.subject} ${result.draft.body}`) ? null : result
    case "Claims":
      return { ...result, claims: result.claims.filter(({ quote, values }) => !isNamed([quote, ...values].join(" "))) }
    default:
      return result
  }
}

/** The ties of people who may be listed. */
export const listedTies = (state: State): ReadonlyArray<PropertyContact> =>
  state.propertyContacts.filter(({ contactId }) => !state.suppressedContacts.has(contactId))

/** The firms of a property that may be listed. */
export const listedFirms = (state: State, propertyId: string): ReadonlyArray<AttachedFirm> =>
  (state.firms.get(propertyId) ?? []).filter((firm) =>
    firm.role !== "owner" ||
    !state.suppressedProperties.has(propertyId) && !isSuppressedName(state, firm.name)
  )

/** A property with its owners left out where they are suppressed. */
export const listedProperty = (state: State, stored: StoredProperty) => {
  const ownerWithheld = isWithheldOwner(state, stored)
  const { research } = stored
  const beneficialOwner = research?.beneficialOwner ?? null
  const beneficialOwnerWithheld = beneficialOwner !== null &&
    (state.suppressedProperties.has(stored.id) || isSuppressedName(state, beneficialOwner))
  const listedResearch = research === null ? null : {
    ...research,
    ...beneficialOwnerWithheld ? { beneficialOwner: null } : {},
    ...research.aiRationale !== null && namesSuppressed(state, research.aiRationale) ? { aiRationale: null } : {}
  }
  const firms = listedFirms(state, stored.id)
  const owned = stored.primaryOrganizationId
  return {
    ...stored,
    ...ownerWithheld
      ? { recordOwner: null, ownerName: null, ownerNameRaw: null, ownerName2: null, ownerMailingAddress: null }
      : {},
    research: listedResearch,
    ...beneficialOwnerWithheld ? { hasBeneficialOwner: false } : {},
    primaryOrganizationId: firms.some(({ id }) => id === owned)
      ? owned
      : firms.filter((firm) => firm.role === "owner" && firm.attributionType === "county_record")
        .map(({ id }) => id).sort()[0] ?? null,
    ownerWithheld,
    beneficialOwnerWithheld
  }
}
