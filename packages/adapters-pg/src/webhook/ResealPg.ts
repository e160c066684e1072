/**
 * Seals with the present key what an earlier one sealed: signing secrets, the tokens of sources and the answers under
 * Idempotency-Keys.
 *
 * It walks through them a batch at a time, each a transaction of its own, and changes nothing that the present key opens. So it
 * may be ended at any moment, run by several at once, and begun anew. When nothing of the earlier key is left, the proof of the
 * key (`KeyProofPg`) is sealed with the present one: until then a start without the earlier key is refused. So it is while an
 * organization moves to another cell, whose secrets cannot be written.
 */
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Data, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"
import { answerContext } from "../operation/IdempotencyPg.ts"
import { tokenContext } from "../source/SourcesPg.ts"
import * as KeyProofPg from "./KeyProofPg.ts"
import { secretContext } from "./WebhookEndpointsPg.ts"

/** So many rows are held and locked at once. */
const batch = 100

interface EndpointRow {
  readonly org_id: string
  readonly id: string
  readonly secret_sealed: Uint8Array
  readonly previous_secret_sealed: Uint8Array | null
}

interface TokenRow {
  readonly name: string
  readonly token_sealed: Uint8Array
}

interface AnswerRow {
  readonly org_id: string
  readonly credential_id: string
  readonly key: string
  readonly answer_sealed: Uint8Array
}

/** What was found. */
interface Found {
  /** Sealed with an earlier key. */
  readonly earlier: number
  /** Opened by no key that is known. */
  readonly closed: number
}

/** Of an organization that moves: what a worker writes of it is passed by (cell/MoveFunctions). */
class PassedBy extends Data.TaggedError("PassedBy")<{}> {}

const refusePassedBy = (written: ReadonlyArray<unknown>) =>
  written.length > 0 ? Effect.void : Effect.fail(new PassedBy())

const noId = "00000000-0000-0000-0000-000000000000"

/** A sealed value under the present key: as it is, or sealed anew; null: no key opens it. */
const present = Effect.fnUntraced(function*(value: Uint8Array, context: string) {
  const sealer = yield* Sealer
  if (yield* sealer.isPresent(value, context)) return value
  const opened = yield* Effect.exit(sealer.open(value, context))
  return Exit.isSuccess(opened) ? yield* sealer.seal(opened.value, context) : null
})

/** Of what was and what it became. */
const foundIn = (pairs: ReadonlyArray<readonly [before: Uint8Array | null, after: Uint8Array | null]>): Found => ({
  earlier: pairs.filter(([before, after]) => after !== null && after !== before).length,
  closed: pairs.filter(([before, after]) => before !== null && after === null).length
})

/** Walks through rows in the order of their keys, each batch in a transaction. */
const walk = Effect.fnUntraced(function*<Row, E, R>(
  page: (after: Row | undefined) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  handle: (row: Row) => Effect.Effect<Found, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const total = { earlier: 0, closed: 0 }
  let after: Row | undefined
  while (true) {
    const rows: ReadonlyArray<Row> = yield* transaction(
      sql,
      Effect.gen(function*() {
        const rows = yield* page(after)
        for (const row of rows) {
          const { closed, earlier } = yield* handle(row)
          total.earlier += earlier
          total.closed += closed
        }
        return rows
      })
    )
    after = rows.at(-1)
    if (rows.length < batch) return total
  }
})

/** With `isWriting`: seals anew what it finds. */
const walkAll = Effect.fnUntraced(function*(isWriting: boolean) {
  const sql = yield* SqlClient.SqlClient
  const lock = sql.literal(isWriting ? "FOR NO KEY UPDATE" : "")
  const endpoints = yield* walk(
    (after: EndpointRow | undefined) =>
      sql<EndpointRow>`
        SELECT org_id, id, secret_sealed, previous_secret_sealed FROM webhook_endpoint
        WHERE (org_id, id) > (${after?.org_id ?? ""}, ${after?.id ?? noId}::uuid)
        ORDER BY org_id, id LIMIT ${batch} ${lock}`,
    Effect.fnUntraced(function*(row) {
      const context = secretContext(row.id)
      const secret = yield* present(row.secret_sealed, context)
      const previous = row.previous_secret_sealed === null
        ? null
        : yield* present(row.previous_secret_sealed, context)
      const found = foundIn([[row.secret_sealed, secret], [row.previous_secret_sealed, previous]])
      if (isWriting && found.earlier > 0) {
        const written = yield* sql`
          UPDATE webhook_endpoint SET secret_sealed = coalesce(${secret}, secret_sealed),
            previous_secret_sealed = coalesce(${previous}, previous_secret_sealed)
          WHERE org_id = ${row.org_id} AND id = ${row.id}::uuid RETURNING id`
        yield* refusePassedBy(written)
      }
      return found
    })
  )
  const tokens = yield* walk(
    (after: TokenRow | undefined) =>
      sql<TokenRow>`
        SELECT name, token_sealed FROM source WHERE token_sealed IS NOT NULL AND name > ${after?.name ?? ""}
        ORDER BY name LIMIT ${batch} ${lock}`,
    Effect.fnUntraced(function*(row) {
      const token = yield* present(row.token_sealed, tokenContext(row.name))
      const found = foundIn([[row.token_sealed, token]])
      if (isWriting && found.earlier > 0) {
        yield* sql`UPDATE source SET token_sealed = ${token} WHERE name = ${row.name}`
      }
      return found
    })
  )
  const answers = yield* walk(
    (after: AnswerRow | undefined) =>
      sql<AnswerRow>`
        SELECT org_id, credential_id, key, answer_sealed FROM idempotent_answer
        WHERE (org_id, credential_id, key) > (${after?.org_id ?? ""}, ${after?.credential_id ?? noId}::uuid, ${
        after?.key ?? ""
      })
        ORDER BY org_id, credential_id, key LIMIT ${batch} ${lock}`,
    Effect.fnUntraced(function*(row) {
      const answer = yield* present(row.answer_sealed, answerContext(row.credential_id, row.key))
      const found = foundIn([[row.answer_sealed, answer]])
      if (isWriting && found.earlier > 0) {
        const written = yield* sql`
          UPDATE idempotent_answer SET answer_sealed = ${answer}
          WHERE org_id = ${row.org_id} AND credential_id = ${row.credential_id}::uuid AND key = ${row.key} RETURNING key`
        yield* refusePassedBy(written)
      }
      return found
    })
  )
  const all = [endpoints, tokens, answers]
  return {
    earlier: all.reduce((sum, { earlier }) => sum + earlier, 0),
    closed: all.reduce((sum, { closed }) => sum + closed, 0)
  }
})

/** How much an earlier key sealed, and how much no key opens; changes nothing. */
export const standing = walkAll(false).pipe(
  // Nothing is written.
  Effect.catchTag("PassedBy", Effect.die)
)

/** Seals everything with the present key that an earlier one sealed; answers what that was. */
export const reseal = Effect.gen(function*() {
  const found = yield* walkAll(true)
  yield* KeyProofPg.renew
  return found
}).pipe(
  Effect.catchTag("SqlError", unavailable),
  Effect.catchTag("PassedBy", () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 5 })))
)
