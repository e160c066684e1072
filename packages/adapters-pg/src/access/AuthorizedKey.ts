/**
 * What the function `authorize` answers about a key, and how it is read.
 *
 * An organization's settings come with the answer only when they changed since this process last saw them; the revision
 * that it knows goes with the question.
 */
import type { PgClient } from "@effect/sql-pg"
import type { KeyDailyLimits } from "@freehold/core/access/KeyDailyLimits"
import { type Authorization, type LiveCredential, OrganizationMoved } from "@freehold/core/access/KeyRing"
import type { Scope } from "@freehold/core/operation/Scope"
import { Effect, Option } from "effect"
import type { SqlError, Statement } from "effect/sql"
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

const [teamMinute, enterpriseMinute, teamDay, enterpriseDay] = CountedRequest.allowances

export const make = (sql: PgClient.PgClient) => {
  /** By key hash: whose the key is, is only known once it was looked up. */
  const organizations = new CountedRequest.KnownOrganizations()

  /** A key whose organization moved to another cell is not unknown. */
  const refuseMoved = Effect.fnUntraced(function*(secretHash: string) {
    const [moved] = yield* sql<{ readonly cell: string }>`
      SELECT cell FROM moved_key WHERE secret_hash = decode(${secretHash}::text, 'hex')`
    if (moved !== undefined) return yield* new OrganizationMoved({ cell: moved.cell })
  })

  return {
    /** The call of the function; `hash`: the expression of the key's, of which null is no key's. */
    call: (hash: Statement.Fragment, secretHash: string, now: number): Statement.Fragment =>
      sql`authorize(
        ${hash}, ${now}::bigint, ${organizations.get(secretHash)?.revision ?? null}::bigint,
        ${teamMinute}::bigint, ${enterpriseMinute}::bigint, ${teamDay}::bigint, ${enterpriseDay}::bigint
      )`,

    /** Reads what it answered; undefined: there is no such key. */
    read: Effect.fnUntraced(function*(
      row: Row | undefined,
      secretHash: string,
      now: number
    ): Effect.fn.Return<Option.Option<Authorization>, OrganizationMoved | SqlError.SqlError> {
      if (row === undefined) {
        organizations.forget(secretHash)
        yield* refuseMoved(secretHash)
        return Option.none()
      }
      return Option.some({
        credential: credentialOf(row),
        organization: yield* organizations.organizationOf(secretHash, row),
        ...CountedRequest.counters(row, now)
      })
    })
  }
}
