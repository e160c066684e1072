/** `OwnerMatches` in memory: every owner is looked at, and nothing is cut short. */
import { Effect, Layer, Option, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { type ListedMatch, type NamedOwner, OwnerMatches, type Undecided } from "../../firm/OwnerMatches.ts"
import { compareText, folded } from "../../operation/TextOrder.ts"
import { listedProperty } from "../Listed.ts"
import { keeping, matchedKey, nextNumber, reviewed, staleCounties, undone } from "../MatchKeeping.ts"
import { MemoryState, type State, type StoredProperty } from "../MemoryState.ts"
import { foldedOwner, settle } from "./OwnerSettling.ts"
import type { StoredFirmForm, StoredOwner, StoredOwnerMatch } from "./StoredOwner.ts"

/** A source that cuts names off has a good share of names of its greatest length, which is not long. */
const cutShare = 0.03
const longestCut = 40
const leastCut = 3

const living = (state: State): ReadonlyArray<StoredProperty> =>
  Array.from(state.properties.values()).filter(({ retiredInto }) => retiredInto === null)

const shares = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.some((each) => right.includes(each))

/** What is known by these properties of who owns them. */
const knownBy = (state: State, properties: ReadonlyArray<StoredProperty>) => {
  const ids = new Set(properties.map(({ id }) => id))
  const mailing = properties.flatMap((property) => listedProperty(state, property).ownerMailingAddress ?? [])
  const agents = state.propertyContacts.flatMap(({ contactId, propertyId, role }) =>
    role === "registered_agent" && ids.has(propertyId) ? state.contacts.get(contactId)?.fullName ?? [] : []
  )
  return {
    mailing: [...new Map(mailing.map((address) => [JSON.stringify(address), address])).values()],
    agents: [...new Set(agents)].sort(compareText)
  }
}

const namesOf = (state: State, countyFips: string): ReadonlyArray<NamedOwner & { readonly folded: string }> => {
  const named = living(state).flatMap((property) => {
    const { recordOwner } = listedProperty(state, property)
    return property.countyFips === countyFips && recordOwner !== null ? [{ property, name: recordOwner }] : []
  })
  return Array.from(Map.groupBy(named, ({ name }) => folded(name)), ([form, same]) => ({
    folded: form,
    name: same.map(({ name }) => name).sort(compareText)[0] ?? form,
    properties: same.length,
    ...knownBy(state, same.map(({ property }) => property))
  })).sort((left, right) => compareText(left.folded, right.folded))
}

const lengthOfCut = (state: State, countyFips: string): Option.Option<number> => {
  const names = new Set(
    living(state).flatMap((property) => {
      const { recordOwner } = listedProperty(state, property)
      return property.countyFips === countyFips && recordOwner !== null ? [recordOwner] : []
    })
  )
  const lengths = Array.from(names, (name) => [...name].length)
  const longest = Math.max(0, ...lengths)
  const many = lengths.filter((length) => length === longest).length
  return many >= leastCut && many >= cutShare * lengths.length && longest <= longestCut
    ? Option.some(longest)
    : Option.none()
}

const candidate = (state: State, { firmId, name }: StoredFirmForm): Undecided["firms"][number] => {
  const owned = living(state).filter(({ id }) =>
    state.firms.get(id)?.some((firm) => firm.id === firmId && firm.role === "owner") ?? false
  )
  return {
    firmId,
    name,
    counties: [...new Set(owned.map(({ countyFips }) => countyFips))].sort(compareText),
    ...knownBy(state, owned)
  }
}

const undecidedOf = (state: State, { agents, blocks, countyFips, isCut, mailing, name, ownerId }: StoredOwner) => ({
  ownerId,
  countyFips,
  name,
  mailing,
  agents,
  isCut,
  firms: Array.from(state.firmForms.values())
    .filter((form) =>
      shares(form.blocks, blocks) && state.ownerMatches.get(`${ownerId} ${form.firmId}`)?.state !== "rejected"
    )
    .sort((left, right) => compareText(left.firmId, right.firmId))
    .map((form) => candidate(state, form))
})

const isDecided = (state: State, ownerId: string): boolean =>
  Array.from(state.ownerMatches.values()).some((match) =>
    match.ownerId === ownerId && (match.state === "tied" || match.state === "accepted")
  )

/** Where a name is one owner's: the federal government's anywhere, others' in their state. */
const scopeOf = ({ countyFips, key }: StoredOwner): string => key === "STATES UNITED" ? "US" : countyFips.slice(0, 2)

/** Of a firm that was made of owners of one name: the key by which an import finds it again. */
const firmKeyOf = (owner: StoredOwner): string => `owner:${scopeOf(owner)}:${owner.key}`

/** The owners of one name of which firms are to be made, by the keys of these. */
const founding = (state: State, countyFips: string): ReadonlyMap<string, ReadonlyArray<StoredOwner>> => {
  const owners = Array.from(state.owners.values()).filter(({ isFounding, properties }) => isFounding && properties > 0)
  const here = new Set(owners.filter((owner) => owner.countyFips === countyFips).map(firmKeyOf))
  const taken = new Set(
    Array.from(state.ownerMatches.values()).flatMap(({ ownerId, state }) => state === "rejected" ? [] : [ownerId])
  )
  const nobodys = owners.filter((owner) => here.has(firmKeyOf(owner)) && !taken.has(owner.ownerId))
  const known = new Set(state.firmKeys.values())
  return new Map(
    Array.from(Map.groupBy(nobodys, firmKeyOf)).filter(([key, owners]) =>
      !known.has(key) && owners.reduce((sum, { properties }) => sum + properties, 0) >= 2
    )
  )
}

const foundFirm = (state: State, id: string, key: string, owners: ReadonlyArray<StoredOwner>): void => {
  const [first] = owners.toSorted((left, right) =>
    right.properties - left.properties || compareText(left.name, right.name)
  )
  state.firmKeys.set(id, key)
  state.firmRecords.set(id, {
    id,
    name: first?.name ?? key,
    domain: null,
    linkedinUrl: null,
    twitterUrl: null,
    facebookUrl: null,
    crunchbaseUrl: null
  })
  for (const { ownerId } of owners) {
    state.ownerMatches.set(`${ownerId} ${id}`, {
      id: nextNumber(state, "owner match"),
      ownerId,
      firmId: id,
      confidence: 1,
      evidence: ["founds_firm"],
      state: "tied"
    })
  }
}

const shown = (state: State, match: StoredOwnerMatch): ReadonlyArray<ListedMatch> => {
  const owner = state.owners.get(match.ownerId)
  const firm = state.firmRecords.get(match.firmId)
  if (owner === undefined || firm === undefined) return []
  const { countyFips, name, properties } = owner
  return [{
    id: match.id,
    state: match.state,
    confidence: match.confidence,
    evidence: match.evidence,
    owner: { name, countyFips, properties },
    firm: { id: firm.id, key: state.firmKeys.get(firm.id) ?? firm.id, name: firm.name }
  }]
}

/** `OwnerMatches` in memory. */
export const layer: Layer.Layer<OwnerMatches, never, MemoryState | SecureRandom.SecureRandom> = Layer.effect(
  OwnerMatches,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const random = yield* SecureRandom.SecureRandom
    const turn = yield* Semaphore.make(1)

    const ofCounty = (countyFips: string) =>
      Array.from(state.owners.values()).filter((owner) => owner.countyFips === countyFips)

    const makeStale = (counties: Iterable<string>) => {
      for (const countyFips of counties) state.matchedCounties.delete(matchedKey("owners", countyFips))
    }

    return OwnerMatches.of({
      alone: (effect) => turn.withPermitsIfAvailable(1)(effect),

      undone: undone([
        keeping(state.owners),
        keeping(state.ownerMatches),
        keeping(state.ownerTies),
        keeping(state.firmForms),
        keeping(state.firmKeys),
        keeping(state.firmRecords),
        keeping(state.firms),
        keeping(state.matchedCounties)
      ]),

      renamedFirms: Effect.fn("OwnerMatches.renamedFirms")((limit) =>
        Effect.sync(() =>
          Array.from(state.firmRecords.values())
            .filter(({ id, name }) => state.firmForms.get(id)?.name !== name)
            .sort((left, right) => compareText(left.id, right.id))
            .slice(0, limit)
            .map(({ id, name }) => ({ firmId: id, name }))
        )
      ),

      keepFirms: Effect.fn("OwnerMatches.keepFirms")((firms) =>
        Effect.sync(() => {
          for (const firm of firms) {
            state.firmForms.set(firm.firmId, firm)
            makeStale(
              Array.from(state.owners.values()).flatMap(({ blocks, countyFips, ownerId }) =>
                shares(blocks, firm.blocks) && !state.ownerMatches.has(`${ownerId} ${firm.firmId}`) ? [countyFips] : []
              )
            )
          }
        })
      ),

      counties: Effect.fn("OwnerMatches.counties")((request) =>
        Effect.sync(() => staleCounties(state, "owners", request))
      ),

      cutAt: Effect.fn("OwnerMatches.cutAt")((countyFips) => Effect.sync(() => lengthOfCut(state, countyFips))),

      names: Effect.fn("OwnerMatches.names")((countyFips, after, limit) =>
        Effect.sync(() =>
          namesOf(state, countyFips)
            .filter(({ folded }) => after === null || compareText(folded, after) > 0)
            .slice(0, limit)
        )
      ),

      keepOwners: Effect.fn("OwnerMatches.keepOwners")((countyFips, owners) =>
        Effect.sync(() => {
          for (const owner of owners) {
            const before = ofCounty(countyFips).find(({ name }) => folded(name) === folded(owner.name))
            const ownerId = before?.ownerId ?? nextNumber(state, "owner")
            state.owners.set(ownerId, { ...owner, ownerId, countyFips })
          }
        })
      ),

      undecided: Effect.fn("OwnerMatches.undecided")((countyFips, after, limit) =>
        Effect.sync(() =>
          ofCounty(countyFips)
            .filter(({ ownerId, properties }) =>
              Number(ownerId) > Number(after) && properties > 0 && !isDecided(state, ownerId)
            )
            .sort((left, right) => Number(left.ownerId) - Number(right.ownerId))
            .slice(0, limit)
            .map((owner) => undecidedOf(state, owner))
        )
      ),

      keepMatches: Effect.fn("OwnerMatches.keepMatches")((ownerIds, matches) =>
        Effect.sync(() => {
          const found = new Map(matches.map((match) => [`${match.ownerId} ${match.firmId}`, match]))
          for (const [key, match] of state.ownerMatches) {
            if (match.state === "proposed" && ownerIds.includes(match.ownerId) && !found.has(key)) {
              state.ownerMatches.delete(key)
            }
          }
          let fresh = 0
          for (const [key, match] of found) {
            const before = state.ownerMatches.get(key)
            if (before !== undefined && before.state !== "proposed") continue
            state.ownerMatches.set(key, { ...match, id: before?.id ?? nextNumber(state, "owner match") })
            if (before === undefined && match.state === "proposed") fresh += 1
          }
          return fresh
        })
      ),

      found: Effect.fn("OwnerMatches.found")(function*(countyFips) {
        const firms = founding(state, countyFips)
        const ids = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), firms.size))
        for (const [index, [key, owners]] of [...firms].entries()) {
          const id = ids[index]
          if (id !== undefined) foundFirm(state, id, key, owners)
          makeStale(owners.flatMap((owner) => owner.countyFips === countyFips ? [] : [owner.countyFips]))
        }
        return firms.size
      }),

      settle: Effect.fn("OwnerMatches.settle")((countyFips) =>
        Effect.sync(() => {
          const settled = settle(state, ofCounty(countyFips))
          const named = new Set(
            living(state).flatMap((property) =>
              property.countyFips === countyFips ? foldedOwner(state, property) ?? [] : []
            )
          )
          for (const owner of ofCounty(countyFips)) {
            if (!named.has(folded(owner.name))) state.owners.set(owner.ownerId, { ...owner, properties: 0 })
          }
          return settled
        })
      ),

      matched: Effect.fn("OwnerMatches.matched")(({ countyFips, refreshedAt }) =>
        Effect.sync(() => void state.matchedCounties.set(matchedKey("owners", countyFips), refreshedAt))
      ),

      list: Effect.fn("OwnerMatches.list")(({ after, countyFips, limit, state: of }) =>
        Effect.sync(() => {
          const all = Array.from(state.ownerMatches.values()).flatMap((match) => shown(state, match))
          return reviewed(
            all.filter((match) =>
              match.state === of && (countyFips === null || countyFips.includes(match.owner.countyFips))
            ),
            all.find(({ id }) => id === after),
            limit
          )
        })
      ),

      decide: Effect.fn("OwnerMatches.decide")((id, to) =>
        Effect.sync(() => {
          const match = Array.from(state.ownerMatches.values()).find((each) => each.id === id)
          const owner = match === undefined ? undefined : state.owners.get(match.ownerId)
          if (match === undefined || owner === undefined) return Option.none()
          for (const [key, other] of state.ownerMatches) {
            // An owner is one firm: what stood, or is proposed beside it, is not what it is.
            if (to === "accepted" && other.ownerId === match.ownerId) {
              state.ownerMatches.set(key, { ...other, state: "rejected" })
            }
          }
          const decided = { ...match, state: to }
          state.ownerMatches.set(`${match.ownerId} ${match.firmId}`, decided)
          const settled = settle(state, [owner])
          return Option.map(Option.fromUndefinedOr(shown(state, decided)[0]), (match) => ({ match, settled }))
        })
      )
    })
  })
)
