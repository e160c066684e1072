/** `Idempotency` in memory. Answers that are too old go when the next one comes. */
import { Array, Effect, Layer, Number } from "effect"
import {
  Idempotency,
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyRoom,
  IdempotencyRoomExhausted,
  lifeMillis
} from "../../operation/Idempotency.ts"
import { MemoryState } from "../MemoryState.ts"
import type { StoredAnswer } from "./StoredAnswer.ts"

/** Of one UTF-16 unit in UTF-8; each half of a pair is half of four bytes. */
const bytesOfUnit = (unit: number): number =>
  unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3

/** What an answer takes: its bytes in UTF-8, or the least. */
const roomOf = (answer: string, least: number): number => {
  let bytes = 0
  for (let index = 0; index < answer.length; index++) bytes += bytesOfUnit(answer.charCodeAt(index))
  return Math.max(bytes, least)
}

const roomOfAll = (answers: ReadonlyArray<readonly [string, StoredAnswer]>): number =>
  Number.sumAll(Array.map(answers, ([, { room }]) => room))

/** `Idempotency` in memory. */
export const layer: Layer.Layer<Idempotency, never, MemoryState> = Layer.effect(
  Idempotency,
  Effect.gen(function*() {
    const { idempotentAnswers: kept } = yield* MemoryState
    const { least, most } = yield* IdempotencyRoom
    const underWay = new Set<string>()

    const sweep = (now: number): void => {
      for (const [place, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(place)
    }

    /** Of a credential, the oldest first. */
    const keptOf = (credentialId: string, mustReplay: boolean) =>
      [...kept].filter(([, each]) => each.credentialId === credentialId && each.mustReplay === mustReplay)

    const forgetOldest = (credentialId: string): void => {
      const answers = keptOf(credentialId, false)
      let room = roomOfAll(answers)
      for (const [place, answer] of answers) {
        room -= answer.room
        if (room >= most) kept.delete(place)
      }
    }

    return Idempotency.of({
      once: Effect.fn("Idempotency.once")(
        function*({ credentialId, fingerprint, key, mustReplay, now, operation }, effect) {
          const place = `${credentialId} ${key}`
          sweep(now)
          if (underWay.has(place)) return yield* new IdempotencyKeyInProgress({ retryAfterSeconds: 1 })
          const before = kept.get(place)
          if (before !== undefined) {
            return before.fingerprint === fingerprint
              ? { answer: before.answer, replayed: true }
              : yield* new IdempotencyKeyReused()
          }
          const [oldest, ...newer] = mustReplay ? keptOf(credentialId, true) : []
          if (oldest !== undefined && roomOfAll(newer) + least >= most) {
            const [, { expiresAt }] = oldest
            return yield* new IdempotencyRoomExhausted({ retryAfterSeconds: Math.ceil((expiresAt - now) / 1000) })
          }
          underWay.add(place)
          const answer = yield* Effect.ensuring(effect, Effect.sync(() => underWay.delete(place)))
          const room = roomOf(answer, least)
          kept.set(place, {
            operation,
            credentialId,
            fingerprint,
            answer,
            mustReplay,
            room,
            expiresAt: now + lifeMillis
          })
          forgetOldest(credentialId)
          return { answer, replayed: false }
        }
      )
    })
  })
)
