import { assert, describe, it } from "@effect/vitest"
import { addressKey, AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/limit/AddressLimiter"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const admitTimes = Effect.fnUntraced(function*(address: string, times: number) {
  const limiter = yield* AddressLimiter
  for (let index = 0; index < times; index++) yield* limiter.admit(address)
})

describe("AddressLimiter", () => {
  it.effect("refuses the 1,001st request of a minute and admits again in the next", () =>
    Effect.gen(function*() {
      const limiter = yield* AddressLimiter
      yield* admitTimes("192.0.2.1", requestsPerMinutePerAddress)
      const refused = yield* Effect.flip(limiter.admit("192.0.2.1"))
      assert.strictEqual(refused._tag, "rate_limited")
      assert.strictEqual(refused.limit.name, "requests_per_minute_ip")
      assert.strictEqual(refused.limit.value, 1000)
      assert.strictEqual(refused.retryAfterSeconds, 60)
      yield* limiter.admit("192.0.2.2")
      yield* TestClock.adjust("60 seconds")
      yield* limiter.admit("192.0.2.1")
    }).pipe(Effect.provide(AddressLimiter.layer)))

  it.effect("begins anew when the clock is set back", () =>
    Effect.gen(function*() {
      const limiter = yield* AddressLimiter
      yield* TestClock.adjust("3 hours")
      yield* admitTimes("192.0.2.1", requestsPerMinutePerAddress)
      yield* TestClock.setTime(3_600_000)
      yield* admitTimes("192.0.2.1", requestsPerMinutePerAddress)
      assert.strictEqual((yield* Effect.flip(limiter.admit("192.0.2.1"))).retryAfterSeconds, 60)
    }).pipe(Effect.provide(AddressLimiter.layer)))

  it.effect("counts an IPv6 network of 64 bits as one address", () =>
    Effect.gen(function*() {
      const limiter = yield* AddressLimiter
      yield* admitTimes("2001:db8::1", 500)
      yield* admitTimes("2001:db8:0:0:ffff::2", 500)
      yield* Effect.flip(limiter.admit("2001:db8::3"))
      yield* limiter.admit("2001:db8:0:1::1")
    }).pipe(Effect.provide(AddressLimiter.layer)))

  it("names one address in one way", () => {
    assert.strictEqual(addressKey("::ffff:192.0.2.7"), "192.0.2.7")
    assert.strictEqual(addressKey("2001:0DB8::1"), addressKey("2001:db8:0:0:1:2:3:4"))
    assert.strictEqual(addressKey("::1"), "0:0:0:0::/64")
    assert.strictEqual(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64")
  })
})
