/**
 * What `RetentionPg` calls to remove endpoints that others took the place of.
 *
 * Most of what was sent may have gone to one endpoint. A plan that goes by that reads whole days of `delivery_log` for each other one, in
 * search of a line that is not there. Hence lines are asked for in the order that only the index of an endpoint has, and no sort is allowed.
 */
import * as Comment from "../database/Comment.ts"

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION replaced_endpoints_end(before timestamptz, at_most integer) RETURNS integer LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off AS $$
  DECLARE
    ended integer;
  BEGIN
    /* In the order of locks that webhook/DeliveryFunctions.ts has, and nobody is waited for. */
    WITH replaced AS MATERIALIZED (
      SELECT w.org_id, w.id FROM webhook_endpoint w
      WHERE w.disabled_reason = 'superseded' AND w.created_at <= before
        AND EXISTS (
          SELECT FROM webhook_endpoint o
          WHERE o.org_id = w.org_id AND o.target_key = w.target_key AND o.created_at <= before
            AND (o.created_at, o.id) > (w.created_at, w.id)
        )
        AND NOT EXISTS (
          SELECT FROM delivery d WHERE d.org_id = w.org_id AND d.endpoint_id = w.id ORDER BY d.due_at OFFSET 0
        )
        AND NOT EXISTS (
          SELECT FROM delivery_log l WHERE l.org_id = w.org_id AND l.endpoint_id = w.id
          ORDER BY l.created_at DESC, l.id OFFSET 0
        )
      ORDER BY w.created_at LIMIT at_most
    ), lane AS MATERIALIZED (
      SELECT l.org_id, l.endpoint_id FROM replaced r
      JOIN delivery_lane l ON l.org_id = r.org_id AND l.endpoint_id = r.id
      FOR UPDATE OF l SKIP LOCKED
    ), free AS MATERIALIZED (
      SELECT w.org_id, w.id FROM replaced r JOIN webhook_endpoint w ON w.org_id = r.org_id AND w.id = r.id
      WHERE EXISTS (SELECT FROM lane l WHERE l.org_id = r.org_id AND l.endpoint_id = r.id)
        OR NOT EXISTS (SELECT FROM delivery_lane l WHERE l.org_id = r.org_id AND l.endpoint_id = r.id)
      FOR UPDATE OF w SKIP LOCKED
    ), gone AS (
      DELETE FROM webhook_endpoint w USING free f WHERE w.org_id = f.org_id AND w.id = f.id RETURNING 1
    )
    SELECT count(*) INTO ended FROM gone;
    RETURN ended;
  END $$`,
  Comment.onFunction(
    "replaced_endpoints_end",
    `
    Removes endpoints that another took the place of by then, and of which nothing is left that was sent to them, at most so many;
    answers how many.
  `
  )
]
