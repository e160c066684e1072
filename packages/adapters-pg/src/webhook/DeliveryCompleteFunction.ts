/**
 * Records how deliveries ended that are still claimed. The order of locks is that of `DeliveryFunctions`.
 *
 * Each delivery is looked for by its key, which a join might not do: the plan is kept, and may have been made when the table was
 * empty and every order of reading it cost the same.
 */
import { restAfterFailure } from "@freehold/core/webhook/RetryPolicy"
import { Duration } from "effect"
import * as Comment from "../database/Comment.ts"
import * as EndedEndpoints from "./EndedEndpoints.ts"

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_complete(
    p_records jsonb, p_delays double precision[], p_attempts integer, p_failures integer
  ) RETURNS TABLE (endpoint_id uuid, disabled_reason text) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off SET enable_incremental_sort = off SET lock_timeout = '${EndedEndpoints.lockPatience}' AS $$
  #variable_conflict use_column
  DECLARE
    /* Each endpoint beside its organization. */
    answered_orgs text[];
    answered uuid[];
    failing uuid[];
    /* From then on nobody else claims on these lanes. */
    locked_at timestamptz;
  BEGIN
    PERFORM FROM (
      SELECT DISTINCT r."orgId", r."endpointId" FROM jsonb_to_recordset(p_records) AS r("orgId" text, "endpointId" uuid)
    ) t
    JOIN delivery_lane l ON l.org_id = t."orgId" AND l.endpoint_id = t."endpointId"
    ORDER BY l.org_id, l.endpoint_id FOR UPDATE OF l;
    locked_at := clock_timestamp();

    SELECT array_agg(d.org_id), array_agg(d.endpoint_id),
      coalesce(array_agg(d.endpoint_id) FILTER (WHERE r.outcome <> 'delivered'), '{}')
    INTO answered_orgs, answered, failing
    FROM jsonb_to_recordset(p_records) AS r("orgId" text, id uuid, claim integer, outcome text)
    CROSS JOIN LATERAL (
      SELECT f.org_id, f.endpoint_id, f.resending, f.attempts FROM delivery f
      WHERE f.org_id = r."orgId" AND f.id = r.id AND f.claim = r.claim AND f.claimed_until IS NOT NULL OFFSET 0
    ) d
    WHERE r.outcome IN ('delivered', 'gone', 'blocked') OR
      r.outcome = 'failed' AND NOT d.resending AND d.attempts + 1 >= p_attempts;
    PERFORM 1 FROM webhook_endpoint w
    WHERE (w.org_id, w.id) IN (SELECT * FROM unnest(answered_orgs, answered))
      AND (w.consecutive_failures > 0 OR w.id = ANY(failing))
    ORDER BY w.org_id, w.id FOR NO KEY UPDATE;

    RETURN QUERY
    WITH held AS MATERIALIZED (
      SELECT d.id, d.org_id, d.endpoint_id, d.event_type, d.attempts, d.resends, d.resending, d.delivered_at, d.due_at, r.turn,
        CASE WHEN d.claimed_until > locked_at THEN d.place END AS place, r.outcome, r.status, r.state, r.reason, r.until, r.duration, r.answer, coalesce(d.data, r.data) AS data,
        r.outcome IN ('delivered', 'gone', 'failed', 'blocked') AS tried
      FROM (
        SELECT * FROM jsonb_to_recordset(p_records) AS g(
          "orgId" text, id uuid, claim integer, turn integer, outcome text, status integer, state text, reason text,
          until double precision, duration integer, answer text, data text
        ) ORDER BY g."orgId", g.id
      ) r
      CROSS JOIN LATERAL (
        SELECT f.* FROM delivery f
        WHERE f.org_id = r."orgId" AND f.id = r.id AND f.claim = r.claim AND f.claimed_until IS NOT NULL
        OFFSET 0 FOR UPDATE
      ) d
    ), judged AS MATERIALIZED (
      SELECT h.*, h.attempts + (h.tried AND NOT h.resending)::integer AS attempt,
        h.resends + (h.tried AND h.resending)::integer AS resent,
        CASE h.outcome
          WHEN 'delivered' THEN 'delivered'
          WHEN 'gone' THEN 'endpoint_gone'
          WHEN 'blocked' THEN 'blocked_private_address'
          WHEN 'cancelled' THEN h.state
          WHEN 'failed' THEN CASE WHEN h.resending OR h.attempts + 1 >= p_attempts THEN 'failed' END
        END AS final
      FROM held h
    ), ending AS (
      /* Numbered by how many successes came before: a run of failures, or what follows a success. */
      SELECT j.endpoint_id, j.outcome,
        count(*) FILTER (WHERE j.outcome = 'delivered') OVER (PARTITION BY j.endpoint_id ORDER BY j.turn) AS run
      FROM judged j
      WHERE j.outcome = 'delivered' OR j.outcome = 'failed' AND j.final IS NOT NULL AND NOT j.resending
    ), run AS (
      SELECT e.endpoint_id, e.run, count(*) FILTER (WHERE e.outcome = 'failed')::integer AS failures
      FROM ending e GROUP BY e.endpoint_id, e.run
    ), streak AS (
      SELECT r.endpoint_id, max(r.run) > 0 AS broken,
        coalesce(sum(r.failures) FILTER (WHERE r.run = 0), 0)::integer AS before,
        coalesce(max(r.failures) FILTER (WHERE r.run > 0), 0) AS longest,
        (array_agg(r.failures ORDER BY r.run DESC))[1] AS last
      FROM run r GROUP BY r.endpoint_id
    ), severe AS (
      SELECT j.endpoint_id,
        (array_agg(CASE j.outcome WHEN 'gone' THEN 'gone' ELSE 'private_address' END ORDER BY j.turn))[1] AS why
      FROM judged j WHERE j.outcome IN ('gone', 'blocked') GROUP BY j.endpoint_id
    ), standing AS MATERIALIZED (
      SELECT w.org_id, w.id,
        CASE WHEN s.broken THEN s.last ELSE w.consecutive_failures + coalesce(s.before, 0) END AS failures,
        CASE
          WHEN v.why IS NOT NULL THEN v.why
          WHEN w.consecutive_failures + s.before >= p_failures OR s.longest >= p_failures THEN 'failing'
        END AS why
      FROM webhook_endpoint w
      LEFT JOIN streak s ON s.endpoint_id = w.id
      LEFT JOIN severe v ON v.endpoint_id = w.id
      WHERE (w.org_id, w.id) IN (SELECT * FROM unnest(answered_orgs, answered)) AND w.active
        AND (v.why IS NOT NULL OR s.before > 0 OR s.longest > 0 OR s.broken AND w.consecutive_failures > 0)
    ), passed AS MATERIALIZED (
      /* What is more than that is cancelled by claims, which nobody else's outcomes wait for. */
      SELECT s.id, d.spot FROM standing s CROSS JOIN LATERAL (
        SELECT f.ctid AS spot FROM delivery f
        WHERE f.org_id = s.org_id AND f.endpoint_id = s.id AND (f.claimed_until IS NULL OR f.claimed_until <= now())
          AND f.id NOT IN (SELECT h.id FROM held h)
        ORDER BY f.due_at LIMIT ${EndedEndpoints.recordedStep} FOR UPDATE SKIP LOCKED
      ) d
      WHERE s.why IS NOT NULL
    ), disabled AS (
      UPDATE webhook_endpoint w
      SET consecutive_failures = s.failures, active = s.why IS NULL, disabled_reason = s.why,
        cancels_until = CASE
          WHEN s.why IS NULL THEN w.cancels_until
          WHEN (SELECT count(*) FROM passed p WHERE p.id = s.id) >= ${EndedEndpoints.recordedStep} THEN clock_timestamp()
        END
      FROM standing s WHERE w.org_id = s.org_id AND w.id = s.id
      RETURNING w.id, w.disabled_reason
    ), verdict AS MATERIALIZED (
      SELECT j.*,
        coalesce(j.final, CASE WHEN (NOT w.active OR s.why IS NOT NULL) AND NOT EXISTS (
          /* A claim gives it to the endpoint that took the place of its own. */
          SELECT FROM webhook_endpoint h
          WHERE w.disabled_reason = 'superseded' AND h.org_id = w.org_id AND h.target_key = w.target_key AND h.active
            AND j.event_type = ANY(h.events)
        ) THEN 'cancelled_endpoint_disabled' END) AS finish,
        CASE
          WHEN j.tried THEN now() + coalesce(p_delays[least(j.attempt, cardinality(p_delays))], 0) * interval '1 millisecond'
          WHEN j.until IS NOT NULL THEN to_timestamp(j.until / 1000)
          ELSE j.due_at
        END AS again_at
      FROM judged j
      JOIN webhook_endpoint w ON w.org_id = j.org_id AND w.id = j.endpoint_id
      LEFT JOIN standing s ON s.id = j.endpoint_id
    ), line AS (
      INSERT INTO delivery_attempt (org_id, delivery_id, attempt, at, status, error, duration_ms, answer)
      SELECT v.org_id, v.id, v.attempt + v.resent, now(), v.status, v.reason, v.duration, v.answer FROM verdict v WHERE v.tried
    ), left_lane AS MATERIALIZED (
      SELECT v.org_id, v.endpoint_id, coalesce(array_agg(v.place) FILTER (WHERE v.place IS NOT NULL), '{}') AS places,
        min(v.again_at) FILTER (WHERE v.finish IS NULL) AS again_at,
        bool_or(v.outcome = 'failed') AND NOT bool_or(v.outcome = 'delivered') AS failing,
        EXISTS (SELECT FROM standing s WHERE s.org_id = v.org_id AND s.id = v.endpoint_id AND s.why IS NOT NULL) AS ends
      FROM verdict v GROUP BY v.org_id, v.endpoint_id
    ), lane AS (
      UPDATE delivery_lane l
      SET waits_for_place = false,
        due_at = least(CASE WHEN l.waits_for_place OR p.ends THEN now() ELSE l.due_at END, p.again_at),
        place_held = n.held, place_until = n.until
      FROM left_lane p CROSS JOIN LATERAL (
        /* A place that rests stands there as one that is taken until then. */
        SELECT
          coalesce(array_agg(greatest(t.number - e.ended, (p.failing AND e.ended > 0)::integer, 0) ORDER BY t.place), '{}')
            AS held,
          coalesce(array_agg(CASE
            WHEN p.failing AND e.ended BETWEEN 1 AND t.number THEN now() + interval '${
    Duration.toMillis(restAfterFailure)
  } milliseconds'
            ELSE t.until
          END ORDER BY t.place), '{}') AS until
        FROM delivery_lane b
        CROSS JOIN LATERAL unnest(b.place_held, b.place_until) WITH ORDINALITY AS t(number, until, place)
        CROSS JOIN LATERAL (
          SELECT coalesce(cardinality(array_positions(p.places, t.place::smallint)), 0) AS ended
        ) e
        WHERE b.org_id = p.org_id AND b.endpoint_id = p.endpoint_id
      ) n
      WHERE l.org_id = p.org_id AND l.endpoint_id = p.endpoint_id
    ), waiting AS (
      UPDATE delivery d
      SET attempts = v.attempt, claimed_until = NULL, place = NULL,
        state = CASE WHEN v.tried THEN 'retry_wait' ELSE v.state END,
        reason = CASE WHEN NOT v.tried THEN v.reason END, data = v.data,
        due_at = v.again_at
      FROM verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NULL
    ), finished AS (
      DELETE FROM delivery d USING verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NOT NULL
      RETURNING d.id, d.org_id, d.event_id, d.endpoint_id, d.event_type, d.property_id, d.test, d.partial, d.created_at,
        d.delivered_at, v.data, v.finish, v.attempt, v.resent, CASE WHEN NOT v.tried THEN v.reason END AS why
    ), dropped AS (
      DELETE FROM delivery d WHERE d.ctid = ANY(ARRAY(SELECT p.spot FROM passed p)) RETURNING d.*
    ), logged AS (
      INSERT INTO delivery_log (
        id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, state, attempts, data, created_at,
        finished_at, reason, resends
      )
      SELECT f.id, f.org_id, f.event_id, f.endpoint_id, f.event_type, f.property_id, f.test, f.partial,
        CASE WHEN f.delivered_at IS NULL THEN f.finish ELSE 'delivered' END, f.attempt, f.data, f.created_at,
        coalesce(f.delivered_at, now()), f.why, f.resent
      FROM finished f
      UNION ALL
      SELECT d.id, d.org_id, d.event_id, d.endpoint_id, d.event_type, d.property_id, d.test, d.partial,
        CASE WHEN d.delivered_at IS NULL THEN 'cancelled_endpoint_disabled' ELSE 'delivered' END, d.attempts, d.data,
        d.created_at, coalesce(d.delivered_at, now()), NULL, d.resends
      FROM dropped d
    )
    SELECT d.id, d.disabled_reason FROM disabled d WHERE d.disabled_reason IS NOT NULL;
  END $$`,
  Comment.onFunction(
    "delivery_complete",
    `
    Writes the outcomes of claims that still hold. The records are a JSON array in the order of the outcomes;
    answers the endpoints that it disabled. A delivery that is sent again ends with its one attempt whatever the
    answer, a failure of it does not count against the endpoint, and what once was delivered stays so. The place of an
    attempt that failed rests, unless another one of its endpoint arrived.
  `
  )
]
