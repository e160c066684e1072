/** What is recorded apart from the rest, and when. */
import { assert, describe, it } from "@effect/vitest"
import type { AttemptRecord } from "@freehold/core/webhook/Deliveries"
import { type Cause, Effect, Queue, Schedule } from "effect"
import { TestClock } from "effect/testing"
import * as Recorder from "../src/Recorder.ts"

const outcomeOf = (orgId: string): AttemptRecord => ({
  orgId,
  deliveryId: "delivery",
  endpointId: "endpoint",
  claim: 1,
  attempt: 1,
  outcome: { _tag: "Delivered", status: 200 },
  durationMillis: 1
})

describe("Recorder", () => {
  it.effect("records an organization that was held up as fast as others again, even where there is always more", () =>
    Effect.gen(function*() {
      const outcomes = yield* Queue.unbounded<AttemptRecord, Cause.Done>()
      let isHeld = true
      let recorded = 0
      yield* Effect.forkScoped(Recorder.run({
        outcomes,
        complete: (records) => Effect.succeed(isHeld ? records : []),
        recorded: (count) => {
          recorded += count
        }
      }))
      const offer = Queue.offer(outcomes, outcomeOf("org_a"))
      yield* Effect.forkScoped(Effect.repeat(offer, Schedule.spaced("10 millis")))
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(recorded, 0)
      isHeld = false
      yield* TestClock.adjust("4 seconds")
      assert.isAbove(recorded, 780)
    }))
})
