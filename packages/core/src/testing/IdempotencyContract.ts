/** What every `Idempotency` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Layer, Ref, Result } from "effect"
import { KeyRing } from "../access/KeyRing.ts"
import { defaults } from "../access/Organization.ts"
import { Idempotency, lifeMillis } from "../operation/Idempotency.ts"
import { type Seeder, startOver } from "./Seed.ts"

const first = "00000000-0000-4000-8000-000000000001"
const second = "00000000-0000-4000-8000-000000000002"

/** 2026-01-01, in milliseconds. */
const now = 1_767_225_600_000

/** `layer` is a store of its own. Each test has a key of its own. */
export const idempotencyContract = <E>(name: string, layer: Layer.Layer<Idempotency | KeyRing | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Idempotency: ${name}`, (it) => {
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
          once({ credentialId: first, key, operation: "service_sample", fingerprint: "ff", now, ...more }, effect)
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
  })
}
