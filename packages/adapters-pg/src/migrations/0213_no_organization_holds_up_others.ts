/**
 * However much waits for an endpoint, ending it and recording outcomes take a bounded step, and claims take the others; and events that
 * wait are found by their organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

const statements: ReadonlyArray<string> = [
  // While it is made, events are still read.
  `CREATE INDEX event_pending_in_turn ON event (org_id, created_at) WHERE status = 'pending'`,
  `DROP INDEX event_pending`,
  `ALTER INDEX event_pending_in_turn RENAME TO event_pending`,
  `ALTER TABLE webhook_endpoint ADD COLUMN cancels_until timestamptz`,
  `COMMENT ON COLUMN webhook_endpoint.cancels_until IS
    'When it was disabled or removed, while what waited for it then is still being cancelled; null: nothing of it is left.'`,
  `CREATE INDEX organization_move_open ON organization_move (org_id) WHERE moved_at IS NULL`,
  ...DeliveryFunctions.functions,
  ...ChangeFunctions.functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
