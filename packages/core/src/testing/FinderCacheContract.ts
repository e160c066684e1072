/** What every `FinderCache` must do. Adapters call `finderCacheContract` from their own tests. */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Duration, Effect, type Layer, Option } from "effect"
import { FinderCache } from "../research/FinderCache.ts"
import { defaultKept, Retention } from "../retention/Retention.ts"

const sweepAt = (now: number) =>
  Effect.map(
    Effect.repeat(Retention.use((retention) => retention.sweep({ kept: defaultKept, now, atMost: 100 })), {
      until: (swept) => !Option.getOrThrow(swept).more
    }),
    (swept) => Option.getOrThrow(swept).removed.get("finder") ?? 0
  )

/** The suite for an adapter of `FinderCache`. */
export const finderCacheContract = <E>(name: string, adapters: Layer.Layer<FinderCache | Retention, E>): void =>
  suite(adapters, { excludeTestServices: true })(`FinderCache ${name}`, (it) => {
    it.effect("keeps what was written last, for its time, and is swept of the rest", () =>
      Effect.gen(function*() {
        const cache = yield* FinderCache
        yield* cache.write("page https://birch.example/", { text: "first" }, Duration.days(1))
        yield* cache.write("page https://birch.example/", { text: "“second”", links: [] }, Duration.days(1))
        yield* cache.write("page https://oak.example/", null, Duration.zero)
        assert.deepStrictEqual(
          yield* cache.read("page https://birch.example/"),
          Option.some({ text: "“second”", links: [] })
        )
        assert.deepStrictEqual(yield* cache.read("page https://oak.example/"), Option.none())
        assert.deepStrictEqual(yield* cache.read("page https://elm.example/"), Option.none())
        const now = yield* Clock.currentTimeMillis
        assert.strictEqual(yield* sweepAt(now + 1000), 1)
        assert.isTrue(Option.isSome(yield* cache.read("page https://birch.example/")))
        assert.strictEqual(yield* sweepAt(now + Duration.toMillis(Duration.days(2))), 1)
        assert.isTrue(Option.isNone(yield* cache.read("page https://birch.example/")))
      }))
  })
