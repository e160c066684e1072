/**
 * Changes that were recorded before an organization first subscribed to changes are not sent to it, however late the relay comes,
 * and whichever endpoint subscribed first. What is suppressed while it is being told is taken back: `changes_hold`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE change_subscription (
    org_id text PRIMARY KEY REFERENCES organization,
    since timestamptz NOT NULL,
    seen pg_snapshot NOT NULL
  )`,
  ...Comment.onTable(
    "change_subscription",
    "When an organization first subscribed to changes: what was recorded before is not sent to it.",
    { seen: "What was recorded by then: all that began before and is not in it was still being written." }
  ),
  `ALTER TABLE change_outbox ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN recorded_by xid8 NOT NULL DEFAULT pg_current_xact_id()`,
  `COMMENT ON COLUMN change_outbox.recorded_at IS
    'When it was recorded here; by the clock, so that a database that was restored tells as well what came first.'`,
  `COMMENT ON COLUMN change_outbox.recorded_by IS
    'The transaction that recorded it: an organization that subscribed while it was under way is sent the change.'`,
  `ALTER TABLE event ADD COLUMN before_subscription boolean NOT NULL DEFAULT false`,
  `COMMENT ON COLUMN event.before_subscription IS
    'A change that was recorded before the organization first subscribed to changes: nobody is sent it.'`,
  ...ChangeFunctions.functions,
  `CREATE TRIGGER change_subscribed AFTER INSERT OR UPDATE OF events ON webhook_endpoint
    FOR EACH ROW EXECUTE FUNCTION change_subscribed()`,
  `INSERT INTO change_subscription (org_id, since, seen)
    SELECT w.org_id, min(w.created_at), pg_current_snapshot() FROM webhook_endpoint w
    WHERE EXISTS (SELECT FROM unnest(w.events) AS e WHERE starts_with(e, 'signal.'))
    GROUP BY w.org_id`,
  `UPDATE event e SET before_subscription = true
    WHERE e.status = 'pending' AND e.type LIKE 'signal.%' AND e.type <> 'signal.withdrawn'
      AND NOT EXISTS (SELECT FROM change_subscription s WHERE s.org_id = e.org_id AND s.since <= e.created_at)
      AND NOT EXISTS (SELECT FROM organization_move m WHERE m.org_id = e.org_id AND m.moved_at IS NULL)`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
