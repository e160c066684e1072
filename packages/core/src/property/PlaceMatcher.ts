/** Compares the records of counties with those of other sources, page by page; what stops it loses no more than a county. */
import { Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { compareText } from "../operation/TextOrder.ts"
import { type FoundPair, type PlaceCandidates, PlaceMatches } from "./PlaceMatches.ts"
import { match } from "./SamePlace.ts"

const recordsAtOnce = 200

/** What a run did. */
export interface PairCounts {
  readonly counties: number
  readonly records: number
  /** Pairs that were not proposed before. */
  readonly proposed: number
}

export interface PairProgress extends PairCounts {
  readonly of: number
}

const pairsWith = ({ others, place }: PlaceCandidates): ReadonlyArray<FoundPair> =>
  others.flatMap((other) => {
    const found = match(place, other)
    if (found === null) return []
    const [oneId, otherId] = compareText(place.id, other.id) < 0 ? [place.id, other.id] : [other.id, place.id]
    return [{ oneId, otherId, ...found }]
  })

/** What the records of a page are found to be of one place with, each pair once: either of the two may have found the other. */
const pairsOf = (page: ReadonlyArray<PlaceCandidates>): ReadonlyArray<FoundPair> => [
  ...new Map(page.flatMap(pairsWith).map((pair) => [`${pair.oneId} ${pair.otherId}`, pair])).values()
]

export const make = Effect.gen(function*() {
  const matches = yield* PlaceMatches

  const compare = Effect.fnUntraced(function*(countyFips: string) {
    let [records, proposed, after]: [number, number, string | null] = [0, 0, null]
    while (true) {
      const page: ReadonlyArray<PlaceCandidates> = yield* matches.candidates(countyFips, after, recordsAtOnce)
      if (page.length > 0) proposed += yield* matches.keep(page.map(({ place }) => place.id), pairsOf(page))
      records += page.length
      after = page.at(-1)?.place.id ?? null
      if (page.length < recordsAtOnce) return { records, proposed }
    }
  })

  /** Compares what changed since it was compared, or all of it. */
  const run = Effect.fn("PlaceMatcher.run")(function*(request: {
    readonly all: boolean
    readonly only: ReadonlyArray<string> | null
    readonly onProgress?: ((progress: PairProgress) => Effect.Effect<void>) | undefined
  }): Effect.fn.Return<PairCounts, TemporarilyUnavailable> {
    const counties = yield* matches.counties(request)
    let sum: PairCounts = { counties: 0, records: 0, proposed: 0 }
    for (const county of counties) {
      const { proposed, records } = yield* compare(county.countyFips)
      yield* matches.compared(county)
      sum = { counties: sum.counties + 1, records: sum.records + records, proposed: sum.proposed + proposed }
      if (request.onProgress !== undefined) yield* request.onProgress({ ...sum, of: counties.length })
    }
    return sum
  })

  return { run }
})
