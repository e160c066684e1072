/** What every `AddressLimiter` must do. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { AddressLimiter, requestsPerMinutePerAddress } from "../rate/AddressLimiter.ts"
import { stoppedAt } from "./LedgerCommands.ts"

const start = Date.UTC(2026, 0, 2)

const at = <A, E, R>(now: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (running) => Effect.provideService(effect, Clock.Clock, stoppedAt(now, running)))

const admit = (address: string) => AddressLimiter.use((limiter) => limiter.admit(address))

/** Admits so many at once; answers how many were. */
const admitTimes = (address: string, times: number) =>
  Effect.map(
    Effect.forEach(Array.from({ length: times }), () => Effect.isSuccess(admit(address)), {
      concurrency: 60
    }),
    (admitted) => admitted.filter((each) => each).length
  )

const most = requestsPerMinutePerAddress

/** `limiter` makes an empty one for each test. */
export const addressLimiterContract = <E>(name: string, limiter: Layer.Layer<AddressLimiter, E>): void => {
  describe(`AddressLimiter: ${name}`, () => {
    it.live("refuses the 1,001st request of a minute and admits again in the next (R6)", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* at(start, admitTimes("192.0.2.1", most + 20)), most)
        const refused = yield* at(start + 20_000, Effect.flip(admit("192.0.2.1")))
        if (refused._tag !== "rate_limited") return assert.fail(refused._tag)
        assert.deepStrictEqual(refused.limit, {
          name: "requests_per_minute_ip",
          level: 1,
          value: 1000,
          used: 1000,
          resets_at: "2026-01-02T00:01:00.000Z"
        })
        assert.strictEqual(refused.retryAfterSeconds, 40)
        yield* at(start + 20_000, admit("192.0.2.2"))
        yield* at(start + 60_000, admit("192.0.2.1"))
      }).pipe(Effect.provide(limiter)))

    it.live("begins anew when the clock is set back (R10)", () =>
      Effect.gen(function*() {
        yield* at(start, admitTimes("192.0.2.1", most))
        yield* at(start, Effect.flip(admit("192.0.2.1")))
        const back = start - 3_600_000
        assert.strictEqual(yield* at(back, admitTimes("192.0.2.1", most)), most)
        assert.strictEqual((yield* at(back, Effect.flip(admit("192.0.2.1")))).retryAfterSeconds, 60)
      }).pipe(Effect.provide(limiter)))

    it.live("counts an IPv6 network of 64 bits as one address", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* at(start, admitTimes("2001:db8::1", 500)), 500)
        assert.strictEqual(yield* at(start, admitTimes("2001:db8:0:0:ffff::2", 500)), 500)
        yield* at(start, Effect.flip(admit("2001:db8::3")))
        yield* at(start, admit("2001:db8:0:1::1"))
      }).pipe(Effect.provide(limiter)))
  })
}
