/** What `ListsPg` calls: one change of a list goes at a time, and the items are read after the list is locked. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION list_seen(visibility text, owner_id uuid, shared_with uuid[], reader uuid) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    reader IS NULL OR visibility = 'team' OR owner_id IS NOT DISTINCT FROM reader
    OR (visibility = 'shared' AND reader = ANY(shared_with))`,
  Comment.onFunction("list_seen", "Whether a member, or null for an organization's key, sees a list."),

  `CREATE OR REPLACE FUNCTION list_item_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE list l SET item_count = l.item_count + c.items
    FROM (SELECT org_id, list_id, count(*) AS items FROM added GROUP BY 1, 2) c
    WHERE l.org_id = c.org_id AND l.id = c.list_id;
    RETURN NULL;
  END $$`,
  Comment.onFunction("list_item_added", "Trigger of list_item: keeps list.item_count."),

  `CREATE OR REPLACE FUNCTION list_item_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE list l SET item_count = l.item_count - c.items
    FROM (SELECT org_id, list_id, count(*) AS items FROM removed GROUP BY 1, 2) c
    WHERE l.org_id = c.org_id AND l.id = c.list_id;
    RETURN NULL;
  END $$`,
  Comment.onFunction("list_item_removed", "Trigger of list_item: keeps list.item_count."),

  `CREATE OR REPLACE FUNCTION list_available(kind text, ids uuid[], nationwide boolean, state_fips text[], counties text[])
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
  Comment.onFunction(
    "list_available",
    `
    The ids of that kind that an organization with that area may put into a list.
  `
  ),

  `CREATE OR REPLACE FUNCTION list_create(
    of_org text, new_id uuid, new_name text, new_key text, new_type text, new_visibility text, owner uuid,
    new_owner_name text, new_shared_with uuid[], on_clash text, most integer, at timestamptz
  ) RETURNS TABLE (created boolean, made list) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('lists ' || of_org, 0));
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
      IF (SELECT count(*) FROM list l WHERE l.org_id = of_org) >= most THEN RETURN; END IF;
      INSERT INTO list AS l (
        org_id, id, list_name, name_key, list_type, visibility, owner_id, owner_name, shared_with, created_at
      ) VALUES (
        of_org, new_id, new_name, new_key, new_type, new_visibility, owner, new_owner_name, new_shared_with, at
      ) RETURNING l.* INTO made;
    END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "list_create",
    `
    Makes a list, or finds the one that has the name when it may be reused; one call of an organization goes at a
    time, so that a name that must be new is, and the number of lists is exact. No row: there are as many as may be.
  `
  ),

  `CREATE OR REPLACE FUNCTION list_add(
    of_org text, of_list uuid, reader uuid, ids uuid[], nationwide boolean, state_fips text[], counties text[],
    most_of_one integer, most_of_all integer, at timestamptz
  ) RETURNS TABLE (kind text, added integer, unavailable uuid[], of_other_kind boolean)
  LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    fresh integer;
    kept integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('list items ' || of_org, 0));
    SELECT l.list_type, l.item_count INTO kind, kept FROM list l
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
      SELECT count(*) INTO fresh FROM (SELECT DISTINCT given.id FROM unnest(ids) AS given (id)) named
      WHERE NOT EXISTS (
        SELECT FROM list_item i WHERE i.org_id = of_org AND i.list_id = of_list AND i.item_id = named.id
      );
      IF fresh > 0 AND (
        kept + fresh > most_of_one
        OR (SELECT sum(l.item_count) FROM list l WHERE l.org_id = of_org) + fresh > most_of_all
      ) THEN
        added := NULL;
      ELSE
        INSERT INTO list_item (org_id, list_id, item_id, added_at)
        SELECT of_org, of_list, given.id, at FROM unnest(ids) AS given (id)
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
      END IF;
    END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "list_add",
    `
    Adds all of the ids, or none if one is unavailable, or if there would be more than may be (added is null then). One call of
    an organization goes at a time, so that the number is exact. No row: no such list.
  `
  ),

  `CREATE OR REPLACE FUNCTION list_remove(of_org text, of_list uuid, reader uuid, ids uuid[])
  RETURNS TABLE (removed integer) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM list l
    WHERE l.org_id = of_org AND l.id = of_list AND list_seen(l.visibility, l.owner_id, l.shared_with, reader)
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM list_item i WHERE i.org_id = of_org AND i.list_id = of_list AND i.item_id = ANY(ids);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN NEXT;
  END $$`,
  Comment.onFunction("list_remove", "Takes the ids out, and answers how many were in. No row: no such list.")
]
