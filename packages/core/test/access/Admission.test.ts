/** Admission over a key ring that answers, hangs or fails: the order of its checks, and that it fails closed. */
import { assert, describe, it } from "@effect/vitest"
import { AccountStanding } from "@freehold/core/access/AccountStanding"
import { Admission, permit } from "@freehold/core/access/Admission"
import { type Authorization, KeyRing } from "@freehold/core/access/KeyRing"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/rate/AddressLimiter"
import { Cause, Deferred, Effect, Exit, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { TestClock } from "effect/testing"

const secret = Redacted.make(`fhk_${"k".repeat(43)}`)
const request = {
  address: "192.0.2.1",
  authorization: `Bearer ${Redacted.value(secret)}`,
  requestId: "request"
}

const authorized = (
  organization: Partial<Organization> = {},
  counted: Partial<Pick<Authorization, "day">> & { readonly minuteAdmitted?: boolean } = {}
): Authorization => ({
  credential: {
    credentialId: "key",
    orgId: "org",
    name: "sample",
    label: "sample fhk_kkkkkkkk",
    scopes: [],
    dailyLimits: {},
    createdAt: new Date(0)
  },
  organization: { ...defaults("org"), ...organization },
  minute: { admitted: counted.minuteAdmitted ?? true, limit: 1, used: 1, resetsAt: 60_000 },
  day: counted.day ?? null
})

/** Admission, and a key ring that does what `ring.authorize` says at the moment. */
const arrange = Effect.gen(function*() {
  const ring: { authorize: KeyRing["Service"]["authorize"]; asked: number } = {
    authorize: () => Effect.succeed(Option.some(authorized())),
    asked: 0
  }
  const keys = Layer.mock(KeyRing, {
    authorize: (hash, now) =>
      Effect.suspend(() => {
        ring.asked += 1
        return ring.authorize(hash, now)
      })
  })
  const context = yield* Layer.build(
    Admission.layer.pipe(Layer.provide([keys, AddressLimiter.layer, Digest.layerWebCrypto]))
  )
  const admit = (given: Partial<typeof request> = {}) =>
    Effect.provide(Admission.use((admission) => admission.admit({ ...request, ...given })), context)
  const admitTogether = (...given: Parameters<Admission["Service"]["admitTogether"]>) =>
    Effect.provide(Admission.use((admission) => admission.admitTogether(...given)), context)
  return { admit, admitTogether, ring }
})

const tagOf = (effect: ReturnType<Effect.Success<typeof arrange>["admit"]>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("Admission", () => {
  it.effect("refuses in one order: address, key, minute, day, organization", () =>
    Effect.gen(function*() {
      const { admit, ring } = yield* arrange
      const full = { admitted: false, limit: 1, used: 1, resetsAt: 86_400_000 }
      const answer = (...facts: Parameters<typeof authorized>) => {
        ring.authorize = () => Effect.succeed(Option.some(authorized(...facts)))
      }
      answer({ status: "closed" }, { minuteAdmitted: false, day: full })
      assert.strictEqual(yield* tagOf(admit()), "rate_limited")
      answer({ status: "closed" }, { day: full })
      assert.strictEqual(yield* tagOf(admit()), "DAILY_REQUEST_LIMIT_EXCEEDED")
      answer({ status: "closed" })
      assert.strictEqual(yield* tagOf(admit()), "ACCOUNT_CLOSED")
      answer({ status: "suspended" })
      assert.strictEqual(yield* tagOf(admit()), "ORG_SUSPENDED")
      ring.authorize = () => Effect.succeedNone
      assert.strictEqual(yield* tagOf(admit()), "UNAUTHENTICATED")
    }))

  it.effect("says of each of several requests what it comes to, in their order", () =>
    Effect.gen(function*() {
      const { admitTogether, ring } = yield* arrange
      let left = 2
      ring.authorize = () => Effect.sync(() => Option.some(authorized({}, { minuteAdmitted: left-- > 0 })))
      const arrivals = ["a", "b", "c"].map((requestId) => ({ address: "192.0.2.1", requestId }))
      const outcomes = yield* admitTogether(request, arrivals)
      assert.deepStrictEqual(
        outcomes.map(Exit.match({
          onFailure: (cause) => Option.map(Cause.findErrorOption(cause), ({ _tag }) => _tag),
          onSuccess: ({ caller }) => Option.some(caller.requestId)
        })),
        [Option.some("a"), Option.some("b"), Option.some("rate_limited")]
      )
      const nobody = yield* admitTogether({ authorization: "Bearer nothing" }, arrivals)
      assert.isTrue(nobody.every(Exit.isFailure))
    }))

  it.effect("asks elsewhere about the accounts of several requests at once", () =>
    Effect.gen(function*() {
      const asked = yield* Latch.make()
      let open = 0
      const standing = Option.some({
        isClosed: () =>
          Effect.suspend(() => {
            open++
            return Effect.as(open === 3 ? asked.open : asked.await, false)
          }),
        isSuspended: () => Effect.succeed(false)
      })
      const { admitTogether } = yield* Effect.provideService(arrange, AccountStanding, standing)
      const arrivals = ["a", "b", "c"].map((requestId) => ({ address: "192.0.2.1", requestId }))
      assert.isTrue((yield* admitTogether(request, arrivals)).every(Exit.isSuccess))
    }))

  it.effect("counts an address before it looks at a key, well-formed or not (R6)", () =>
    Effect.gen(function*() {
      const { admit, ring } = yield* arrange
      for (let each = 0; each < requestsPerMinutePerAddress; each++) {
        assert.strictEqual(yield* tagOf(admit({ authorization: "Bearer nothing" })), "UNAUTHENTICATED")
      }
      assert.strictEqual(yield* tagOf(admit({ authorization: "Bearer nothing" })), "rate_limited")
      assert.strictEqual(yield* tagOf(admit()), "rate_limited")
      assert.strictEqual(ring.asked, 0)
      yield* admit({ address: "192.0.2.2" })
    }))

  it.effect("lets nobody in while requests cannot be counted, and everybody again right after (R8)", () =>
    Effect.gen(function*() {
      const { admit, ring } = yield* arrange
      const { authorize } = ring
      ring.authorize = () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 7 }))
      assert.deepInclude(yield* Effect.flip(admit()), { _tag: "rate_limit_unavailable", retryAfterSeconds: 1 })
      ring.authorize = authorize
      yield* admit()

      const asked = yield* Deferred.make<void>()
      ring.authorize = () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      const hanging = yield* Effect.forkChild(tagOf(admit()))
      // The key is hashed outside of the test's clock.
      yield* Deferred.await(asked)
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(hanging.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(hanging), "rate_limit_unavailable")
      ring.authorize = authorize
      yield* admit()
    }))
})

describe("permission", () => {
  const asked = { scope: "lists:read", plan: "team", feature: "apiAccess", gate: "lists", person: "allowed" } as const
  const refusal = (given: { readonly scopes?: ReadonlyArray<"lists:read">; readonly lists?: boolean }) => {
    const organization = defaults("org")
    return Effect.flip(permit({
      kind: "key",
      territory: null,
      credentialId: "key",
      label: "sample fhk_kkkkkkkk",
      keyName: "sample",
      requestId: "request",
      scopes: given.scopes ?? ["lists:read"],
      organization: { ...organization, features: { ...organization.features, lists: given.lists ?? false } }
    }, asked))
  }

  it.effect("asks for the scope, then for the part of the service that the plan must have", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* refusal({}), { _tag: "FEATURE_GATED", feature: "lists" })
      assert.strictEqual((yield* refusal({ scopes: [] }))._tag, "SCOPE_NOT_GRANTED")
      yield* Effect.flip(refusal({ lists: true }))
    }))
})
