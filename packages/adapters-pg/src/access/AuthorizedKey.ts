/**
 * What the function `authorize` answers about a key, and how it is read.
 *
 * An organization's settings come with the answer only when they changed since this process last saw them; the revision
 * that it knows goes with the question.
 */
import type { KeyDailyLimits } from "@freehold/core/access/KeyDailyLimits"
import { type Authorization, type LiveCredential, OrganizationMoved } from "@freehold/core/access/KeyRing"
import type { Scope } from "@freehold/core/operation/Scope"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import type { MeasuredClient } from "../database/MeasuredClient.ts"
import * as CountedRequest from "./CountedRequest.ts"

/**
 * Every request asks for one, and what the function makes of our own tables has these types, so that it is not decoded by
 * a schema.
 */
export interface Row extends CountedRequest.Row {
  readonly key_id: string
  readonly key_org: string
  readonly key_name: string
  readonly key_label: string
  readonly key_scopes: ReadonlyArray<Scope>
  readonly key_daily_limits: KeyDailyLimits
  readonly key_created_at: Date
}

const credentialOf = (row: Row): LiveCredential => ({
  credentialId: row.key_id,
  orgId: row.key_org,
  name: row.key_name,
  label: row.key_label,
  scopes: row.key_scopes,
  dailyLimits: row.key_daily_limits,
  createdAt: row.key_created_at
})

/**
 * The call of the function, by the expressions of the key's hash, of which null is no key's, of the time, of the organization's known
 * revision, and of how many requests are counted.
 */
export const authorizing = (hash: string, now: string, revision: string, times = "1"): string =>
  `authorize(${hash}, ${now}::bigint, ${revision}::bigint, ${
    CountedRequest.allowances.map((allowance) => `${allowance}::bigint`).join(", ")
  }, ${times}::integer)`

export const make = (sql: MeasuredClient["Service"]) => {
  /** By key hash: whose the key is, is only known once it was looked up. */
  const organizations = new CountedRequest.KnownOrganizations()

  /** A key whose organization moved to another cell is not unknown. */
  const refuseMoved = Effect.fnUntraced(function*(secretHash: string) {
    const [moved] = yield* sql<{ readonly cell: string }>`
      SELECT cell FROM moved_key WHERE secret_hash = decode(${secretHash}::text, 'hex')`
    if (moved !== undefined) return yield* new OrganizationMoved({ cell: moved.cell })
  })

  const statement = sql.prepared<Row>(`SELECT * FROM ${authorizing("decode($1::text, 'hex')", "$2", "$3")}`)

  const revision = (secretHash: string): number | null => organizations.get(secretHash)?.revision ?? null

  const read = (
    row: Row | undefined,
    secretHash: string,
    now: number
  ): Effect.Effect<Option.Option<Authorization>, OrganizationMoved | SqlError.SqlError> => {
    if (row === undefined) {
      organizations.forget(secretHash)
      return Effect.as(refuseMoved(secretHash), Option.none())
    }
    // Whoever got the secret of an organization that was deleted may have the same revision.
    if (row.org_profile === null && organizations.get(secretHash)?.organization.org_id !== row.key_org) {
      return Effect.flatMap(statement([secretHash, now, null]), ([again]) => read(again, secretHash, now))
    }
    return Effect.mapEager(
      organizations.organizationOf(secretHash, row),
      (organization) =>
        Option.some({ credential: credentialOf(row), organization, ...CountedRequest.counters(row, now) })
    )
  }

  return {
    /** The organization's revision that is known, which goes with the question. */
    revision,

    /** Reads what it answered; undefined: there is no such key. */
    read,

    /** Asks by itself, as `KeyRing.authorize`. */
    authorize: (secretHash: string, now: number) =>
      statement([secretHash, now, revision(secretHash)]).pipe(
        Effect.flatMap(([row]) => read(row, secretHash, now)),
        Effect.catchTag("SqlError", unavailable)
      )
  }
}
