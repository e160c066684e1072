/** How long requests took. */
import { assert, it } from "@effect/vitest"
import { setClock } from "@freehold/core/testing/SetClock"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as RequestMetrics from "../src/RequestMetrics.ts"

it.effect("a request took as long as it did, whatever the time was set to meanwhile", () =>
  Effect.gen(function*() {
    let now = Date.UTC(2026, 0, 2)
    const clock = setClock(yield* Clock.Clock, () => now)
    const measure = RequestMetrics.begin("GET", Context.make(Clock.Clock, clock))
    yield* TestClock.adjust("20 millis")
    now -= 3_600_000
    measure.end(200, "/v1/sample")
    assert.strictEqual(measure.millis(), 20)
  }))
