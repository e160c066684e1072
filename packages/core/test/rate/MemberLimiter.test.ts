import { assert, describe, it } from "@effect/vitest"
import * as MemberLimiter from "@freehold/core/rate/MemberLimiter"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"

describe("MemberLimiter", () => {
  it.effect("lets a member ask so often in a minute, and others meanwhile", () =>
    Effect.gen(function*() {
      const { admit } = MemberLimiter.make()
      const isAdmitted = (member: string) => Effect.map(Effect.exit(admit(member)), Exit.isSuccess)
      for (let n = 0; n < MemberLimiter.requestsPerMinutePerMember; n++) yield* admit("ana")
      const refused = yield* Effect.flip(admit("ana"))
      assert.deepInclude(refused, { _tag: "rate_limited", retryAfterSeconds: 60 })
      assert.strictEqual(refused.limit.name, "requests_per_minute")
      assert.isTrue(yield* isAdmitted("ben"))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* isAdmitted("ana"))
    }))
})
