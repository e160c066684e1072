/** Makes events of what was recorded to have changed, for every organization that has changes switched on. */
import { switchedOn } from "@freehold/core/coverage/Territory"
import { Organization } from "@freehold/core/organization/Organization"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { transaction } from "../database/Transaction.ts"

/** Changes at a time: each may be an event of every organization. */
const batch = 100

const decode = Schema.decodeUnknownEffect(Organization)

const relayBatch = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  // Before it is looked who is to be told: whoever joins meanwhile would be told by nobody (cell/Move.ts).
  const [turn] = yield* sql<{ readonly taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('freehold changes')) AS taken`
  if (turn?.taken !== true) return 0
  const rows = yield* sql<{ readonly profile: unknown }>`
    SELECT profile FROM organization
    WHERE status <> 'closed' AND (profile -> 'features' ->> 'signals')::boolean AND EXISTS (SELECT FROM change_outbox)`
  const areas = yield* Effect.forEach(rows, ({ profile }) =>
    Effect.map(decode(profile), (organization) => {
      const { countyFips, stateFips } = switchedOn(organization)
      return { org_id: organization.org_id, state_fips: stateFips, county_fips: countyFips }
    }))
  const [done] = yield* sql<{ readonly handled: number }>`
    SELECT changes_relay(${JSON.stringify(areas)}::jsonb, ${batch}) AS handled`
  return done?.handled ?? 0
})

/**
 * Waits for the relay that is at work, and lets nobody relay before the transaction ends. For one that suppresses somebody: an
 * event that is made beside it may be sent before it ends, and neither sees the other.
 */
export const pause = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('freehold changes'))`

/** Handles the first that wait, unless another process is at it; answers how many. */
export const relaySome = (sql: SqlClient.SqlClient) =>
  Effect.catchTag(transaction(sql, relayBatch(sql)), "SchemaError", Effect.die)

/** Handles everything that waits, unless another process is at it. */
export const relay = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  let handled = 0
  do handled = yield* relaySome(sql)
  while (handled > 0)
})
