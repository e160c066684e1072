/** Ties of firms to properties in memory, as the matches of their owners say: what a match tied is known, and taken back alone. */
import type { Settled } from "../../firm/OwnerMatches.ts"
import { folded } from "../../operation/TextOrder.ts"
import { listedProperty } from "../Listed.ts"
import type { State, StoredProperty } from "../MemoryState.ts"
import type { OwnerTie, StoredOwner } from "./StoredOwner.ts"

/** The owner of record, in the form in which names are the same; null: none is known, or it may not be told. */
export const foldedOwner = (state: State, property: StoredProperty): string | null => {
  const { recordOwner } = listedProperty(state, property)
  return recordOwner === null ? null : folded(recordOwner)
}

const isStanding = (state: State, { firmId, ownerId }: OwnerTie): boolean => {
  const match = state.ownerMatches.get(`${ownerId} ${firmId}`)
  return match?.state === "tied" || match?.state === "accepted"
}

const isStale = (state: State, tie: OwnerTie, owner: StoredOwner): boolean => {
  const property = state.properties.get(tie.propertyId)
  if (property === undefined || property.retiredInto !== null || !isStanding(state, tie)) return true
  const named = foldedOwner(state, property)
  // Not known any more is not another one.
  return named !== null && named !== folded(owner.name) || property.countyFips !== owner.countyFips
}

/** The owner of record, where a match says of it what the tie says; none: it is another firm, or not known to be this one. */
const presentOwner = (state: State, tie: OwnerTie): StoredOwner | undefined => {
  const property = state.properties.get(tie.propertyId)
  if (property === undefined || property.retiredInto !== null) return undefined
  const named = foldedOwner(state, property)
  return Array.from(state.owners.values()).find(({ countyFips, name, ownerId }) =>
    countyFips === property.countyFips && folded(name) === named && isStanding(state, { ...tie, ownerId })
  )
}

/** Takes back what does not stand any more: the match, the owner, the place. */
const untie = (state: State, owners: ReadonlyMap<string, StoredOwner>): number => {
  let untied = 0
  for (const [key, tie] of state.ownerTies) {
    const owner = owners.get(tie.ownerId)
    if (owner === undefined || !isStale(state, tie, owner)) continue
    const present = presentOwner(state, tie)
    if (present !== undefined) {
      state.ownerTies.set(key, { ...tie, ownerId: present.ownerId })
      continue
    }
    state.ownerTies.delete(key)
    const firms = state.firms.get(tie.propertyId) ?? []
    const left = firms.filter(({ id, role }) => id !== tie.firmId || role !== "owner")
    state.firms.set(tie.propertyId, left)
    untied += firms.length - left.length
  }
  return untied
}

/** Ties the properties of these owners, where nobody else has. */
const tie = (state: State, owners: ReadonlyMap<string, StoredOwner>): number => {
  let tied = 0
  for (const match of state.ownerMatches.values()) {
    const owner = owners.get(match.ownerId)
    const firm = state.firmRecords.get(match.firmId)
    if (owner === undefined || firm === undefined || match.state !== "tied" && match.state !== "accepted") continue
    const attributionType = match.evidence.includes("same_mailing_address") ? "mailing_address_match" : "county_record"
    for (const property of state.properties.values()) {
      const firms = state.firms.get(property.id) ?? []
      const isTied = firms.some(({ id, role }) => id === firm.id && role === "owner")
      if (
        isTied || property.retiredInto !== null || property.countyFips !== owner.countyFips ||
        foldedOwner(state, property) !== folded(owner.name)
      ) continue
      const { domain, id, linkedinUrl, name } = firm
      state.firms.set(property.id, [
        ...firms,
        { id, name, domain, linkedinUrl, role: "owner", attributionType, websiteUrl: null, phone: null }
      ])
      state.ownerTies.set(`${property.id} ${id}`, { propertyId: property.id, firmId: id, ownerId: owner.ownerId })
      tied += 1
    }
  }
  return tied
}

/** Unties and ties the properties of these owners as their matches say. */
export const settle = (state: State, owners: ReadonlyArray<StoredOwner>): Settled => {
  const byId = new Map(owners.map((owner) => [owner.ownerId, owner]))
  const untied = untie(state, byId)
  return { tied: tie(state, byId), untied }
}
