/** How soon an import is known, and how seldom counties are counted. */
import { assert, it } from "@effect/vitest"
import { CountyCensus, type CountyCount } from "@freehold/core/coverage/CountyCensus"
import * as KnownCounties from "@freehold/core/lookup/KnownCounties"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const dallas: CountyCount = { countyFips: "48113", name: "Dallas", properties: 1, lastRefresh: null, sources: [] }

/** What is known of a census that holds `counties`, and how often it was counted, which takes so long. */
const scene = Effect.fnUntraced(function*(took: "0 seconds" | "2 seconds") {
  const census = { counties: Array.of<CountyCount>(), imports: 0, counted: 0, looked: 0 }
  const known = yield* KnownCounties.make.pipe(
    Effect.provideService(
      CountyCensus,
      CountyCensus.of({
        read: Effect.sync(() => {
          census.counted++
          return [...census.counties]
        }).pipe(Effect.delay(took)),
        revision: Effect.sync(() => {
          census.looked++
          return String(census.imports)
        })
      })
    )
  )
  return { census, known }
})

it.effect("an import is known within seconds, and without one nothing is counted for minutes", () =>
  Effect.gen(function*() {
    const { census, known } = yield* scene("0 seconds")
    assert.deepStrictEqual(yield* known, [])
    census.counties.push(dallas)
    census.imports++
    assert.deepStrictEqual(yield* known, [])
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(yield* known, [dallas])
    yield* TestClock.adjust("4 minutes")
    yield* Effect.replicateEffect(known, 10)
    assert.deepStrictEqual([census.counted, census.looked], [2, 3])
    yield* TestClock.adjust("1 minutes")
    yield* known
    assert.strictEqual(census.counted, 3, "merges change counts, too")
  }))

it.effect("what takes long to count is not counted again and again while an import goes on", () =>
  Effect.gen(function*() {
    const { census, known } = yield* scene("2 seconds")
    const ask = Effect.gen(function*() {
      const asked = yield* Effect.forkChild(known)
      yield* TestClock.adjust("2 seconds")
      return yield* Fiber.join(asked)
    })
    yield* ask
    for (let second = 0; second < 80; second += 2) {
      census.imports++
      yield* ask
    }
    assert.strictEqual(census.counted, 2)
  }))
