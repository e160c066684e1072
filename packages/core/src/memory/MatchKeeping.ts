/** What matching of owners and of places have in common in memory: how far they are, the numbers of matches, and dry runs. */
import { Effect } from "effect"
import { compareText } from "../operation/TextOrder.ts"
import type { State } from "./MemoryState.ts"

/** What is matched by itself; a county is stale of each. */
export type MatchSubject = "owners" | "places"

/** Where `MemoryState.matchedCounties` has a county. */
export const matchedKey = (subject: MatchSubject, countyFips: string): string => `${subject} ${countyFips}`

/** Counties that were not matched yet, or all. Nothing is imported in memory, so none was ever refreshed. */
export const staleCounties = (
  state: State,
  subject: MatchSubject,
  { all, only }: { readonly all: boolean; readonly only: ReadonlyArray<string> | null }
) =>
  [...new Set(Array.from(state.properties.values(), ({ countyFips }) => countyFips))]
    .filter((countyFips) =>
      (all || state.matchedCounties.get(matchedKey(subject, countyFips)) !== null) &&
      (only === null || only.includes(countyFips))
    )
    .sort(compareText)
    .map((countyFips) => ({ countyFips, refreshedAt: null }))

/** The number of a new match, which none before it had. */
export const nextNumber = (state: State, of: string): string => {
  const number = (state.matchNumbers.get(of) ?? 0) + 1
  state.matchNumbers.set(of, number)
  return String(number)
}

/** Matches, the most confident first and then the oldest, after one of them. */
export const reviewed = <A extends { readonly id: string; readonly confidence: number }>(
  matches: ReadonlyArray<A>,
  cursor: A | undefined,
  limit: number
): ReadonlyArray<A> => {
  const order = (left: A, right: A) => right.confidence - left.confidence || Number(left.id) - Number(right.id)
  return matches.filter((match) => cursor === undefined || order(match, cursor) > 0).toSorted(order).slice(0, limit)
}

/** Remembers what is in a map, whose values are replaced and never changed; answers what puts it back. */
export const keeping = <K, V>(map: Map<K, V>) => (): () => void => {
  const saved = new Map(map)
  return () => {
    map.clear()
    for (const [key, value] of saved) map.set(key, value)
  }
}

/** Runs the effect, and puts all of that back as it was. */
export const undone =
  (kept: ReadonlyArray<() => () => void>) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const putBack = kept.map((keep) => keep())
      return Effect.ensuring(effect, Effect.sync(() => putBack.forEach((restore) => restore())))
    })
