/** Claims look at the endpoints that are due and at no others, and give each delivery a place. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE delivery_lane (
    org_id text NOT NULL,
    endpoint_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    waits_for_place boolean NOT NULL DEFAULT false,
    PRIMARY KEY (org_id, endpoint_id),
    FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoint ON DELETE CASCADE
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE INDEX delivery_lane_due ON delivery_lane (due_at)`,
  `COMMENT ON TABLE delivery_lane IS 'An endpoint that something was sent to, as claims see it; its row is what they take turns by'`,
  `COMMENT ON COLUMN delivery_lane.due_at IS 'Not before then is there anything to claim; infinity: nothing waits'`,
  `COMMENT ON COLUMN delivery_lane.waits_for_place IS 'Something is due, and every place is taken: the next outcome makes it due'`,

  `ALTER TABLE delivery ADD COLUMN place smallint`,
  `COMMENT ON COLUMN delivery.place IS 'Of its endpoint, while it is claimed: those that share one are sent one after the other'`,
  `UPDATE delivery d SET place = n.place FROM (
    SELECT org_id, id, row_number() OVER (PARTITION BY org_id, endpoint_id ORDER BY id) AS place
    FROM delivery WHERE claimed_until IS NOT NULL
  ) n WHERE d.org_id = n.org_id AND d.id = n.id`,

  `DROP FUNCTION IF EXISTS delivery_claim(integer, integer, interval)`,
  `DROP FUNCTION IF EXISTS delivery_claim(integer, integer, interval, jsonb)`,
  ...DeliveryFunctions.functions,

  `CREATE TRIGGER delivery_lane_added AFTER INSERT ON delivery REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION delivery_lane_lower()`,
  `CREATE TRIGGER delivery_lane_moved AFTER UPDATE OF due_at ON delivery
    FOR EACH ROW WHEN (NEW.due_at < OLD.due_at) EXECUTE FUNCTION delivery_lane_earlier()`,
  `CREATE TRIGGER delivery_lane_resumed AFTER UPDATE OF status ON organization
    FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status <> 'active') EXECUTE FUNCTION delivery_lane_resume()`,

  `INSERT INTO delivery_lane (org_id, endpoint_id, due_at)
    SELECT org_id, endpoint_id, min(due_at) FROM delivery GROUP BY org_id, endpoint_id`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
