/** The database's time in this process. */
import { assert, describe, it } from "@effect/vitest"
import { setClock } from "@freehold/core/testing/SetClock"
import { Clock, Duration, Effect, Layer } from "effect"
import * as Database from "../../src/database/Database.ts"
import * as DatabaseClock from "../../src/database/DatabaseClock.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** A machine whose clock is hours behind. */
const behind = (running: Clock.Clock): Clock.Clock =>
  setClock(running, () => running.currentTimeMillisUnsafe() - Duration.toMillis("3 hours"))

describe("DatabaseClock", () => {
  it.live("goes by the database's time, whatever the machine's clock says (R11)", () =>
    Effect.gen(function*() {
      const running = yield* Clock.Clock
      const begun = running.currentTimeMillisUnsafe()
      const [before, now, after] = yield* Effect.gen(function*() {
        const sql = yield* Database.Pipeline
        const told = Effect.map(
          sql<{ readonly now: number }>`SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now`,
          ([row]) => row?.now ?? 0
        )
        return [yield* told, yield* Clock.currentTimeMillis, yield* told] as const
      }).pipe(
        Effect.provide(DatabaseClock.layer.pipe(Layer.provideMerge(TestDatabase.layer))),
        Effect.provideService(Clock.Clock, behind(running))
      )
      // It goes by the answer to a question of this time, so that is how wrong it may be.
      const error = running.currentTimeMillisUnsafe() - begun + 1
      assert.isAtLeast(now, Math.floor(before - error))
      assert.isAtMost(now, after + error)
    }))

  it("keeps what is known better, forgets it with time, and follows a clock that was set", () => {
    const first = DatabaseClock.refined(null, 10_000, 0, 2)
    assert.deepStrictEqual(first, { offset: 9999, error: 1, at: 2 })
    // An answer that took a second tells less, as long as both can be true.
    assert.strictEqual(DatabaseClock.refined(first, 11_400, 1000, 2000), first)
    // An hour later the machine may have drifted further than that.
    assert.notStrictEqual(DatabaseClock.refined(first, 3_611_400, 3_600_000, 3_600_600), first)
    // Both cannot be true.
    assert.strictEqual(DatabaseClock.refined(first, 71_400, 1000, 2000).offset, 69_900)
  })
})
