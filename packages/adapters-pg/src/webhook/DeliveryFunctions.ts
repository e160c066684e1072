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
 *     organization, then events, then lanes, then endpoints, then deliveries, then the organization's account,
 *     then the clock that new events are given their order by (event_order)
 *
 * - Events that are there already are locked by fan-outs, which wait for none of them, and by who takes changes back
 *   (changes_hold): what is taken back is either fanned out by then, and its deliveries are seen, or not before that has ended.
 * - Several of a kind are locked in the order of their keys, before any of them is changed; lines of the log too, by whoever forgets what they hold.
 * - `delivery_succeed` locks no lanes, and `delivery_leave` nothing else, in a transaction of its own: who had deliveries and waited for a
 *   lane would stand in the way of everybody who keeps the order.
 * - What makes deliveries due earlier locks their lanes itself, before them: a trigger would lock them after.
 * - Whoever sends again what has ended locks its lane first, and its line of the log after: the trigger would lock the lane last. In one
 *   transaction it is of one endpoint.
 * - New deliveries are nobody else's yet: their lanes are locked after they were added, by the trigger.
 * - The outcome of a delivery that was given to another endpoint while it was sent changes that one's lane last. It can stand in the way
 *   of whoever replaces that one again at this very moment, and then one of both is tried again.
 * - Rows of an endpoint are locked FOR NO KEY UPDATE, which lets deliveries be added that refer to them.
 * - `delivery_claim` and `delivery_store` wait for nobody, and neither does what cancels what waits for an endpoint: what it
 *   passes by, and what is more than it goes through, is cancelled by the claim that finds it, or given to the endpoint that took its
 *   place (`EndedEndpoints.ts`). Whoever disables or removes an endpoint locks its lane first.
 * - Who records outcomes waits for `lockPatience` at most, and then records those of each organization apart.
 *
 * A lane (`delivery_lane`) says from when on there may be something to claim for an endpoint. Whatever makes something due
 * earlier lowers it (triggers do), only a claim raises it. So a claim looks at the endpoints that are due and at no others,
 * however many wait.
 */
import * as Comment from "../database/Comment.ts"
import * as DeliveryClaimFunction from "./DeliveryClaimFunction.ts"
import * as DeliveryCompleteFunction from "./DeliveryCompleteFunction.ts"
import * as DeliverySucceedFunction from "./DeliverySucceedFunction.ts"

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
      WHERE d.limited AND d.due_at > now() AND d.org_id = ANY(p_orgs)
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

  ...DeliveryClaimFunction.functions,

  `CREATE OR REPLACE FUNCTION delivery_store(
    p_orgs text[], p_ids uuid[], p_claims integer[], p_data text[], p_outdated text[]
  ) RETURNS TABLE (id uuid, data text) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  #variable_conflict use_column
  DECLARE
    stored uuid[];
    kept text[];
  BEGIN
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(p_orgs, p_ids, p_claims, p_data, p_outdated) AS g(org_id, id, claim, data, outdated)
    ), free AS MATERIALIZED (
      SELECT d.spot, coalesce(nullif(d.data, g.outdated), g.data) AS data
      FROM given g CROSS JOIN LATERAL (
        SELECT f.ctid AS spot, f.data FROM delivery f
        WHERE f.org_id = g.org_id AND f.id = g.id AND f.claim = g.claim AND f.claimed_until IS NOT NULL
        OFFSET 0 FOR UPDATE SKIP LOCKED
      ) d
    ), changed AS (
      UPDATE delivery d SET data = f.data FROM free f WHERE d.ctid = f.spot RETURNING d.id, d.data
    )
    SELECT coalesce(array_agg(c.id), '{}'), array_agg(c.data) INTO stored, kept FROM changed c;
    RETURN QUERY SELECT * FROM unnest(stored, kept);
    IF cardinality(stored) < cardinality(p_ids) THEN
      RETURN QUERY
      SELECT d.id, NULL::text FROM unnest(p_orgs, p_ids, p_claims) AS g(org_id, id, claim)
      JOIN delivery d ON d.org_id = g.org_id AND d.id = g.id AND d.claim = g.claim AND d.claimed_until IS NOT NULL
      WHERE d.id <> ALL(stored);
    END IF;
  END $$`,
  Comment.onFunction(
    "delivery_store",
    `
    Keeps what deliveries carry, each for a claim that still holds, and answers what is kept: the first, unless it is the
    outdated one. Waits for nobody: null of one that somebody else changes at this moment.
  `
  ),

  ...DeliveryCompleteFunction.functions,
  ...DeliverySucceedFunction.functions
]
