/** Endpoints that others took the place of are removed when the last of what was sent to them is. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../retention/ReplacedEndpointFunctions.ts"

const statements: ReadonlyArray<string> = [
  `CREATE INDEX webhook_endpoint_superseded ON webhook_endpoint (created_at) WHERE disabled_reason = 'superseded'`,
  // Who took its place, and when.
  `CREATE INDEX webhook_endpoint_of_target ON webhook_endpoint (org_id, target_key, created_at)`,
  ...functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
