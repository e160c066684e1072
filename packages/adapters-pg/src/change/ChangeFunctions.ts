/**
 * Changes as events: which organization is told of which change, and of what was taken back.
 *
 * A change waits in `change_outbox` from the moment it is loaded until `changes_relay` made an event of it for each
 * organization that sees its subject. Events are written organization by organization, in one order.
 *
 * Of what was recorded before an organization first subscribed to changes it has events, too, which nobody is sent. By the
 * clock alone that could not be told: what is recorded is seen when its transaction ends, which may be long after.
 */
import * as Comment from "../database/Comment.ts"

/** So many events are made in one transaction, and those of one change more: whatever else waits to be sent waits for that. */
const eventsAtOnce = 2000

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION change_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO change_outbox (change_id) SELECT r.id FROM recorded r;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "change_recorded",
    `
    Trigger of property_change: puts changes into the outbox in the order in which they were inserted, which is that
    of the transition table.
  `
  ),

  `CREATE OR REPLACE FUNCTION in_area(county text, state_fips text[], county_fips text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN county = ANY(county_fips) OR left(county, 2) = ANY(state_fips)`,
  Comment.onFunction("in_area", "Whether a county is in an area."),

  `CREATE OR REPLACE FUNCTION change_subscribed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM unnest(NEW.events) AS e WHERE starts_with(e, 'signal.')) THEN
      INSERT INTO change_subscription (org_id, since, seen) VALUES (NEW.org_id, clock_timestamp(), pg_current_snapshot())
      ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "change_subscribed",
    "Trigger of webhook_endpoint: notes when an organization first subscribes to changes."
  ),

  `CREATE OR REPLACE FUNCTION change_places(of_property uuid, of_contact uuid) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT coalesce(heir.county_fips, p.county_fips) FROM property p LEFT JOIN property heir ON heir.id = p.retired_into
    WHERE p.id = of_property
    UNION
    SELECT p.county_fips FROM property_contact t JOIN property p ON p.id = t.property_id
    WHERE t.contact_id = of_contact AND p.retired_into IS NULL
    UNION
    SELECT p.county_fips FROM withheld_property_contact t JOIN property p ON p.id = t.property_id
    WHERE t.contact_id = of_contact AND p.retired_into IS NULL
  $$`,
  Comment.onFunction(
    "change_places",
    `
    The counties of the subject; of a person who asked not to be listed too, since what organizations are told is
    decided when it is sent.
  `
  ),

  `CREATE OR REPLACE FUNCTION changes_relay(areas jsonb, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    due uuid[];
    recorded timestamptz[];
    recorders xid8[];
    receivers text[];
    handled integer;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('freehold changes')) THEN RETURN 0; END IF;
    /* The first of them, and the others until they are so many events: all others' wait meanwhile. */
    WITH area AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(areas) AS a(org_id text, state_fips text[], county_fips text[])
    ), waiting AS MATERIALIZED (
      SELECT o.place, o.change_id, o.for_org FROM change_outbox o ORDER BY o.place LIMIT at_most
    ), told AS (
      SELECT w.place, sum(n.count) OVER (ORDER BY w.place) - n.count AS before
      FROM waiting w LEFT JOIN property_change c ON c.id = w.change_id
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT change_places(c.property_id, c.contact_id)) AS counties OFFSET 0) t
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT left(county, 2) FROM unnest(t.counties) AS county) AS states OFFSET 0) u
      CROSS JOIN LATERAL (
        SELECT count(*) FROM area a
        WHERE c.kind <> 'withdrawn' AND (w.for_org IS NULL OR a.org_id = w.for_org)
          AND (t.counties && a.county_fips OR u.states && a.state_fips)
      ) m
      CROSS JOIN LATERAL (
        SELECT m.count + count(*) AS count FROM event e WHERE c.kind = 'withdrawn' AND e.change_id = c.withdraws
      ) n
    ), taken AS (
      DELETE FROM change_outbox WHERE place IN (SELECT t.place FROM told t WHERE t.before < ${eventsAtOnce})
      RETURNING place, change_id, recorded_at, recorded_by, for_org
    )
    SELECT array_agg(t.change_id ORDER BY t.place), array_agg(t.recorded_at ORDER BY t.place),
      array_agg(t.recorded_by ORDER BY t.place), array_agg(t.for_org ORDER BY t.place), count(*)
    INTO due, recorded, recorders, receivers, handled FROM taken t;
    IF handled = 0 THEN RETURN 0; END IF;

    /* An organization that is fenced in is passed by, whoever relays; if it stays, it is told of these (cell/MoveFunctions.ts). */
    INSERT INTO organization_arrival_change (change_id)
    SELECT d.id FROM unnest(due) WITH ORDINALITY AS d(id, place)
    WHERE EXISTS (SELECT FROM organization_move m WHERE m.moved_at IS NULL)
    ORDER BY d.place
    ON CONFLICT DO NOTHING;
    PERFORM set_config('freehold.passing_by', 'on', true);

    /* What was still being written when an organization subscribed came after it, whenever that began. */
    INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, change_id, by_agent, occurred_at,
      before_subscription)
    SELECT a.org_id, gen_random_uuid(), 'signal.' || c.kind, c.property_id,
      CASE WHEN c.property_id IS NULL THEN 'contact' ELSE 'property' END, coalesce(c.property_id, c.contact_id)::text,
      c.id, false, c.detected_at,
      coalesce(d.recorded_at < s.since AND pg_visible_in_snapshot(d.recorded_by, s.seen), true)
    FROM (
      /* Once for each change, however many organizations there are. */
      SELECT d.*, t.counties, ARRAY(SELECT left(county, 2) FROM unnest(t.counties) AS county) AS states
      FROM unnest(due, recorded, recorders, receivers) WITH ORDINALITY AS d(id, recorded_at, recorded_by, for_org, place)
      JOIN property_change c ON c.id = d.id AND c.kind <> 'withdrawn'
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT change_places(c.property_id, c.contact_id)) AS counties OFFSET 0) t
      OFFSET 0
    ) d
    JOIN jsonb_to_recordset(areas) AS a(org_id text, state_fips text[], county_fips text[])
      ON (d.for_org IS NULL OR a.org_id = d.for_org) AND (d.counties && a.county_fips OR d.states && a.state_fips)
    JOIN property_change c ON c.id = d.id
    LEFT JOIN change_subscription s ON s.org_id = a.org_id
    ORDER BY a.org_id, d.place
    ON CONFLICT DO NOTHING;

    INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, change_id, withdraws_event_id,
      withdrawal_reason, by_agent, occurred_at)
    SELECT e.org_id, gen_random_uuid(), 'signal.withdrawn', e.property_id, e.subject_type, e.subject_id, e.change_id, e.id,
      'source_correction', false, now()
    FROM unnest(due) WITH ORDINALITY AS d(id, place)
    JOIN property_change w ON w.id = d.id AND w.kind = 'withdrawn'
    JOIN event e ON e.change_id = w.withdraws AND e.type <> 'signal.withdrawn'
    ORDER BY e.org_id, d.place
    ON CONFLICT DO NOTHING;
    PERFORM set_config('freehold.passing_by', 'off', true);
    RETURN handled;
  END $$`,
  Comment.onFunction(
    "changes_relay",
    `
    Makes events of the first changes of the outbox, of fewer where many are told, and answers how many it handled. Areas: [{org_id, state_fips,
    county_fips}], of every organization that has changes switched on. One relay runs at a time, in the order of the
    outbox, so that a withdrawal finds the events of its change.
  `
  ),

  `CREATE OR REPLACE FUNCTION changes_hold(changes uuid[], properties uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM event e WHERE e.change_id = ANY(changes) AND e.type <> 'signal.withdrawn'
    ORDER BY e.org_id, e.id FOR NO KEY UPDATE;
    /* Of a fan-out that was waited for, too. */
    PERFORM FROM delivery d WHERE (d.org_id, d.id) IN (
      SELECT f.org_id, f.id FROM event e JOIN delivery f ON f.org_id = e.org_id AND f.event_id = e.id
      WHERE e.change_id = ANY(changes) AND f.event_type <> 'signal.withdrawn'
      UNION ALL
      SELECT f.org_id, f.id FROM delivery f
      WHERE cardinality(properties) > 0 AND f.property_id = ANY(properties) AND f.data IS NOT NULL
    )
    ORDER BY d.org_id, d.id FOR NO KEY UPDATE;
  END $$`,
  Comment.onFunction(
    "changes_hold",
    `
    Locks the events of changes, which fan-outs pass by from then on, and what waits of them and of the bundles of these
    properties, in the order of locks that webhook/DeliveryFunctions.ts has.
  `
  ),

  `CREATE OR REPLACE FUNCTION changes_remove(changes uuid[]) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    told integer;
  BEGIN
    PERFORM changes_hold(changes, '{}');
    WITH made AS (
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, change_id, withdraws_event_id,
        withdrawal_reason, by_agent, occurred_at)
      SELECT e.org_id, gen_random_uuid(), 'signal.withdrawn', e.property_id, e.subject_type, e.subject_id, e.change_id,
        e.id, 'suppressed', false, now()
      FROM event e
      WHERE e.change_id = ANY(changes) AND e.type <> 'signal.withdrawn' AND e.status = 'fanned_out'
      ORDER BY e.org_id, e.created_at
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    SELECT count(*) INTO told FROM made;
    /* In the order of locks that webhook/DeliveryFunctions.ts has. */
    UPDATE delivery d SET data = NULL FROM (
      SELECT f.org_id, f.id FROM event e JOIN delivery f ON f.org_id = e.org_id AND f.event_id = e.id
      WHERE e.change_id = ANY(changes) AND f.event_type <> 'signal.withdrawn'
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE OF f
    ) o WHERE d.org_id = o.org_id AND d.id = o.id;
    UPDATE delivery_log d SET data = NULL FROM (
      SELECT f.org_id, f.id, f.created_at FROM event e
      JOIN delivery_log f ON f.event_id = e.id AND f.org_id = e.org_id AND f.created_at >= e.created_at - interval '1 day'
      WHERE e.change_id = ANY(changes) AND f.event_type <> 'signal.withdrawn' AND f.data IS NOT NULL
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE OF f
    ) o WHERE d.org_id = o.org_id AND d.id = o.id AND d.created_at = o.created_at;
    RETURN told;
  END $$`,
  Comment.onFunction(
    "changes_remove",
    `
    Tells those who may have been sent one of these changes to remove it, and forgets what was written to them;
    answers how many. A change that nobody was sent is left to the check when it is sent. Whose own transaction withholds what
    they tell lets no event be made of them before it ends: by pause of change/ChangeRelay.ts, or by the lock of their properties.
  `
  ),

  `CREATE OR REPLACE FUNCTION changes_about(person uuid, of_name text, of_property uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(id), '{}') FROM (
      SELECT c.id FROM property_change c WHERE c.contact_id = person
      UNION
      SELECT c.id FROM property_change c
      WHERE c.kind = 'ownership_transfer' AND c.property_id IN (
        SELECT of_property UNION ALL SELECT p.id FROM property p WHERE p.retired_into = of_property
      )
      UNION
      SELECT c.id FROM property_change c
      WHERE of_name IS NOT NULL AND c.kind = 'ownership_transfer'
        AND of_name IN (owner_name_key(c.before ->> 'value'), owner_name_key(c.after ->> 'value'))
    ) AS told
  $$`,
  Comment.onFunction(
    "changes_about",
    `
    The changes that tell of a person, of an owner by name, or of the owners of a property; also of what was merged
    into it, whose record may have been loaded since.
  `
  )
]
