/** The counties that the service has records of, kept for a while: they change only with an import. */
import { Cache, Duration, Effect, Exit } from "effect"
import { CountyCensus, type CountyCount } from "../coverage/CountyCensus.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

export type KnownCounties = Effect.Effect<ReadonlyArray<CountyCount>, TemporarilyUnavailable>

const life = Duration.minutes(5)

/** The name as people write it and searches take it, such as `Dallas, TX`; null: it is not known. */
export const labelOf = ({ countyFips, name }: Pick<CountyCount, "countyFips" | "name">): string | null => {
  const state = stateOfCounty(countyFips)
  return name === null || state === undefined ? name : `${name}, ${state}`
}

/** Each use of what this makes keeps counties of its own. */
export const make: Effect.Effect<KnownCounties, never, CountyCensus> = Effect.gen(function*() {
  const census = yield* CountyCensus
  const kept = yield* Cache.makeWith((_: "all") => census.read, {
    capacity: 1,
    timeToLive: (exit) => Exit.isSuccess(exit) ? life : Duration.zero
  })
  return Cache.get(kept, "all")
})
