/** What is left of the state when those who asked not to be listed are taken out: the one place that knows of them. */
import type { AttachedFirm } from "../lead/BundleSource.ts"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import type { PropertyContact, State, StoredProperty } from "./MemoryState.ts"

const isSuppressedName = (state: State, name: string | null): boolean =>
  name !== null && state.suppressedOwners.has(ownerNameKey(name))

const isWithheldOwner = (state: State, property: StoredProperty): boolean =>
  state.suppressedProperties.has(property.id) ||
  [property.recordOwner, property.ownerName, property.ownerNameRaw, property.ownerName2]
    .some((name) => isSuppressedName(state, name))

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
  const firms = listedFirms(state, stored.id)
  const owned = stored.primaryOrganizationId
  return {
    ...stored,
    ...ownerWithheld
      ? { recordOwner: null, ownerName: null, ownerNameRaw: null, ownerName2: null, ownerMailingAddress: null }
      : {},
    ...beneficialOwnerWithheld && research !== null
      ? { research: { ...research, beneficialOwner: null }, hasBeneficialOwner: false }
      : {},
    primaryOrganizationId: firms.some(({ id }) => id === owned)
      ? owned
      : firms.filter((firm) => firm.role === "owner" && firm.attributionType === "county_record")
        .map(({ id }) => id).sort()[0] ?? null,
    ownerWithheld,
    beneficialOwnerWithheld
  }
}
