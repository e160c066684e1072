/** How many requests of one client are admitted at once, and which of them together. */
import { assert, describe, it } from "@effect/vitest"
import { Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { Admission, type AdmissionRefusal, type Admitted, type Arrival } from "@freehold/core/access/Admission"
import { Array, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as AdmissionPlaces from "../src/AdmissionPlaces.ts"
import * as KnownCallers from "../src/KnownCallers.ts"

const keyOf = (letter: string) => `Bearer fhk_${letter.repeat(43)}`

const refused: Exit.Exit<Admitted, AdmissionRefusal> = Exit.fail(new Unauthenticated())

/** Places over an admission that notes what it is asked for, and refuses all of it once it may answer. */
const arrange = Effect.sync(() => {
  const asked: Array<ReadonlyArray<string>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  let interrupted = 0
  const admitTogether = (_: unknown, arrivals: ReadonlyArray<Arrival>) =>
    Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void>()
      asked.push(arrivals.map(({ requestId }) => requestId))
      gates.push(gate)
      return Effect.as(Deferred.await(gate), arrivals.map(() => refused))
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => void interrupted++)))
  const places = AdmissionPlaces.make(Admission.of({
    admit: (request) => Effect.flatMap(admitTogether(request, [request]), ([outcome]) => outcome ?? Effect.die("none")),
    admitTogether
  }))
  const admit = (
    requestId: string,
    authorization: string | undefined,
    address = "192.0.2.1",
    orgId: string | null = null
  ) =>
    Effect.flatMap(Clock.clockWith(Effect.succeed), (clock) =>
      places.admit({
        arrival: { address, requestId },
        claim: KnownCallers.claimOf({ authorization }),
        orgId
      }, clock))
  const fork = (...given: Parameters<typeof admit>) =>
    Effect.forkChild(Effect.result(admit(...given)), { startImmediately: true })
  const answer = (at: number) =>
    Effect.suspend(() => Deferred.succeed(gates[at] ?? Deferred.makeUnsafe<void>(), undefined))
  return { admit, answer, asked, fork, interrupted: () => interrupted }
})

const numbers = (count: number) => Array.makeBy(count, String)

describe("AdmissionPlaces", () => {
  it.effect("let few of one address in at once, and others at any time; nobody waits longer than a request may", () =>
    Effect.gen(function*() {
      const { asked, fork } = yield* arrange
      const fibers = yield* Effect.forEach(numbers(50), (each) => fork(each, undefined))
      assert.isAtMost(asked.length, 4)
      const before = asked.length
      yield* fork("elsewhere", undefined, "192.0.2.2")
      assert.strictEqual(asked.length, before + 1)

      yield* TestClock.adjust("6 seconds")
      const results = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        Array.dedupe(results.map((result) => result._tag === "Failure" ? result.failure._tag : "admitted")),
        ["rate_limit_unavailable"]
      )
    }))

  it.effect("let in who is known, however many addresses ask that are not", () =>
    Effect.gen(function*() {
      const { asked, fork } = yield* arrange
      yield* Effect.forEach(numbers(100), (each) => fork(each, undefined, `198.51.100.${each}`))
      const before = asked.length
      assert.isAtMost(before, 4)
      yield* fork("known", keyOf("e"), "192.0.2.3", "org_known")
      assert.deepStrictEqual(asked.slice(before), [["known"]])
    }))

  it.effect("admit together what a key asks while a request of it is being admitted", () =>
    Effect.gen(function*() {
      const { answer, asked, fork } = yield* arrange
      const first = yield* fork("first", keyOf("a"))
      const fibers = yield* Effect.forEach(numbers(20), (each) => fork(each, keyOf("a")))
      assert.deepStrictEqual(asked, [["first"]])
      yield* fork("another", keyOf("b"), "192.0.2.2")
      assert.deepStrictEqual(asked.slice(1), [["another"]])

      yield* answer(0)
      const result = yield* Fiber.join(first)
      assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "admitted", "UNAUTHENTICATED")
      assert.deepStrictEqual(asked.slice(2), [numbers(16)])
      yield* answer(2)
      assert.deepStrictEqual(asked.slice(3), [numbers(20).slice(16)])
      yield* answer(3)
      yield* Effect.forEach(fibers, Fiber.join)
      yield* fork("later", keyOf("a"))
      assert.deepStrictEqual(asked.slice(4), [["later"]])
    }))

  it.effect("do not admit what was given up while it waited, and end what nobody waits for", () =>
    Effect.gen(function*() {
      const { answer, asked, fork, interrupted } = yield* arrange
      const first = yield* fork("first", keyOf("c"))
      const [one, two] = yield* Effect.all([fork("one", keyOf("c")), fork("two", keyOf("c"))])
      yield* Fiber.interrupt(one)
      assert.strictEqual(interrupted(), 0)
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      assert.strictEqual(interrupted(), 1)
      assert.deepStrictEqual(asked, [["first"], ["two"]])
      yield* answer(1)
      yield* Fiber.join(two)
    }))

  it.effect("let no request of a key wait longer than it may", () =>
    Effect.gen(function*() {
      const { asked, fork, interrupted } = yield* arrange
      const fibers = yield* Effect.forEach(numbers(3), (each) => fork(each, keyOf("d")))
      yield* TestClock.adjust("6 seconds")
      const results = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        Array.dedupe(results.map((result) => result._tag === "Failure" ? result.failure._tag : "admitted")),
        ["rate_limit_unavailable"]
      )
      assert.deepStrictEqual(asked[0], ["0"])
      assert.strictEqual(interrupted(), asked.length)
    }))
})
