/**
 * What `DeliveriesPg` calls: the delivery worker's hot units of work, each one call and one short transaction for many
 * deliveries.
 *
 * Both of the greater ones lock first and read after, in statements of their own: a single statement would decide on a
 * snapshot that is older than its locks. Plans of functions are kept, and the first are made while the tables are small; hence
 * no plan that reads a whole table is allowed in them.
 *
 * The order of locks, which whoever writes to these tables keeps, here and elsewhere, so that nobody deadlocks:
 *
 *     organization, then lanes, then endpoints, then deliveries, then the organization's account
 *
 * - Several of a kind are locked in the order of their keys, before any of them is changed.
 * - What makes deliveries due earlier locks their lanes itself, before them: a trigger would lock them after.
 * - New deliveries are nobody else's yet: their lanes are locked after they were added, by the trigger.
 * - Rows of an endpoint are locked FOR NO KEY UPDATE, which lets deliveries be added that refer to them.
 * - `delivery_claim` and `delivery_store` wait for nobody, and neither does what cancels what waits for an endpoint: what it
 *   passes by is cancelled by the claim that finds it.
 *
 * A lane (`delivery_lane`) says from when on there may be something to claim for an endpoint. Whatever makes something due
 * earlier lowers it (triggers do), only a claim raises it. So a claim looks at the endpoints that are due and at no others,
 * however many wait.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_lane_lower() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO delivery_lane AS l (org_id, endpoint_id, due_at)
    SELECT a.org_id, a.endpoint_id, min(a.due_at) FROM added a GROUP BY a.org_id, a.endpoint_id
    ORDER BY a.org_id, a.endpoint_id
    ON CONFLICT (org_id, endpoint_id) DO UPDATE SET due_at = excluded.due_at
    WHERE excluded.due_at < l.due_at AND NOT l.waits_for_place;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "delivery_lane_lower",
    `
    Of new deliveries: whoever claims for the lane of one now is waited for, and the lane is skipped by other claims until
    what was added is committed.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_lane_earlier() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE delivery_lane l SET due_at = least(l.due_at, NEW.due_at)
    WHERE l.org_id = NEW.org_id AND l.endpoint_id = NEW.endpoint_id;
    RETURN NULL;
  END $$`,
  Comment.onFunction("delivery_lane_earlier", "Of a delivery that is due earlier than before."),

  `CREATE OR REPLACE FUNCTION delivery_lane_resume() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM delivery_lane l WHERE l.org_id = NEW.org_id ORDER BY l.endpoint_id FOR NO KEY UPDATE;
    UPDATE delivery_lane l SET due_at = least(l.due_at, now()) WHERE l.org_id = NEW.org_id;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "delivery_lane_resume",
    "Of an organization that is active again: its lanes were put off while it was not."
  ),

  `CREATE OR REPLACE FUNCTION delivery_reconsider(p_orgs text[]) RETURNS integer LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE
    due integer;
  BEGIN
    PERFORM FROM delivery_lane l WHERE l.org_id = ANY(p_orgs) ORDER BY l.org_id, l.endpoint_id FOR NO KEY UPDATE;
    WITH waiting AS MATERIALIZED (
      SELECT d.org_id, d.id FROM delivery d
      WHERE d.state = 'postponed_daily_limit' AND d.due_at > now() AND d.org_id = ANY(p_orgs)
      ORDER BY d.org_id, d.id FOR UPDATE
    )
    UPDATE delivery d SET due_at = now() FROM waiting w WHERE d.org_id = w.org_id AND d.id = w.id;
    GET DIAGNOSTICS due = ROW_COUNT;
    RETURN due;
  END $$`,
  Comment.onFunction(
    "delivery_reconsider",
    "Makes due what a limit postponed of these organizations, whose settings have changed; answers how much that is."
  ),

  `CREATE OR REPLACE FUNCTION delivery_claim(
    p_limit integer, p_per_endpoint integer, p_lease interval, p_turns jsonb DEFAULT '{}'
  ) RETURNS TABLE (
    delivery_id uuid, endpoint_id uuid, claim integer, attempt integer, url text, secret_sealed bytea,
    previous_secret_sealed bytea, event_type text, test boolean, org_id text, property_id uuid, partial boolean, data text,
    place integer, event_id uuid, delivered boolean, include_evidence boolean, heir_id uuid
  ) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  #variable_conflict use_column
  DECLARE
    /* Each endpoint beside its organization. */
    held_orgs text[];
    held uuid[];
    live_orgs text[];
    live uuid[];
    dead_orgs text[];
    dead uuid[];
  BEGIN
    WITH candidate AS MATERIALIZED (
      SELECT l.org_id, l.endpoint_id FROM delivery_lane l
      WHERE l.due_at <= now() ORDER BY l.due_at LIMIT p_limit
      FOR UPDATE SKIP LOCKED
    )
    SELECT array_agg(c.org_id), array_agg(c.endpoint_id) INTO held_orgs, held FROM candidate c;
    IF held IS NULL THEN RETURN; END IF;

    /* An endpoint that somebody changes at this moment is looked at again. */
    WITH standing AS MATERIALIZED (
      SELECT w.org_id, w.id, w.active
      FROM unnest(held_orgs, held) AS h(org_id, id)
      JOIN webhook_endpoint w ON w.org_id = h.org_id AND w.id = h.id
      JOIN organization o ON o.org_id = w.org_id
      WHERE o.status = 'active'
      FOR NO KEY UPDATE OF w SKIP LOCKED
    )
    SELECT array_agg(s.org_id) FILTER (WHERE s.active), array_agg(s.id) FILTER (WHERE s.active),
      array_agg(s.org_id) FILTER (WHERE NOT s.active), array_agg(s.id) FILTER (WHERE NOT s.active)
    INTO live_orgs, live, dead_orgs, dead FROM standing s;

    /* Made or claimed while its endpoint was being disabled. */
    IF dead IS NOT NULL THEN
      WITH passed AS MATERIALIZED (
        SELECT d.org_id, d.id FROM unnest(dead_orgs, dead) AS e(org_id, id)
        JOIN delivery d ON d.org_id = e.org_id AND d.endpoint_id = e.id
        WHERE d.due_at <= now()
        FOR UPDATE OF d SKIP LOCKED
      ), gone AS (
        DELETE FROM delivery d USING passed p WHERE d.org_id = p.org_id AND d.id = p.id RETURNING d.*
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
      SELECT e.org_id, e.id, free.places, greatest((p_turns ->> e.id::text)::integer, 1) AS turns
      FROM unnest(live_orgs, live) AS e(org_id, id)
      CROSS JOIN LATERAL (
        SELECT array_agg(p) AS places FROM generate_series(1, p_per_endpoint) AS p
        WHERE p NOT IN (
          SELECT coalesce(f.place, 0) FROM delivery f
          WHERE f.org_id = e.org_id AND f.endpoint_id = e.id AND f.claimed_until > now()
        )
      ) free
      WHERE free.places IS NOT NULL
    ), due AS MATERIALIZED (
      SELECT slot.org_id, d.id, d.due_at, slot.places[1 + (d.turn - 1) % cardinality(slot.places)] AS place, d.turn
      FROM slot CROSS JOIN LATERAL (
        SELECT f.id, f.due_at, (row_number() OVER (ORDER BY f.due_at, f.id))::integer AS turn
        FROM (
          SELECT c.id, c.due_at FROM delivery c
          WHERE c.org_id = slot.org_id AND c.endpoint_id = slot.id AND c.due_at <= now()
          ORDER BY c.due_at, c.id
          LIMIT least(cardinality(slot.places) * slot.turns, p_limit)
          /* An outcome that comes late, after the lease, may be recorded at this moment. */
          FOR UPDATE SKIP LOCKED
        ) f
      ) d
    ), chosen AS MATERIALIZED (
      SELECT due.org_id, due.id, due.place FROM due ORDER BY due.turn, due.due_at LIMIT p_limit
    ), claimed AS (
      UPDATE delivery d
      SET state = 'delivering', claim = d.claim + 1, claimed_until = now() + p_lease, due_at = now() + p_lease,
        place = chosen.place, reason = NULL
      FROM chosen WHERE d.org_id = chosen.org_id AND d.id = chosen.id
      RETURNING d.*
    )
    SELECT c.id, c.endpoint_id, c.claim, c.attempts + c.resends + 1, w.url, w.secret_sealed,
      CASE WHEN w.previous_secret_until > now() THEN w.previous_secret_sealed END,
      c.event_type, c.test, c.org_id, c.property_id, c.partial, c.data, c.place::integer,
      c.event_id, c.delivered_at IS NOT NULL, w.include_evidence, coalesce(p.retired_into, p.id)
    FROM claimed c
    JOIN webhook_endpoint w ON w.org_id = c.org_id AND w.id = c.endpoint_id
    LEFT JOIN property p ON p.id = c.property_id;

    /* A lane is due again when something in it is, or the first lease ends; with places free, at once where more is due. */
    WITH looked AS MATERIALIZED (
      SELECT h.org_id, h.id, next.due_at, next.due_at <= now() AND p_per_endpoint <= taken.places AS waits,
        o.status = 'active' AS active, taken.until
      FROM unnest(held_orgs, held) AS h(org_id, id)
      JOIN organization o ON o.org_id = h.org_id
      CROSS JOIN LATERAL (
        SELECT coalesce(min(d.due_at), 'infinity') AS due_at FROM delivery d
        WHERE d.org_id = h.org_id AND d.endpoint_id = h.id
      ) next
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT f.place) AS places, min(f.claimed_until) AS until FROM delivery f
        WHERE f.org_id = h.org_id AND f.endpoint_id = h.id AND f.claimed_until > now()
      ) taken
    )
    UPDATE delivery_lane l
    SET waits_for_place = s.waits,
      due_at = CASE WHEN NOT s.active THEN now() + interval '1 hour' WHEN s.waits THEN s.until ELSE s.due_at END
    FROM looked s WHERE l.org_id = s.org_id AND l.endpoint_id = s.id;
  END $$`,
  Comment.onFunction(
    "delivery_claim",
    `
    Claims at most p_limit due deliveries for the time of a lease, on at most p_per_endpoint places of an endpoint, so many
    on one place as p_turns says of the endpoint. due_at of a claimed delivery is the end of its lease, so that a claim whose
    worker vanished comes due by itself. What waits for an endpoint that was disabled meanwhile is cancelled.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_store(
    p_orgs text[], p_ids uuid[], p_claims integer[], p_data text[], p_outdated text[]
  ) RETURNS TABLE (id uuid, data text) LANGUAGE sql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(p_orgs, p_ids, p_claims, p_data, p_outdated) AS g(org_id, id, claim, data, outdated)
    ), free AS MATERIALIZED (
      SELECT d.org_id, d.id, coalesce(nullif(d.data, g.outdated), g.data) AS data
      FROM given g
      JOIN delivery d ON d.org_id = g.org_id AND d.id = g.id AND d.claim = g.claim AND d.claimed_until IS NOT NULL
      FOR UPDATE OF d SKIP LOCKED
    ), stored AS (
      UPDATE delivery d SET data = f.data FROM free f WHERE d.org_id = f.org_id AND d.id = f.id RETURNING d.id, d.data
    )
    SELECT d.id, s.data
    FROM given g
    JOIN delivery d ON d.org_id = g.org_id AND d.id = g.id AND d.claim = g.claim AND d.claimed_until IS NOT NULL
    LEFT JOIN stored s ON s.id = d.id
  $$`,
  Comment.onFunction(
    "delivery_store",
    `
    Keeps what deliveries carry, each for a claim that still holds, and answers what is kept: the first, unless it is the
    outdated one. Waits for nobody: null of one that somebody else changes at this moment.
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
    held_orgs text[];
    held uuid[];
  BEGIN
    WITH touched AS MATERIALIZED (
      SELECT DISTINCT d.org_id, d.endpoint_id
      FROM jsonb_to_recordset(p_records) AS r("orgId" text, id uuid, claim integer)
      JOIN delivery d ON d.org_id = r."orgId" AND d.id = r.id AND d.claim = r.claim
    ), lane AS MATERIALIZED (
      SELECT l.org_id, l.endpoint_id
      FROM touched t JOIN delivery_lane l ON l.org_id = t.org_id AND l.endpoint_id = t.endpoint_id
      ORDER BY l.org_id, l.endpoint_id FOR UPDATE OF l
    )
    SELECT array_agg(l.org_id), array_agg(l.endpoint_id) INTO held_orgs, held FROM lane l;

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
      SET attempts = v.attempt, claimed_until = NULL, place = NULL,
        state = CASE WHEN v.tried THEN 'retry_wait' ELSE v.state END,
        reason = CASE WHEN NOT v.tried THEN v.reason END,
        due_at = CASE
          WHEN v.tried THEN
            now() + coalesce(p_delays[least(v.attempt, cardinality(p_delays))], 0) * interval '1 millisecond'
          ELSE coalesce(to_timestamp(v.until / 1000), now())
        END
      FROM verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NULL
    ), finished AS (
      DELETE FROM delivery d USING verdict v WHERE d.org_id = v.org_id AND d.id = v.id AND v.finish IS NOT NULL
      RETURNING d.*, v.finish, v.attempt, v.resent, CASE WHEN NOT v.tried THEN v.reason END AS why
    ), passed AS MATERIALIZED (
      SELECT d.org_id, d.id FROM standing s JOIN delivery d ON d.org_id = s.org_id AND d.endpoint_id = s.id
      WHERE s.why IS NOT NULL AND (d.claimed_until IS NULL OR d.claimed_until <= now()) AND d.id NOT IN (SELECT h.id FROM held h)
      FOR UPDATE OF d SKIP LOCKED
    ), dropped AS (
      DELETE FROM delivery d USING passed p WHERE d.org_id = p.org_id AND d.id = p.id RETURNING d.*
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

    /* A place is free. */
    UPDATE delivery_lane l SET waits_for_place = false, due_at = now()
    FROM unnest(held_orgs, held) AS h(org_id, id)
    WHERE l.org_id = h.org_id AND l.endpoint_id = h.id AND l.waits_for_place;
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
