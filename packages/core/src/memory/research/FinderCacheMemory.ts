/** `FinderCache` in memory. */
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { FinderCache } from "../../research/FinderCache.ts"
import { MemoryState } from "../MemoryState.ts"

/** `FinderCache` in memory. */
export const layer: Layer.Layer<FinderCache, never, MemoryState> = Layer.effect(
  FinderCache,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return FinderCache.of({
      read: Effect.fn("FinderCache.read")((name) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = state.finderCache.get(name)
          return kept === undefined || kept.expiresAt <= now ? Option.none() : Option.some(kept.value)
        })
      ),
      write: Effect.fn("FinderCache.write")((name, value, keptFor) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          state.finderCache.set(name, { value, expiresAt: now + Duration.toMillis(keptFor) })
        })
      )
    })
  })
)
