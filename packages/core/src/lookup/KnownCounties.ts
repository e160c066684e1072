/**
 * The counties that the service has records of, kept for a while: they change only with an import. Whether one has come is
 * looked at more often than they are counted.
 */
import { Cache, Clock, Duration, Effect, Exit } from "effect"
import { CountyCensus, type CountyCount } from "../coverage/CountyCensus.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

export type KnownCounties = Effect.Effect<ReadonlyArray<CountyCount>, TemporarilyUnavailable>

/** How long they are kept when no import comes: merges change their counts as well. */
const life = Duration.toMillis("5 minutes")

/** How long nobody looks whether an import has come: 20 times what counting took, so that an import under way costs little. */
const shortestPause = Duration.toMillis("5 seconds")
const pauseOf = (took: number): number => Math.min(life, Math.max(shortestPause, 20 * took))

interface Counted {
  readonly revision: string
  readonly counties: ReadonlyArray<CountyCount>
  /** When they were counted, and how long that took, in milliseconds. */
  readonly at: number
  readonly took: number
}

/** The name as people write it and searches take it, such as `Dallas, TX`; null: it is not known. */
export const labelOf = ({ countyFips, name }: Pick<CountyCount, "countyFips" | "name">): string | null => {
  const state = stateOfCounty(countyFips)
  return name === null || state === undefined ? name : `${name}, ${state}`
}

/** Each use of what this makes keeps counties of its own. */
export const make: Effect.Effect<KnownCounties, never, CountyCensus> = Effect.gen(function*() {
  const census = yield* CountyCensus
  let last: Counted | undefined
  const look = Effect.gen(function*() {
    const revision = yield* census.revision
    const at = yield* Clock.currentTimeMillis
    if (last?.revision === revision && at - last.at < life) return last
    const [took, counties] = yield* Effect.timed(census.read)
    last = { revision, counties, at, took: Duration.toMillis(took) }
    return last
  })
  const kept = yield* Cache.makeWith((_: "all") => look, {
    capacity: 1,
    timeToLive: (exit) => Exit.isSuccess(exit) ? Duration.millis(pauseOf(exit.value.took)) : Duration.zero
  })
  return Effect.map(Cache.get(kept, "all"), ({ counties }) => counties)
})
