/**
 * Whether the operator's key is the one that this database's secrets were sealed with.
 *
 * The first start with a key seals a value and keeps it; every later one opens it. A database of a time before that has
 * its signing secrets to go by. Without this a wrong key would be noticed by the first delivery that cannot be signed, and
 * secrets sealed with two keys would lie side by side. While a key takes the place of another (`ResealPg`), both open it.
 */
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Effect, Exit, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../database/Transaction.ts"
import { tokenContext } from "../source/SourcesPg.ts"
import { stands } from "./StandingEndpoints.ts"
import { secretContext } from "./WebhookEndpointsPg.ts"

/** The stored secrets were sealed with another key than the present one. */
export class KeyIsAnother extends Schema.TaggedError<KeyIsAnother>()("KeyIsAnother", {}) {
  override get message() {
    return "it is not the key that this database was first used with: the stored secrets do not open with it"
  }
}

const context = "key proof"

const opens = (sealed: Uint8Array, of: string) =>
  Effect.map(Effect.exit(Sealer.use((sealer) => sealer.open(sealed, of))), Exit.isSuccess)

interface SealedSecret {
  readonly id: string
  readonly secret_sealed: Uint8Array
}

/** So many signing secrets tell whether the key is the right one. */
const sample = 20

/** Of endpoints that are in use, or may be again, the newest first. `most`: so many; null: all. */
const secrets = (most: number | null) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<SealedSecret>`
      SELECT id, secret_sealed FROM webhook_endpoint WHERE ${sql.literal(stands)}
      ORDER BY created_at DESC, id LIMIT ${most}::int`)

/** Those that do not open with the present key. */
export const unopened = (secrets: ReadonlyArray<SealedSecret>) =>
  Effect.filter(
    secrets,
    ({ id, secret_sealed }) => Effect.map(opens(secret_sealed, secretContext(id)), (opened) => !opened)
  )

export const newestSecrets = secrets(sample)

const proof = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly sealed: Uint8Array }>`SELECT sealed FROM key_proof`
)

/** Whether anything is stored that was sealed. */
export const isNeeded = Effect.gen(function*() {
  return (yield* proof).length > 0 || (yield* newestSecrets).length > 0
})

/** Reads only. `unknown`: nothing is stored that was sealed. */
export const standing = Effect.gen(function*() {
  const [kept] = yield* proof
  if (kept !== undefined) return (yield* opens(kept.sealed, context)) ? "right" : "another"
  const newest = yield* newestSecrets
  if (newest.length === 0) return "unknown"
  // One that does not open may have been damaged; none that opens is a key that nothing was sealed with.
  return (yield* unopened(newest)).length === newest.length ? "another" : "right"
})

const keep = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealed = yield* Sealer.use((sealer) => sealer.seal(Redacted.make("right"), context))
  yield* sql`INSERT INTO key_proof (sealed) VALUES (${sealed}) ON CONFLICT DO NOTHING`
})

/** Seals the proof with the present key, when everything else is. */
export const renew = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealer = yield* Sealer
  const [kept] = yield* proof
  if (kept === undefined || (yield* sealer.isPresent(kept.sealed, context))) return
  const sealed = yield* sealer.seal(Redacted.make("right"), context)
  yield* sql`UPDATE key_proof SET sealed = ${sealed} WHERE sealed = ${kept.sealed}`
})

/** Fails if the key is another one; remembers the first one. */
export const prove = Effect.gen(function*() {
  if ((yield* proof).length === 0) {
    if ((yield* standing) === "another") return yield* new KeyIsAnother()
    yield* keep
  }
  // Of two first starts with different keys, one finds the other's.
  if ((yield* standing) === "another") return yield* new KeyIsAnother()
})

/** What was lost with a key. */
export interface Lost {
  /** The ids of endpoints for which nothing can be signed any more. */
  readonly endpoints: ReadonlyArray<string>
  /** The names of sources whose portal wants a token. */
  readonly tokens: ReadonlyArray<string>
}

/**
 * For whoever lost the key: the present one takes its place. Endpoints whose secret does not open with it are deleted, and so
 * are the tokens of sources.
 */
export const replace = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* transaction(
    sql,
    Effect.gen(function*() {
      // Nobody holds a row of it while waiting for this.
      yield* sql`LOCK TABLE webhook_endpoint IN EXCLUSIVE MODE`
      const lost = yield* unopened(yield* secrets(null))
      const ids = lost.map(({ id }) => id)
      yield* sql`
      UPDATE webhook_endpoint SET active = false, disabled_reason = 'deleted' WHERE id = ANY(${ids}::uuid[])`
      const tokens = yield* sql<{ readonly name: string; readonly token_sealed: Uint8Array }>`
        SELECT name, token_sealed FROM source WHERE token_sealed IS NOT NULL ORDER BY name FOR UPDATE`
      const unread = yield* Effect.filter(
        tokens,
        ({ name, token_sealed }) => Effect.map(opens(token_sealed, tokenContext(name)), (opened) => !opened)
      )
      const names = unread.map(({ name }) => name)
      // Not even of no row in a cell, which has none of them and writes none.
      if (names.length > 0) yield* sql`UPDATE source SET token_sealed = NULL WHERE name = ANY(${names}::text[])`
      yield* sql`DELETE FROM key_proof`
      yield* keep
      const lostAll: Lost = { endpoints: ids, tokens: names }
      return lostAll
    })
  )
})
