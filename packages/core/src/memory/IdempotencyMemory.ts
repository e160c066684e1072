/** `Idempotency` in memory. Answers that are too old go when the next one comes. */
import { Effect, Layer } from "effect"
import { Idempotency, IdempotencyKeyInProgress, IdempotencyKeyReused, lifeMillis } from "../operation/Idempotency.ts"
import { MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<Idempotency, never, MemoryState> = Layer.effect(
  Idempotency,
  Effect.gen(function*() {
    const { idempotentAnswers: kept } = yield* MemoryState
    const underWay = new Set<string>()

    const sweep = (now: number): void => {
      for (const [place, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(place)
    }

    return Idempotency.of({
      once: Effect.fn("Idempotency.once")(function*({ credentialId, fingerprint, key, now, operation }, effect) {
        const place = `${credentialId} ${key}`
        sweep(now)
        if (underWay.has(place)) return yield* new IdempotencyKeyInProgress({ retryAfterSeconds: 1 })
        const before = kept.get(place)
        if (before !== undefined) {
          return before.fingerprint === fingerprint
            ? { answer: before.answer, replayed: true }
            : yield* new IdempotencyKeyReused()
        }
        underWay.add(place)
        const answer = yield* Effect.ensuring(effect, Effect.sync(() => underWay.delete(place)))
        kept.set(place, { operation, fingerprint, answer, expiresAt: now + lifeMillis })
        return { answer, replayed: false }
      })
    })
  })
)
