/** What every `Idempotency` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref, Result } from "effect"
import { KeyRing } from "../access/KeyRing.ts"
import { Idempotency, IdempotencyRoom, lifeMillis } from "../operation/Idempotency.ts"
import { defaults } from "../organization/Organization.ts"
import { type Seeder, startOver } from "./Seed.ts"

const first = "00000000-0000-4000-8000-000000000001"
const second = "00000000-0000-4000-8000-000000000002"

/** 2026-01-01, in milliseconds. */
const now = 1_767_225_600_000

/** Room for ten answers. */
const room = { most: 1000, least: 100 }

/** `layer` is a store of its own. Each test has a key of its own. */
export const idempotencyContract = <E>(name: string, layer: Layer.Layer<Idempotency | KeyRing | Seeder, E>): void => {
  const small = Layer.provide(layer, Layer.succeed(IdempotencyRoom, room))
  withLayer(small, { excludeTestServices: true })(`Idempotency: ${name}`, (it) => {
    const credentials = Effect.gen(function*() {
      const keyRing = yield* KeyRing
      yield* startOver({ organizations: [defaults("sample-org")] })
      for (const [index, credentialId] of [first, second].entries()) {
        yield* keyRing.create({
          credentialId,
          orgId: "sample-org",
          name: "Sample",
          label: "Sample",
          secretHash: String(index).repeat(64),
          scopes: [],
          dailyLimits: {}
        })
      }
    })

    /** Something that counts how often it was done. */
    const counted = Effect.fnUntraced(function*(key: string) {
      yield* credentials
      const { once } = yield* Idempotency
      const runs = yield* Ref.make(0)
      const run = Effect.map(Ref.updateAndGet(runs, (count) => count + 1), (count) => `answer ${count}`)
      const ask = (more: Partial<Parameters<typeof once>[0]> = {}, effect: Effect.Effect<string, string> = run) =>
        Effect.result(
          once(
            {
              orgId: "sample-org",
              credentialId: first,
              key,
              operation: "service_sample",
              fingerprint: "ff",
              mustReplay: false,
              now,
              ...more
            },
            effect
          )
        )
      return { ask, run, runs }
    })

    const tagOf = (result: Result.Result<unknown, string | { readonly _tag: string }>) =>
      Result.isFailure(result) ? typeof result.failure === "string" ? result.failure : result.failure._tag : null

    it.effect("does a thing once for a key, and answers the same for 24 hours", () =>
      Effect.gen(function*() {
        const { ask, runs } = yield* counted("a")
        const answer = { answer: "answer 1", replayed: false }
        assert.deepStrictEqual(yield* ask(), Result.succeed(answer))
        assert.deepStrictEqual(yield* ask(), Result.succeed({ ...answer, replayed: true }))
        assert.deepStrictEqual(yield* ask({ now: now + lifeMillis - 1 }), Result.succeed({ ...answer, replayed: true }))
        assert.strictEqual(yield* Ref.get(runs), 1)
        assert.deepStrictEqual(
          yield* ask({ now: now + lifeMillis, fingerprint: "ee" }),
          Result.succeed({ answer: "answer 2", replayed: false })
        )
      }))

    it.effect("refuses another request under the key, but not that of another credential", () =>
      Effect.gen(function*() {
        const { ask, runs } = yield* counted("b")
        yield* ask()
        assert.strictEqual(tagOf(yield* ask({ fingerprint: "ee" })), "IDEMPOTENCY_KEY_REUSED")
        assert.isTrue(Result.isSuccess(yield* ask({ key: "B" })))
        assert.isTrue(Result.isSuccess(yield* ask({ credentialId: second, fingerprint: "ee" })))
        assert.strictEqual(yield* Ref.get(runs), 3)
      }))

    it.effect("keeps no failure and nothing that was interrupted", () =>
      Effect.gen(function*() {
        const { ask } = yield* counted("c")
        assert.strictEqual(tagOf(yield* ask({}, Effect.fail("refused"))), "refused")
        const started = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          ask({}, Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
        )
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(
          yield* ask({ fingerprint: "ee" }),
          Result.succeed({ answer: "answer 1", replayed: false })
        )
      }))

    it.effect("refuses at once whoever comes while the first runs, and does it once", () =>
      Effect.gen(function*() {
        const { ask, run, runs } = yield* counted("d")
        const started = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const slow = Effect.andThen(Deferred.succeed(started, undefined), Effect.andThen(Deferred.await(go), run))
        const fiber = yield* Effect.forkChild(ask({}, slow))
        yield* Deferred.await(started)
        const others = yield* Effect.all([ask(), ask(), ask({ fingerprint: "ee" })], { concurrency: 3 })
        assert.deepStrictEqual(others.map(tagOf), Array.from({ length: 3 }, () => "IDEMPOTENCY_KEY_IN_PROGRESS"))
        yield* Deferred.succeed(go, undefined)
        assert.deepStrictEqual(yield* Fiber.join(fiber), Result.succeed({ answer: "answer 1", replayed: false }))
        assert.deepStrictEqual(yield* ask(), Result.succeed({ answer: "answer 1", replayed: true }))
        assert.strictEqual(yield* Ref.get(runs), 1)
      }))

    it.effect("does it once, however many come at the same moment", () =>
      Effect.gen(function*() {
        const { ask, runs } = yield* counted("e")
        const answers = yield* Effect.forEach(Array.from({ length: 12 }), () => ask(), { concurrency: "unbounded" })
        assert.strictEqual(yield* Ref.get(runs), 1)
        for (const answer of answers) {
          if (Result.isFailure(answer)) assert.strictEqual(tagOf(answer), "IDEMPOTENCY_KEY_IN_PROGRESS")
          else assert.strictEqual(answer.success.answer, "answer 1")
        }
        assert.isTrue(answers.some(Result.isSuccess))
      }))

    it.effect("forgets the oldest answers of a credential, and no others, when the newer ones fill its room", () =>
      Effect.gen(function*() {
        const { ask, runs } = yield* counted("f")
        const replayed = (key: string, more: Parameters<typeof ask>[0] = {}) =>
          Effect.map(ask({ key, ...more }), Result.map((answer) => answer.replayed))
        yield* ask({ key: "f-held", mustReplay: true })
        yield* ask({ key: "f-other", credentialId: second })
        const keys = Array.from({ length: 11 }, (_, index) => `f-${index}`)
        yield* Effect.forEach(keys, (key) => ask({ key }))
        assert.strictEqual(yield* Ref.get(runs), 13)
        for (const key of keys.slice(1)) assert.deepStrictEqual(yield* replayed(key), Result.succeed(true), key)
        assert.deepStrictEqual(yield* replayed("f-held", { mustReplay: true }), Result.succeed(true))
        assert.deepStrictEqual(yield* replayed("f-other", { credentialId: second }), Result.succeed(true))
        assert.deepStrictEqual(yield* replayed("f-0"), Result.succeed(false))
      }))

    it.effect("takes a large answer for as many small ones as it is long, in bytes", () =>
      Effect.gen(function*() {
        const { ask } = yield* counted("g")
        for (const key of ["g-0", "g-1", "g-2"]) yield* ask({ key })
        // 300 characters, 900 bytes: with the newest of the others there is no more room.
        yield* ask({ key: "g-large" }, Effect.succeed("\u20ac".repeat(300)))
        assert.isTrue(Result.isSuccess(yield* ask({ key: "g-2" }, Effect.fail("done again"))))
        assert.deepStrictEqual(yield* ask({ key: "g-1" }, Effect.fail("done again")), Result.fail("done again"))
        assert.isTrue(Result.isSuccess(yield* ask({ key: "g-large" }, Effect.fail("done again"))))
      }))

    it.effect("forgets no answer that must be replayed: without room nothing more is done until the oldest is too old", () =>
      Effect.gen(function*() {
        const { ask, runs } = yield* counted("h")
        const held = (key: string, at = now) => ask({ key, mustReplay: true, now: at })
        const keys = Array.from({ length: 10 }, (_, index) => `h-${index}`)
        yield* Effect.forEach(keys, (key, index) => held(key, now + index * 1000))
        const refused = yield* held("h-10", now + 10_000)
        assert.strictEqual(tagOf(refused), "IDEMPOTENCY_ROOM_EXHAUSTED")
        assert.deepInclude(Result.getOrThrow(Result.flip(refused)), { retryAfterSeconds: lifeMillis / 1000 - 10 })
        assert.strictEqual(yield* Ref.get(runs), 10)
        for (const key of keys) assert.isTrue(Result.isSuccess(yield* held(key, now + 10_000)), key)
        assert.isTrue(Result.isSuccess(yield* ask({ key: "h-free", now: now + 10_000 })))
        assert.strictEqual(yield* Ref.get(runs), 11)
        assert.isTrue(Result.isSuccess(yield* held("h-10", now + lifeMillis)))
        assert.strictEqual(yield* Ref.get(runs), 12)
      }))
  })
}
