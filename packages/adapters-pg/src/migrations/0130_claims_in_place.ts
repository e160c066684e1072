/**
 * A claim changes no column of an index, so that it costs the same however many wait; which places of an endpoint are taken
 * stands with its lane.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE delivery_lane
    ADD COLUMN place_held integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN place_until timestamptz[] NOT NULL DEFAULT '{}',
    ADD COLUMN place_claimer uuid[] NOT NULL DEFAULT '{}'`,
  `COMMENT ON COLUMN delivery_lane.place_held IS 'By place: the deliveries that were claimed on it and have not ended'`,
  `COMMENT ON COLUMN delivery_lane.place_until IS 'By place: when the last lease on it ends; from then on it is free'`,
  `COMMENT ON COLUMN delivery_lane.place_claimer IS 'By place: whoever claimed on it, and may claim more for it'`,
  `UPDATE delivery_lane l SET place_held = n.held, place_until = n.until, place_claimer = n.claimer
    FROM (
      SELECT t.org_id, t.endpoint_id, array_agg(t.number ORDER BY p) AS held, array_agg(t.until ORDER BY p) AS until,
        array_agg(NULL::uuid) AS claimer
      FROM (
        SELECT e.org_id, e.endpoint_id, p, count(d.id)::integer AS number,
          coalesce(max(d.claimed_until), '-infinity') AS until
        FROM (SELECT org_id, endpoint_id, max(place) AS most FROM delivery WHERE claimed_until > now() GROUP BY 1, 2) e
        CROSS JOIN generate_series(1, e.most) AS p
        LEFT JOIN delivery d ON d.org_id = e.org_id AND d.endpoint_id = e.endpoint_id AND d.place = p
          AND d.claimed_until > now()
        GROUP BY e.org_id, e.endpoint_id, p
      ) t
      GROUP BY t.org_id, t.endpoint_id
    ) n
    WHERE l.org_id = n.org_id AND l.endpoint_id = n.endpoint_id`,

  `ALTER TABLE delivery ADD COLUMN limited boolean GENERATED ALWAYS AS (state = 'postponed_daily_limit') STORED`,
  `COMMENT ON COLUMN delivery.limited IS 'A limit postponed it'`,
  `COMMENT ON COLUMN delivery.due_at IS 'When it may be claimed; what is claimed waits for the end of its lease besides'`,
  `DROP INDEX delivery_postponed, delivery_in_flight, delivery_due`,
  // What was counted while the table was empty makes every index of the organization look as good as its key; this one is better.
  `CREATE INDEX delivery_by_id ON delivery USING hash (id)`,
  `CREATE INDEX delivery_limited ON delivery (org_id) WHERE limited`,
  `ALTER TABLE delivery SET (fillfactor = 45)`,

  `DROP FUNCTION IF EXISTS delivery_claim(integer, integer, interval, jsonb)`,
  ...DeliveryFunctions.functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
