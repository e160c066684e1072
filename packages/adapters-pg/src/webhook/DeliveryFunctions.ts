/**
 * What `DeliveriesPg` calls: the delivery worker's two hot units of work, each one call and one short transaction.
 *
 * Both lock first and read after, in statements of their own: a single statement would decide on a snapshot that is
 * older than its locks. Both lock endpoints before deliveries, `delivery_complete` in the order of their keys, and
 * `delivery_claim` waits for no endpoint, so that they cannot deadlock. Plans of functions are kept, and the first are
 * made while the tables are small; hence no plan that reads a whole table is allowed in them.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_claim(p_limit integer, p_per_endpoint integer, p_lease interval) RETURNS TABLE (
    delivery_id uuid, endpoint_id uuid, claim integer, attempt integer, url text, secret_sealed bytea,
    previous_secret_sealed bytea, event_type text, test boolean, org_id text, property_id uuid, partial boolean, data text
  ) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  #variable_conflict use_column
  DECLARE
    /* Each endpoint beside its organization. */
    live_orgs text[];
    live uuid[];
    dead_orgs text[];
    dead uuid[];
  BEGIN
    /* One probe an endpoint finds its longest due delivery, however many wait for it. */
    WITH RECURSIVE lane AS (
      (SELECT d.org_id, d.endpoint_id, d.due_at FROM delivery d ORDER BY d.org_id, d.endpoint_id, d.due_at LIMIT 1)
      UNION ALL
      SELECT following.org_id, following.endpoint_id, following.due_at
      FROM lane CROSS JOIN LATERAL (
        SELECT d.org_id, d.endpoint_id, d.due_at FROM delivery d
        WHERE (d.org_id, d.endpoint_id) > (lane.org_id, lane.endpoint_id)
        ORDER BY d.org_id, d.endpoint_id, d.due_at LIMIT 1
      ) following
    ), candidate AS MATERIALIZED (
      SELECT w.org_id, w.id, w.active
      FROM lane
      JOIN webhook_endpoint w ON w.org_id = lane.org_id AND w.id = lane.endpoint_id
      JOIN organization o ON o.org_id = w.org_id
      WHERE lane.due_at <= now() AND o.status = 'active' AND (
        NOT w.active OR p_per_endpoint > (
          SELECT count(*) FROM delivery f
          WHERE f.org_id = w.org_id AND f.endpoint_id = w.id AND f.claimed_until > now()
        )
      )
      ORDER BY lane.due_at
      LIMIT p_limit
      FOR NO KEY UPDATE OF w SKIP LOCKED
    )
    SELECT array_agg(c.org_id) FILTER (WHERE c.active), array_agg(c.id) FILTER (WHERE c.active),
      array_agg(c.org_id) FILTER (WHERE NOT c.active), array_agg(c.id) FILTER (WHERE NOT c.active)
    INTO live_orgs, live, dead_orgs, dead FROM candidate c;

    /* Made or claimed while its endpoint was being disabled. */
    IF dead IS NOT NULL THEN
      WITH gone AS (
        DELETE FROM delivery d USING unnest(dead_orgs, dead) AS e(org_id, id)
        WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.due_at <= now() RETURNING d.*
      )
      INSERT INTO delivery_log (
        id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, state, attempts, data, created_at,
        finished_at, resends
      )
      SELECT g.id, g.org_id, g.event_id, g.endpoint_id, g.event_type, g.property_id, g.test, g.partial,
        CASE WHEN g.delivered_at IS NULL THEN 'cancelled_endpoint_disabled' ELSE 'delivered' END, g.attempts, g.data,
        g.created_at, coalesce(g.delivered_at, now()), g.resends
      FROM gone g;
    END IF;

    RETURN QUERY
    WITH slot AS MATERIALIZED (
      SELECT e.org_id, e.id, p_per_endpoint - (
        SELECT count(*) FROM delivery f
        WHERE f.org_id = e.org_id AND f.endpoint_id = e.id AND f.claimed_until > now()
      ) AS free
      FROM unnest(live_orgs, live) AS e(org_id, id)
    ), due AS MATERIALIZED (
      /* Whoever claims for an endpoint holds its lock, so that these rows need none yet. */
      SELECT slot.org_id, d.id, d.due_at,
        row_number() OVER (PARTITION BY slot.org_id, slot.id ORDER BY d.due_at, d.id) AS turn
      FROM slot CROSS JOIN LATERAL (
        SELECT c.id, c.due_at FROM delivery c
        WHERE c.org_id = slot.org_id AND c.endpoint_id = slot.id AND c.due_at <= now()
        ORDER BY c.due_at, c.id
        LIMIT least(greatest(slot.free, 0), p_limit)
      ) d
    ), chosen AS MATERIALIZED (
      SELECT due.org_id, due.id FROM due ORDER BY due.turn, due.due_at LIMIT p_limit
    ), claimed AS (
      /* An outcome that came late, after the lease, may have been recorded meanwhile: then it is due no more. */
      UPDATE delivery d
      SET state = 'delivering', claim = d.claim + 1, claimed_until = now() + p_lease, due_at = now() + p_lease, reason = NULL
      FROM chosen WHERE d.org_id = chosen.org_id AND d.id = chosen.id AND d.due_at <= now()
      RETURNING d.*
    )
    SELECT c.id, c.endpoint_id, c.claim, c.attempts + c.resends + 1, w.url, w.secret_sealed,
      CASE WHEN w.previous_secret_until > now() THEN w.previous_secret_sealed END,
      c.event_type, c.test, c.org_id, c.property_id, c.partial, c.data
    FROM claimed c JOIN webhook_endpoint w ON w.org_id = c.org_id AND w.id = c.endpoint_id;
  END $$`,
  Comment.onFunction(
    "delivery_claim",
    `
    Claims at most p_limit due deliveries, at most p_per_endpoint at once of an endpoint, for the time of a lease:
    due_at of a claimed delivery is the end of its lease, so that a claim whose worker vanished comes due by itself.
    What waits for an endpoint that was disabled meanwhile is cancelled.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_complete(
    p_records jsonb, p_delays double precision[], p_attempts integer, p_failures integer
  ) RETURNS TABLE (endpoint_id uuid, disabled_reason text) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  #variable_conflict use_column
  DECLARE
    /* Each endpoint beside its organization. */
    answered_orgs text[];
    answered uuid[];
    failing uuid[];
  BEGIN
    SELECT array_agg(d.org_id), array_agg(d.endpoint_id),
      coalesce(array_agg(d.endpoint_id) FILTER (WHERE r.outcome <> 'delivered'), '{}')
    INTO answered_orgs, answered, failing
    FROM jsonb_to_recordset(p_records) AS r("orgId" text, id uuid, claim integer, outcome text)
    JOIN delivery d ON d.org_id = r."orgId" AND d.id = r.id AND d.claim = r.claim AND d.claimed_until IS NOT NULL
    WHERE r.outcome IN ('delivered', 'gone', 'blocked') OR
      r.outcome = 'failed' AND NOT d.resending AND d.attempts + 1 >= p_attempts;
    PERFORM 1 FROM webhook_endpoint w
    WHERE (w.org_id, w.id) IN (SELECT * FROM unnest(answered_orgs, answered))
      AND (w.consecutive_failures > 0 OR w.id = ANY(failing))
    ORDER BY w.org_id, w.id FOR NO KEY UPDATE;

    RETURN QUERY
    WITH held AS MATERIALIZED (
      SELECT d.id, d.org_id, d.endpoint_id, d.attempts, d.resends, d.resending, d.delivered_at, r.turn,
        r.outcome, r.status, r.state, r.reason, r.until, r.duration, r.answer,
        r.outcome IN ('delivered', 'gone', 'failed', 'blocked') AS tried
      FROM jsonb_to_recordset(p_records) AS r(
        "orgId" text, id uuid, claim integer, turn integer, outcome text, status integer, state text, reason text,
        until double precision, duration integer, answer text
      )
      JOIN delivery d ON d.org_id = r."orgId" AND d.id = r.id AND d.claim = r.claim
      WHERE d.claimed_until IS NOT NULL
      ORDER BY d.org_id, d.id
      FOR UPDATE OF d
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
    ), disabled AS (
      UPDATE webhook_endpoint w
      SET consecutive_failures = s.failures, active = s.why IS NULL, disabled_reason = s.why
      FROM standing s WHERE w.org_id = s.org_id AND w.id = s.id
      RETURNING w.id, w.disabled_reason
    ), verdict AS MATERIALIZED (
      SELECT j.*,
        coalesce(j.final, CASE WHEN NOT w.active OR s.why IS NOT NULL THEN 'cancelled_endpoint_disabled' END) AS finish
      FROM judged j
      JOIN webhook_endpoint w ON w.org_id = j.org_id AND w.id = j.endpoint_id
      LEFT JOIN standing s ON s.id = j.endpoint_id
    ), line AS (
      INSERT INTO delivery_attempt (org_id, delivery_id, attempt, at, status, error, duration_ms, answer)
      SELECT v.org_id, v.id, v.attempt + v.resent, now(), v.status, v.reason, v.duration, v.answer FROM verdict v WHERE v.tried
    ), waiting AS (
      UPDATE delivery d
      SET attempts = v.attempt, claimed_until = NULL,
        state = CASE WHEN v.tried THEN 'retry_wait' ELSE v.state END,
        reason = CASE WHEN NOT v.tried THEN v.reason END,
        due_at = CASE
          WHEN v.tried THEN
            now() + coalesce(p_delays[least(v.attempt, cardinality(p_delays))], 0) * interval '1 millisecond'
          ELSE to_timestamp(v.until / 1000)
        END
      FROM verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NULL
    ), finished AS (
      DELETE FROM delivery d USING verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NOT NULL
      RETURNING d.*, v.finish, v.attempt, v.resent, CASE WHEN NOT v.tried THEN v.reason END AS why
    ), dropped AS (
      DELETE FROM delivery d USING standing s
      WHERE d.org_id = s.org_id AND d.endpoint_id = s.id AND s.why IS NOT NULL AND (d.claimed_until IS NULL OR d.claimed_until <= now())
        AND d.id NOT IN (SELECT h.id FROM held h)
      RETURNING d.*
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
    answer, a failure of it does not count against the endpoint, and what once was delivered stays so.
  `
  )
]
