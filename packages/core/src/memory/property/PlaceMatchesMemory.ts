/** `PlaceMatches` in memory: each record is compared with all that lie near it, or have its house number or parcel number. */
import { Effect, Layer, Option, Semaphore } from "effect"
import { compareText } from "../../operation/TextOrder.ts"
import { houseNumber, parcelForm } from "../../property/AddressMatch.ts"
import {
  type ComparedPlace,
  type ListedPair,
  type PairedRecord,
  type PlaceCandidates,
  PlaceMatches
} from "../../property/PlaceMatches.ts"
import { keeping, matchedKey, nextNumber, reviewed, staleCounties, undone } from "../MatchKeeping.ts"
import { MemoryState, type State, type StoredProperty } from "../MemoryState.ts"
import { compareBy } from "./PropertyReading.ts"
import type { StoredPair } from "./StoredPair.ts"

/** About 40 metres: lines that begin with other numbers, as ranges do. */
const neighbourhood = 0.0004

const sourceOf = (state: State, key: string): string | null =>
  Array.from(state.sources).flatMap(([name, { known }]) => known.has(key) ? [name] : []).sort(compareText)[0] ?? null

/** Which source a record is of; of those that were imported by hand, as far as their keys tell. */
const originOf = (state: State, { key }: StoredProperty): string =>
  sourceOf(state, key) ?? `key ${/^[A-Za-z]*/.exec(key)?.[0]}`

const parcelsOf = ({ apn, parcelNumbers }: StoredProperty): ReadonlyArray<string> => [
  ...parcelNumbers ?? [],
  ...apn === null ? [] : [apn]
]

const hasSameParcel = (left: StoredProperty, right: StoredProperty): boolean =>
  right.apn !== null && left.countyFips === right.countyFips &&
  parcelsOf(left).map(parcelForm).includes(parcelForm(right.apn))

const hasSameNumber = (left: StoredProperty, right: StoredProperty): boolean => {
  const number = houseNumber(left.address ?? "")
  return number !== "" && number === houseNumber(right.address ?? "") && left.zip !== null && right.zip !== null &&
    left.zip.slice(0, 5) === right.zip.slice(0, 5)
}

const isNear = (left: StoredProperty, right: StoredProperty): boolean =>
  left.lat !== null && left.lon !== null && right.lat !== null && right.lon !== null &&
  Math.abs(left.lat - right.lat) <= neighbourhood && Math.abs(left.lon - right.lon) <= neighbourhood

/** Of two, the one with the lesser id finds the other, but for a parcel number that this one has as its own and the other one among several. */
const finds = (state: State, one: StoredProperty, other: StoredProperty): boolean =>
  compareText(other.id, one.id) > 0
    ? hasSameParcel(one, other) || hasSameNumber(one, other) || isNear(one, other) ||
      state.placePairs.get(`${one.id} ${other.id}`)?.state === "proposed"
    : hasSameParcel(one, other) && parcelForm(one.apn ?? "") !== parcelForm(other.apn ?? "")

const placeOf = (property: StoredProperty): ComparedPlace => {
  const { address, buildingSqft, commonName, countyFips, id, lat, lon, numFloors, totalUnits, yearBuilt, zip } =
    property
  return {
    id,
    name: commonName,
    address,
    zip,
    parcels: parcelsOf(property),
    countyFips,
    lat,
    lon,
    buildingSqft,
    yearBuilt,
    numFloors,
    totalUnits
  }
}

const candidatesOf = (state: State, property: StoredProperty): PlaceCandidates => ({
  place: placeOf(property),
  others: Array.from(state.properties.values())
    .filter((other) =>
      other.retiredInto === null && originOf(state, other) !== originOf(state, property) &&
      finds(state, property, other)
    )
    .map(placeOf)
})

/** What would retire comes first: the record that knows less of who owns the place, then the one with the greater id. */
const byWeight = compareBy<StoredProperty>(
  (left, right) => Number(left.recordOwner !== null) - Number(right.recordOwner !== null),
  (left, right) => Number(left.totalParval !== null) - Number(right.totalParval !== null),
  (left, right) => Number(left.apn !== null) - Number(right.apn !== null),
  (left, right) => compareText(right.id, left.id)
)

const recordOf = (state: State, { address, commonName, id, key }: StoredProperty): PairedRecord => ({
  id,
  key,
  source: sourceOf(state, key),
  address,
  name: commonName
})

const shown = (state: State, pair: StoredPair): ReadonlyArray<ListedPair> => {
  const [from, into] = [pair.oneId, pair.otherId].flatMap((id) => state.properties.get(id) ?? []).sort(byWeight)
  if (from === undefined || into === undefined) return []
  return [{
    id: pair.id,
    state: pair.state,
    confidence: pair.confidence,
    evidence: pair.evidence,
    from: recordOf(state, from),
    into: recordOf(state, into)
  }]
}

/** `PlaceMatches` in memory. */
export const layer: Layer.Layer<PlaceMatches, never, MemoryState> = Layer.effect(
  PlaceMatches,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const turn = yield* Semaphore.make(1)

    const isLiving = (id: string): boolean => state.properties.get(id)?.retiredInto === null

    const decide = (id: string, to: "accepted" | "rejected") =>
      Effect.sync(() => {
        for (const [key, pair] of state.placePairs) {
          if (pair.id === id) state.placePairs.set(key, { ...pair, state: to })
        }
      })

    return PlaceMatches.of({
      alone: (effect) => turn.withPermitsIfAvailable(1)(effect),

      undone: undone([keeping(state.placePairs), keeping(state.matchedCounties)]),

      counties: Effect.fn("PlaceMatches.counties")((request) =>
        Effect.sync(() => staleCounties(state, "places", request))
      ),

      candidates: Effect.fn("PlaceMatches.candidates")((countyFips, after, limit) =>
        Effect.sync(() =>
          Array.from(state.properties.values())
            .filter((property) =>
              property.countyFips === countyFips && property.retiredInto === null &&
              (after === null || compareText(property.id, after) > 0)
            )
            .sort((left, right) => compareText(left.id, right.id))
            .slice(0, limit)
            .map((property) => candidatesOf(state, property))
        )
      ),

      keep: Effect.fn("PlaceMatches.keep")((ids, pairs) =>
        Effect.sync(() => {
          const found = new Map(pairs.map((pair) => [`${pair.oneId} ${pair.otherId}`, pair]))
          for (const [key, pair] of state.placePairs) {
            if (pair.state === "proposed" && ids.includes(pair.oneId) && !found.has(key)) state.placePairs.delete(key)
          }
          let fresh = 0
          for (const [key, pair] of found) {
            const before = state.placePairs.get(key)
            if (before !== undefined && before.state !== "proposed") continue
            state.placePairs.set(key, {
              ...pair,
              id: before?.id ?? nextNumber(state, "place match"),
              state: "proposed"
            })
            if (before === undefined) fresh += 1
          }
          return fresh
        })
      ),

      compared: Effect.fn("PlaceMatches.compared")(({ countyFips, refreshedAt }) =>
        Effect.sync(() => void state.matchedCounties.set(matchedKey("places", countyFips), refreshedAt))
      ),

      list: Effect.fn("PlaceMatches.list")(({ after, countyFips, limit, state: of }) =>
        Effect.sync(() => {
          const all = Array.from(state.placePairs.values())
          return reviewed(
            all.filter(({ oneId, otherId, state: is }) =>
              is === of && (is !== "proposed" || isLiving(oneId) && isLiving(otherId)) &&
              (countyFips === null || countyFips.includes(state.properties.get(oneId)?.countyFips ?? ""))
            ),
            all.find(({ id }) => id === after),
            limit
          ).flatMap((pair) => shown(state, pair))
        })
      ),

      find: Effect.fn("PlaceMatches.find")((id) =>
        Effect.sync(() => {
          const pair = Array.from(state.placePairs.values()).find((each) => each.id === id)
          return Option.fromUndefinedOr(pair === undefined ? undefined : shown(state, pair)[0])
        })
      ),

      reject: Effect.fn("PlaceMatches.reject")((id) => decide(id, "rejected")),

      accept: (id, merge) => Effect.tap(merge, decide(id, "accepted"))
    })
  })
)
