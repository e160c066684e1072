/**
 * Records deliveries that arrived, which is how most end: nothing is judged, and each is read and written once. The order of
 * locks is that of `DeliveryFunctions`.
 *
 * - Who changes a delivery at that moment is waited for, and what it then carries is kept.
 * - Their lanes are not locked meanwhile, so that others are claimed for the same endpoints. The places that they had are given back by
 *   a statement of its own, after the transaction that recorded them; should it never come, they are free when their leases end.
 */
import * as Comment from "../database/Comment.ts"
import * as EndedEndpoints from "./EndedEndpoints.ts"

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_succeed(
    p_orgs text[], p_endpoints uuid[], p_ids uuid[], p_claims integer[], p_statuses integer[], p_durations integer[],
    p_answers text[], p_data text[]
  ) RETURNS TABLE (org_id text, endpoint_id uuid, place integer, until text) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan SET lock_timeout = '${EndedEndpoints.lockPatience}' AS $$
  #variable_conflict use_column
  DECLARE
    failing uuid[];
  BEGIN
    SELECT array_agg(f.id) INTO failing FROM (
      SELECT w.id FROM (SELECT DISTINCT * FROM unnest(p_orgs, p_endpoints) AS g(org_id, endpoint_id)) g
      JOIN webhook_endpoint w ON w.org_id = g.org_id AND w.id = g.endpoint_id
      WHERE w.consecutive_failures > 0
      ORDER BY w.org_id, w.id FOR NO KEY UPDATE OF w
    ) f;

    RETURN QUERY
    WITH held AS MATERIALIZED (
      /* Locked in the order of their keys, which a join might not keep. */
      SELECT g.org_id, g.id, g.status, g.duration, g.answer, g.data FROM (
        SELECT * FROM unnest(p_orgs, p_ids, p_claims, p_statuses, p_durations, p_answers, p_data)
          AS r(org_id, id, claim, status, duration, answer, data) ORDER BY r.org_id, r.id
      ) g
      CROSS JOIN LATERAL (
        SELECT FROM delivery f
        WHERE f.org_id = g.org_id AND f.id = g.id AND f.claim = g.claim AND f.claimed_until IS NOT NULL
        OFFSET 0 FOR UPDATE
      ) d
    ), finished AS (
      DELETE FROM delivery d USING held g WHERE d.id = g.id AND d.org_id = g.org_id
      RETURNING d.org_id, d.id, d.event_id, d.endpoint_id, d.event_type, d.property_id, d.test, d.partial, d.created_at,
        d.delivered_at, d.attempts, d.resends, d.resending::integer AS again, coalesce(d.data, nullif(g.data, '')) AS data,
        d.place, d.claimed_until, g.status, g.duration, nullif(g.answer, '') AS answer
    ), line AS (
      INSERT INTO delivery_attempt (org_id, delivery_id, attempt, at, status, duration_ms, answer)
      SELECT f.org_id, f.id, f.attempts + f.resends + 1, now(), f.status, f.duration, f.answer FROM finished f
    ), logged AS (
      INSERT INTO delivery_log (
        id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, state, attempts, data, created_at,
        finished_at, resends
      )
      SELECT f.id, f.org_id, f.event_id, f.endpoint_id, f.event_type, f.property_id, f.test, f.partial, 'delivered',
        f.attempts + 1 - f.again, f.data, f.created_at, coalesce(f.delivered_at, now()), f.resends + f.again
      FROM finished f
    ), well AS (
      UPDATE webhook_endpoint w SET consecutive_failures = 0
      WHERE failing IS NOT NULL AND w.id = ANY(failing) AND w.active AND (w.org_id, w.id) IN (SELECT f.org_id, f.endpoint_id FROM finished f)
    )
    SELECT f.org_id, f.endpoint_id, f.place::integer, f.claimed_until::text FROM finished f WHERE f.place IS NOT NULL;
  END $$`,
  Comment.onFunction(
    "delivery_succeed",
    `
    Writes that deliveries arrived whose claims still hold, as delivery_complete would, and answers the places that they had until
    their leases end, for delivery_leave; an empty text is none. Of an endpoint for which something else is
    to be recorded as well, delivery_complete is told everything, since it matters what came first.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_leave(
    p_orgs text[], p_endpoints uuid[], p_places integer[], p_until timestamptz[]
  ) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan SET lock_timeout = '${EndedEndpoints.lockPatience}' AS $$
  DECLARE
    /* From then on nobody else claims on these lanes. */
    locked_at timestamptz;
  BEGIN
    PERFORM FROM (SELECT DISTINCT * FROM unnest(p_orgs, p_endpoints) AS g(org_id, endpoint_id)) g
    JOIN delivery_lane l ON l.org_id = g.org_id AND l.endpoint_id = g.endpoint_id
    ORDER BY l.org_id, l.endpoint_id FOR UPDATE OF l;
    locked_at := clock_timestamp();
    UPDATE delivery_lane l
    SET waits_for_place = false, due_at = CASE WHEN l.waits_for_place THEN now() ELSE l.due_at END,
      place_held = ARRAY(
        SELECT greatest(t.number - coalesce(cardinality(array_positions(h.places, t.place::integer)), 0), 0)
        FROM unnest(l.place_held) WITH ORDINALITY AS t(number, place) ORDER BY t.place
      )
    FROM (
      SELECT f.org_id, f.endpoint_id, array_agg(f.place) FILTER (WHERE f.until > locked_at) AS places
      FROM unnest(p_orgs, p_endpoints, p_places, p_until) AS f(org_id, endpoint_id, place, until)
      GROUP BY f.org_id, f.endpoint_id
    ) h
    WHERE l.org_id = h.org_id AND l.endpoint_id = h.endpoint_id;
  END $$`,
  Comment.onFunction(
    "delivery_leave",
    "Gives back the places of deliveries that arrived, whose leases have not ended: from then on others may have them."
  )
]
