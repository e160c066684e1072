/**
 * `Idempotency` over PostgreSQL: what the effect writes and its answer are one transaction, and the key is a
 * transaction-scoped try-lock, which a crash cannot leave behind. Answers hold personal data and secrets that are shown
 * once, so they are stored sealed.
 *
 * *Gotchas.* What the effect does outside the transaction (another service, a statement of `Pipeline`) is not undone with
 * it. Each answer that is kept removes a few that are too old, whosever they are.
 */
import {
  Idempotency,
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyRoom,
  IdempotencyRoomExhausted,
  lifeMillis
} from "@freehold/core/operation/Idempotency"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"

interface Opened {
  readonly in_progress: boolean
  readonly same: boolean | null
  readonly answer: Uint8Array | null
  /** There is no room until then. */
  readonly full_until: Date | null
}

/** What a sealed answer is bound to. */
export const answerContext = (credentialId: string, key: string): string => `idempotency ${credentialId} ${key}`

/** Removed with each answer that is kept. */
const sweptAtOnce = 20

export const layer: Layer.Layer<Idempotency, never, SqlClient.SqlClient | Sealer> = Layer.effect(
  Idempotency,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const sealer = yield* Sealer
    const { least, most } = yield* IdempotencyRoom

    const away = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
      Effect.catchIf(effect, SqlError.isSqlError, unavailable)

    return Idempotency.of({
      once: Effect.fn("Idempotency.once")(
        ({ credentialId, fingerprint, key, mustReplay, now, operation, orgId }, effect) => {
          const context = answerContext(credentialId, key)
          const at = new Date(now).toISOString()
          return away(transaction(
            sql,
            Effect.gen(function*() {
              const [opened] = yield* sql<Opened>`
              SELECT in_progress, same, answer, full_until FROM idempotency_open(
                ${orgId}, ${credentialId}::uuid, ${key}, ${fingerprint}, ${mustReplay}, ${least}, ${most},
                ${at}::timestamptz)`
              if (opened?.in_progress === true) return yield* new IdempotencyKeyInProgress({ retryAfterSeconds: 1 })
              if (opened?.same === false) return yield* new IdempotencyKeyReused()
              if (opened?.answer !== null && opened?.answer !== undefined) {
                return { answer: Redacted.value(yield* sealer.open(opened.answer, context)), replayed: true }
              }
              if (opened?.full_until !== null && opened?.full_until !== undefined) {
                const retryAfterSeconds = Math.ceil((opened.full_until.getTime() - now) / 1000)
                return yield* new IdempotencyRoomExhausted({ retryAfterSeconds })
              }
              const answer = yield* effect
              const sealed = yield* sealer.seal(Redacted.make(answer), context)
              yield* sql`
              DELETE FROM idempotent_answer WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM idempotent_answer
                WHERE expires_at <= ${at}::timestamptz AND (org_id, credential_id, key) <> (${orgId}, ${credentialId}::uuid, ${key})
                ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED
              ))`
              yield* sql`
              SELECT idempotency_keep(${orgId}, ${credentialId}::uuid, ${key}, ${operation}, ${fingerprint}, ${sealed},
                ${mustReplay}, ${Math.max(Buffer.byteLength(answer), least)}, ${most},
                ${at}::timestamptz + ${lifeMillis} * interval '1 millisecond')`
              return { answer, replayed: false }
            })
          ))
        }
      )
    })
  })
)
