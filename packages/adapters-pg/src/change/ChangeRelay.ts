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

/** Handles everything that waits, unless another process is at it. */
export const relay = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  let handled = 0
  do handled = yield* transaction(sql, relayBatch(sql))
  while (handled > 0)
}, Effect.catchTag("SchemaError", Effect.die))
