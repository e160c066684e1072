/**
 * Claims due deliveries, each on a place of its endpoint. The order of locks is that of `DeliveryFunctions`.
 *
 * - Only lanes that are due are looked at. Rows that are locked already are found by where they stand, and a claimed row
 *   changes no column of an index: so a claim costs the same however many deliveries and endpoints wait.
 * - No sort is wanted, so that of an endpoint what is due is read in the order of its index, whatever the statistics say.
 * - Plans are kept, however cheap one for the very values looks: to make it takes a quarter of the time of a claim.
 * - What is claimed stays due by its `due_at` and is passed over while its lease lasts; of one endpoint these are as many as
 *   its places take.
 * - How many deliveries a place has, until when and by whom, stands with the lane. A place whose last lease ended is free,
 *   whatever else is written there.
 */
import * as Comment from "../database/Comment.ts"
import * as EndedEndpoints from "./EndedEndpoints.ts"

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_claim(
    p_limit integer, p_per_endpoint integer, p_lease interval, p_turns jsonb DEFAULT '{}', p_claimer uuid DEFAULT NULL,
    p_unproven integer DEFAULT NULL
  ) RETURNS TABLE (
    delivery_id uuid, endpoint_id uuid, claim integer, attempt integer, url text, secret_sealed bytea,
    previous_secret_sealed bytea, event_type text, test boolean, org_id text, property_id uuid, partial boolean, data text,
    place integer, event_id uuid, delivered boolean, include_evidence boolean, heir_id uuid
  ) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off SET enable_incremental_sort = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    /* Each endpoint beside its organization. */
    held_orgs text[];
    held uuid[];
    /* Where its lane stands, which is locked: no index is asked for it. */
    held_lanes tid[];
    live_orgs text[];
    live uuid[];
    live_lanes tid[];
    /* How many deliveries each of its places takes, and how many places are open. */
    live_turns integer[];
    live_open integer[];
    live_endpoints webhook_endpoint[];
    dead_orgs text[];
    dead uuid[];
    /* Of one endpoint, so that no more is looked at than a claim takes, and some. */
    share integer;
  BEGIN
    WITH candidate AS MATERIALIZED (
      SELECT l.org_id, l.endpoint_id, l.ctid AS lane FROM delivery_lane l
      WHERE l.due_at <= now() AND l.org_id <> ALL(ARRAY(
        /* Nothing of them changes, so that they would be looked at first each time. */
        SELECT m.org_id FROM organization_move m WHERE m.moved_at IS NULL
      ))
      ORDER BY l.due_at LIMIT p_limit
      FOR UPDATE SKIP LOCKED
    )
    SELECT array_agg(c.org_id), array_agg(c.endpoint_id), array_agg(c.lane) INTO held_orgs, held, held_lanes FROM candidate c;
    IF held IS NULL THEN RETURN; END IF;

    /* An endpoint that somebody changes at this moment is looked at again. */
    WITH standing AS MATERIALIZED (
      SELECT w.org_id, w.id, w.active AND w.cancels_until IS NULL AS active, h.lane, w AS endpoint
      FROM unnest(held_orgs, held, held_lanes) AS h(org_id, id, lane)
      JOIN webhook_endpoint w ON w.org_id = h.org_id AND w.id = h.id
      JOIN organization o ON o.org_id = w.org_id
      WHERE o.status = 'active'
      FOR NO KEY UPDATE OF w SKIP LOCKED
    )
    SELECT array_agg(s.org_id) FILTER (WHERE s.active), array_agg(s.id) FILTER (WHERE s.active),
      array_agg(s.lane) FILTER (WHERE s.active), array_agg(s.endpoint) FILTER (WHERE s.active),
      array_agg(greatest((p_turns ->> s.id::text)::integer, 1)) FILTER (WHERE s.active),
      array_agg(CASE WHEN p_turns ? s.id::text THEN p_per_endpoint ELSE least(p_unproven, p_per_endpoint) END)
        FILTER (WHERE s.active),
      array_agg(s.org_id) FILTER (WHERE NOT s.active), array_agg(s.id) FILTER (WHERE NOT s.active)
    INTO live_orgs, live, live_lanes, live_endpoints, live_turns, live_open, dead_orgs, dead FROM standing s;

    /*
     * What was made or claimed while its endpoint was being disabled or replaced, and what else still waits for it: the
     * longest due first, so much at once that others hardly wait. Whoever is at the lane of one that took another's place is not
     * waited for: then it is looked at again.
     */
    IF dead IS NOT NULL THEN
      WITH ended AS MATERIALIZED (
        SELECT e.org_id, e.id, o.active, o.cancels_until, w.id AS heir_id, w.events
        FROM unnest(dead_orgs, dead) AS e(org_id, id)
        JOIN webhook_endpoint o ON o.org_id = e.org_id AND o.id = e.id
        LEFT JOIN webhook_endpoint w
          ON o.disabled_reason = 'superseded' AND w.org_id = o.org_id AND w.target_key = o.target_key AND w.active
      ), heir AS MATERIALIZED (
        SELECT e.org_id, e.id, l.ctid AS lane FROM ended e
        JOIN delivery_lane l ON l.org_id = e.org_id AND l.endpoint_id = e.heir_id
        FOR NO KEY UPDATE OF l SKIP LOCKED
      ), passed AS MATERIALIZED (
        SELECT d.spot, e.id, h.lane, CASE WHEN d.event_type = ANY(e.events) AND NOT d.cancelled THEN e.heir_id END AS heir_id
        FROM ended e LEFT JOIN heir h ON h.org_id = e.org_id AND h.id = e.id
        CROSS JOIN LATERAL (
          SELECT f.ctid AS spot, f.event_type, c.cancelled FROM delivery f
          CROSS JOIN LATERAL (
            SELECT ${EndedEndpoints.waitedAtEnd("f", "e")} AS cancelled
          ) c
          WHERE f.org_id = e.org_id AND f.endpoint_id = e.id AND (f.claimed_until IS NULL OR f.claimed_until <= now())
            AND (c.cancelled OR NOT e.active)
          ORDER BY f.due_at LIMIT greatest(${EndedEndpoints.step} / cardinality(dead), 10) FOR UPDATE OF f SKIP LOCKED
        ) d
        WHERE e.heir_id IS NULL OR h.lane IS NOT NULL
      ), done AS (
        UPDATE webhook_endpoint w SET cancels_until = NULL FROM ended e
        WHERE w.org_id = e.org_id AND w.id = e.id AND e.cancels_until IS NOT NULL AND e.heir_id IS NULL
          AND NOT EXISTS (
            SELECT FROM delivery f
            WHERE f.org_id = e.org_id AND f.endpoint_id = e.id AND (f.claimed_until IS NULL OR f.claimed_until <= now())
              AND ${EndedEndpoints.waitedAtEnd("f", "e")}
          )
      ), moved AS (
        UPDATE delivery d SET endpoint_id = p.heir_id, place = NULL FROM passed p
        WHERE d.ctid = p.spot AND p.heir_id IS NOT NULL RETURNING p.lane
      ), lane AS (
        /* After now, up to which this claim has looked: so it asks again at once. Lanes that this claim looks at next stay where they are. */
        UPDATE delivery_lane l SET due_at = least(l.due_at, now() + interval '1 millisecond')
        FROM (SELECT DISTINCT v.lane FROM moved v) m
        WHERE l.ctid = m.lane AND NOT l.waits_for_place AND l.ctid <> ALL(coalesce(live_lanes, '{}'))
      ), gone AS (
        DELETE FROM delivery d USING passed p WHERE d.ctid = p.spot AND p.heir_id IS NULL RETURNING d.*
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

    share := greatest(2 * p_limit / coalesce(cardinality(live), 1), 1);
    RETURN QUERY
    WITH slot AS MATERIALIZED (
      /* Each place as often as it has room, the emptiest first. */
      SELECT e.*, n.places, least(cardinality(n.places), share) AS room
      FROM unnest(live_orgs, live, live_lanes, live_turns, live_open)
        WITH ORDINALITY AS e(org_id, id, lane, turns, open, number)
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(p ORDER BY nth, p), '{}') AS places
        FROM delivery_lane l
        CROSS JOIN generate_series(1, e.open) AS p
        CROSS JOIN LATERAL (
          SELECT CASE
            WHEN l.place_held[p] IS NULL OR l.place_until[p] <= now() THEN 0
            WHEN l.place_held[p] = 0 OR l.place_claimer[p] = p_claimer THEN l.place_held[p]
            ELSE e.turns
          END AS taken
        ) h
        CROSS JOIN generate_series(h.taken + 1, least(e.turns, h.taken + 1 + share / p_per_endpoint)) AS nth
        WHERE l.ctid = e.lane
      ) n
    ), candidate AS MATERIALIZED (
      /* And the one after them, which says when the lane is due again. Of an endpoint without any, a row without one. */
      SELECT e.lane, e.number, e.turns, e.open, d.spot, d.due_at, d.turn,
        CASE WHEN d.turn <= e.room AND d.due_at <= now() THEN e.places[d.turn]::smallint END AS place
      FROM slot e LEFT JOIN LATERAL (
        SELECT f.spot, f.due_at, (row_number() OVER (ORDER BY f.due_at))::integer AS turn
        FROM (
          SELECT c.ctid AS spot, c.due_at FROM delivery c
          WHERE c.org_id = e.org_id AND c.endpoint_id = e.id
            AND (c.claimed_until IS NULL OR c.claimed_until <= now())
          ORDER BY c.due_at LIMIT e.room + 1
        ) f
      ) d ON true
    ), chosen AS MATERIALIZED (
      SELECT c.spot, c.place, c.number FROM candidate c WHERE c.place IS NOT NULL ORDER BY c.turn, c.due_at LIMIT p_limit
    ), free AS MATERIALIZED (
      /* One whose data is being forgotten at this moment is passed by. */
      SELECT d.ctid AS spot, c.place, c.number FROM chosen c JOIN delivery d ON d.ctid = c.spot FOR UPDATE OF d SKIP LOCKED
    ), claimed AS (
      /* No column of an index changes, however many wait. */
      UPDATE delivery d
      SET state = 'delivering', claim = d.claim + 1, claimed_until = now() + p_lease, place = free.place, reason = NULL
      FROM free WHERE d.ctid = free.spot
      RETURNING d.*, live_endpoints[free.number] AS receiver
    ), looked AS MATERIALIZED (
      SELECT c.lane, c.turns, c.open,
        coalesce(array_agg(c.place) FILTER (WHERE c.taken), '{}') AS places,
        coalesce(min(c.due_at) FILTER (WHERE NOT c.taken), 'infinity') AS due_at
      FROM (SELECT c.*, c.spot IN (SELECT f.spot FROM free f) AS taken FROM candidate c) c
      GROUP BY c.lane, c.turns, c.open
    ), lane AS (
      /* Due again when something in it is, or the first lease ends; with places free, at once where more is due. */
      UPDATE delivery_lane l
      SET place_held = n.held, place_until = n.until, place_claimer = n.claimer,
        waits_for_place = k.due_at <= now() AND NOT n.free,
        due_at = CASE WHEN k.due_at <= now() AND NOT n.free THEN n.ends_at ELSE least(k.due_at, n.ends_at) END
      FROM looked k CROSS JOIN LATERAL (
        SELECT array_agg(t.held ORDER BY p) AS held, array_agg(t.until ORDER BY p) AS until,
          array_agg(t.claimer ORDER BY p) AS claimer,
          min(t.until) FILTER (WHERE t.held > 0) AS ends_at,
          bool_or(p <= k.open AND (
            t.held = 0 OR coalesce(t.claimer = p_claimer AND t.held < k.turns, false)
          )) AS free
        FROM delivery_lane b
        CROSS JOIN generate_series(1, greatest(p_per_endpoint, cardinality(b.place_held))) AS p
        CROSS JOIN LATERAL (SELECT coalesce(cardinality(array_positions(k.places, p::smallint)), 0) AS added) a
        CROSS JOIN LATERAL (
          SELECT CASE WHEN b.place_until[p] > now() THEN coalesce(b.place_held[p], 0) ELSE 0 END + a.added AS held,
            CASE
              WHEN a.added > 0 THEN greatest(b.place_until[p], now() + p_lease)
              ELSE coalesce(b.place_until[p], '-infinity')
            END AS until,
            CASE WHEN a.added > 0 THEN p_claimer ELSE b.place_claimer[p] END AS claimer
        ) t
        WHERE b.ctid = k.lane
      ) n
      WHERE l.ctid = k.lane
    )
    SELECT c.id, c.endpoint_id, c.claim, c.attempts + c.resends + 1, (c.receiver).url, (c.receiver).secret_sealed,
      CASE WHEN (c.receiver).previous_secret_until > now() THEN (c.receiver).previous_secret_sealed END,
      c.event_type, c.test, c.org_id, c.property_id, c.partial, c.data, c.place::integer,
      c.event_id, c.delivered_at IS NOT NULL, (c.receiver).include_evidence, coalesce(p.retired_into, p.id)
    FROM claimed c
    LEFT JOIN property p ON p.id = c.property_id;

    /* Nothing is claimed where the organization is not active, or the endpoint; what is changed is looked at again. */
    IF cardinality(held) > coalesce(cardinality(live), 0) THEN
      WITH looked AS MATERIALIZED (
        SELECT h.org_id, h.id, o.status = 'active' AS active, next.due_at, (
          SELECT min(t.until) FROM unnest(l.place_held, l.place_until) AS t(held, until)
          WHERE t.held > 0 AND t.until > now()
        ) AS ends_at
        FROM unnest(held_orgs, held) AS h(org_id, id)
        JOIN organization o ON o.org_id = h.org_id
        JOIN delivery_lane l ON l.org_id = h.org_id AND l.endpoint_id = h.id
        CROSS JOIN LATERAL (
          SELECT coalesce(min(d.due_at), 'infinity') AS due_at FROM (
            SELECT f.due_at FROM delivery f
            WHERE f.org_id = h.org_id AND f.endpoint_id = h.id AND (f.claimed_until IS NULL OR f.claimed_until <= now())
            ORDER BY f.due_at LIMIT 1
          ) d
        ) next
        WHERE h.id <> ALL(coalesce(live, '{}'))
      )
      /* No place is waited for there: whatever comes makes the lane due. */
      UPDATE delivery_lane l
      SET waits_for_place = false, due_at = CASE
        WHEN NOT k.active THEN now() + interval '1 hour'
        /* What still waits for an endpoint that sends no more is looked at behind what is due to others. */
        WHEN k.id = ANY(dead) AND k.due_at < 'infinity' THEN now() + interval '10 milliseconds'
        ELSE least(k.due_at, k.ends_at)
      END
      FROM looked k WHERE l.org_id = k.org_id AND l.endpoint_id = k.id;
    END IF;
  END $$`,
  Comment.onFunction(
    "delivery_claim",
    `
    Claims at most p_limit due deliveries for the time of a lease, on at most p_per_endpoint places of an endpoint, so many
    on one place as p_turns says of the endpoint; of one of which it says nothing, on at most p_unproven. A place that
    p_claimer has is filled up, one that another has is not. What
    was claimed stays due and is passed over until its lease ends, so that a claim whose worker vanished comes due by
    itself. What waits for an endpoint that was disabled is cancelled, and what waits for one that was replaced is given to
    the one that took its place: a bounded number of each claim.
  `
  )
]
