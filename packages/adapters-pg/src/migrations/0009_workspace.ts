/**
 * What the people of an organization keep: lists, notes, tasks, saved searches, and what they ask the operator for.
 *
 * - `list.name_key`: the name as it is compared; made by the core, so that it does not depend on the database's language.
 * - `list.item_count` is kept by triggers, whoever changes the items.
 * - `list_seen`: whether a member, or null for an organization's key, sees a list.
 * - `list_create`: of calls for one name, one goes at a time, so that a name that must be new is.
 * - `list_add`, `list_remove`: one change of a list goes at a time, and the items are read after the list is locked.
 * - `saved_search.name_key`: like that of a list. `saved_search_add` lets one of a member's calls at a time through, so
 *   that the number of them is exact.
 * - `request_add`: one request of an organization and kind goes at a time, so that no more are taken than allowed.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE list
    ADD COLUMN name_key text,
    ADD COLUMN owner_id uuid,
    ADD COLUMN shared_with uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN item_count integer NOT NULL DEFAULT 0 CHECK (item_count >= 0),
    ADD CONSTRAINT list_visibility CHECK (visibility IN ('private', 'team', 'shared')),
    ADD FOREIGN KEY (org_id, owner_id) REFERENCES member`,
  `UPDATE list l SET name_key = lower(btrim(list_name)),
    item_count = (SELECT count(*) FROM list_item i WHERE i.org_id = l.org_id AND i.list_id = l.id)`,
  `ALTER TABLE list ALTER COLUMN name_key SET NOT NULL`,
  `CREATE INDEX list_recent ON list (org_id, created_at DESC, id)`,
  `CREATE INDEX list_named ON list (org_id, list_type, name_key)`,
  `CREATE INDEX list_item_recent ON list_item (org_id, list_id, added_at DESC, item_id)`,

  `CREATE FUNCTION list_seen(visibility text, owner_id uuid, shared_with uuid[], reader uuid) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    reader IS NULL OR visibility = 'team' OR owner_id IS NOT DISTINCT FROM reader
    OR (visibility = 'shared' AND reader = ANY(shared_with))`,

  `CREATE FUNCTION list_item_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE list l SET item_count = l.item_count + c.items
    FROM (SELECT org_id, list_id, count(*) AS items FROM added GROUP BY 1, 2) c
    WHERE l.org_id = c.org_id AND l.id = c.list_id;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION list_item_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE list l SET item_count = l.item_count - c.items
    FROM (SELECT org_id, list_id, count(*) AS items FROM removed GROUP BY 1, 2) c
    WHERE l.org_id = c.org_id AND l.id = c.list_id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER list_item_added AFTER INSERT ON list_item
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_item_added()`,
  `CREATE TRIGGER list_item_removed AFTER DELETE ON list_item
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION list_item_removed()`,

  /* The ids of that kind that an organization with that area may put into a list. */
  `CREATE FUNCTION list_available(kind text, ids uuid[], nationwide boolean, state_fips text[], counties text[])
  RETURNS TABLE (id uuid) LANGUAGE sql STABLE AS $$
    SELECT p.id FROM property p
    WHERE kind = 'properties' AND p.id = ANY(ids) AND p.retired_into IS NULL
      AND (nationwide OR p.county_fips = ANY(counties) OR left(p.county_fips, 2) = ANY(state_fips))
    UNION ALL
    SELECT c.id FROM contact c
    WHERE kind = 'contacts' AND c.id = ANY(ids) AND EXISTS (
      SELECT FROM property_contact pc JOIN property p ON p.id = pc.property_id
      WHERE pc.contact_id = c.id AND p.retired_into IS NULL
        AND (nationwide OR p.county_fips = ANY(counties) OR left(p.county_fips, 2) = ANY(state_fips))
    )
  $$`,

  `CREATE FUNCTION list_create(
    of_org text, new_id uuid, new_name text, new_key text, new_type text, new_visibility text, owner uuid,
    new_owner_name text, new_shared_with uuid[], on_clash text, at timestamptz
  ) RETURNS TABLE (created boolean, made list) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF on_clash <> 'allow' THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('list ' || of_org || ' ' || new_type || ' ' || new_key, 0));
      SELECT l.* INTO made FROM list l,
        LATERAL (SELECT l.visibility = new_visibility AND (l.visibility = 'team' OR l.owner_id IS NOT DISTINCT FROM owner) AS same) place
      WHERE l.org_id = of_org AND l.list_type = new_type AND l.name_key = new_key
        AND (place.same OR (on_clash = 'reuse' AND owner IS NOT NULL
          AND list_seen(l.visibility, l.owner_id, l.shared_with, owner)))
      ORDER BY place.same DESC, l.created_at, l.id LIMIT 1;
    END IF;
    created := made.id IS NULL;
    IF created THEN
      INSERT INTO list AS l (
        org_id, id, list_name, name_key, list_type, visibility, owner_id, owner_name, shared_with, created_at
      ) VALUES (
        of_org, new_id, new_name, new_key, new_type, new_visibility, owner, new_owner_name, new_shared_with, at
      ) RETURNING l.* INTO made;
    END IF;
    RETURN NEXT;
  END $$`,

  /* No row: no such list. */
  `CREATE FUNCTION list_add(
    of_org text, of_list uuid, reader uuid, ids uuid[], nationwide boolean, state_fips text[], counties text[],
    at timestamptz
  ) RETURNS TABLE (kind text, added integer, unavailable uuid[], of_other_kind boolean)
  LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    SELECT l.list_type INTO kind FROM list l
    WHERE l.org_id = of_org AND l.id = of_list AND list_seen(l.visibility, l.owner_id, l.shared_with, reader)
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    SELECT coalesce(array_agg(given.id ORDER BY given.place), '{}') INTO unavailable
    FROM unnest(ids) WITH ORDINALITY AS given (id, place)
    WHERE NOT EXISTS (
      SELECT FROM list_available(kind, ids, nationwide, state_fips, counties) a WHERE a.id = given.id
    );
    added := 0;
    IF cardinality(unavailable) > 0 THEN
      of_other_kind := EXISTS (
        SELECT FROM list_available(
          CASE kind WHEN 'properties' THEN 'contacts' ELSE 'properties' END, unavailable, nationwide, state_fips, counties
        )
      );
    ELSE
      INSERT INTO list_item (org_id, list_id, item_id, added_at)
      SELECT of_org, of_list, given.id, at FROM unnest(ids) AS given (id)
      ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS added = ROW_COUNT;
    END IF;
    RETURN NEXT;
  END $$`,

  /* Null: written before members were known. The name stays as it was then. */
  `ALTER TABLE note ADD COLUMN author_id uuid, ADD FOREIGN KEY (org_id, author_id) REFERENCES member`,
  `ALTER TABLE task
    ADD COLUMN author_id uuid, ADD FOREIGN KEY (org_id, author_id) REFERENCES member,
    ADD COLUMN assignee_id uuid, ADD FOREIGN KEY (org_id, assignee_id) REFERENCES member`,
  `CREATE INDEX task_recent ON task (org_id, created_at DESC, id)`,

  `CREATE TABLE saved_search (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    owner_name text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    /* The arguments of the search, as they were sent. */
    search jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, owner_id) REFERENCES member
  )`,
  `CREATE UNIQUE INDEX saved_search_name ON saved_search (org_id, owner_id, name_key)`,
  `CREATE INDEX saved_search_recent ON saved_search (org_id, created_at DESC, id)`,
  `CREATE FUNCTION saved_search_add(
    of_org text, new_id uuid, owner uuid, new_owner_name text, new_name text, new_key text, new_search jsonb, most integer,
    at timestamptz
  ) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM member m WHERE m.org_id = of_org AND m.member_id = owner FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM saved_search s WHERE s.org_id = of_org AND s.owner_id = owner AND s.name_key = new_key) THEN
      RETURN 'in_use';
    END IF;
    IF (SELECT count(*) FROM saved_search s WHERE s.org_id = of_org AND s.owner_id = owner) >= most THEN
      RETURN 'too_many';
    END IF;
    INSERT INTO saved_search (org_id, id, owner_id, owner_name, name, name_key, search, created_at)
    VALUES (of_org, new_id, owner, new_owner_name, new_name, new_key, new_search, at);
    RETURN 'saved';
  END $$`,

  /* When an import last brought rows of the county. */
  `ALTER TABLE county ADD COLUMN refreshed_at timestamptz`,

  `CREATE TABLE operator_request (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('support', 'coverage')),
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
    subject text,
    message text,
    county_fips text[],
    actor jsonb NOT NULL,
    request_id text NOT NULL,
    created_at timestamptz NOT NULL,
    closed_at timestamptz,
    PRIMARY KEY (org_id, id),
    CHECK ((kind = 'support') = (subject IS NOT NULL AND message IS NOT NULL)),
    CHECK ((kind = 'coverage') = (county_fips IS NOT NULL)),
    CHECK ((status = 'closed') = (closed_at IS NOT NULL))
  )`,
  `CREATE INDEX operator_request_recent ON operator_request (org_id, kind, created_at DESC)`,
  `CREATE INDEX operator_request_open ON operator_request (created_at DESC, id) WHERE status = 'open'`,
  /* Null: recorded. Otherwise when the oldest of those that count leaves the window. */
  `CREATE FUNCTION request_add(
    of_org text, new_id uuid, new_kind text, new_subject text, new_message text, counties text[], new_actor jsonb,
    new_request_id text, most integer, span interval, at timestamptz
  ) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    counted integer;
    oldest timestamptz;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('request ' || of_org || ' ' || new_kind, 0));
    SELECT count(*), min(recent.created_at) INTO counted, oldest FROM (
      SELECT r.created_at FROM operator_request r
      WHERE r.org_id = of_org AND r.kind = new_kind AND r.created_at > at - span
      ORDER BY r.created_at DESC LIMIT most
    ) recent;
    IF counted >= most THEN RETURN oldest + span; END IF;
    INSERT INTO operator_request (org_id, id, kind, subject, message, county_fips, actor, request_id, created_at)
    VALUES (of_org, new_id, new_kind, new_subject, new_message, counties, new_actor, new_request_id, at);
    RETURN NULL;
  END $$`,

  /* No row: no such list. */
  `CREATE FUNCTION list_remove(of_org text, of_list uuid, reader uuid, ids uuid[])
  RETURNS TABLE (removed integer) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM list l
    WHERE l.org_id = of_org AND l.id = of_list AND list_seen(l.visibility, l.owner_id, l.shared_with, reader)
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM list_item i WHERE i.org_id = of_org AND i.list_id = of_list AND i.item_id = ANY(ids);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN NEXT;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
