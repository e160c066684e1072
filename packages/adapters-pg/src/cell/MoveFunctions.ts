/**
 * What keeps an organization still while it moves to another cell.
 *
 * The fence is a trigger on every table of organizations that fires for one of them alone. Making it waits for everybody who is
 * writing, so when it stands, what is written is committed and nothing comes any more: who asks is told to come
 * again, and a worker passes its rows by, so that what it does for others goes on. What arrived meanwhile and was passed by
 * is noted, and comes again for an organization that stays after all.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION organization_moves() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF starts_with(current_setting('application_name'), 'freehold worker')
      OR current_setting('freehold.passing_by', true) = 'on' THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'an organization is moving to another cell' USING ERRCODE = 'lock_not_available';
  END $$`,
  Comment.onFunction(
    "organization_moves",
    `
    Trigger of every table of organizations while one of them moves: refuses its rows, which a worker passes by, and so does
    who relays changes (freehold.passing_by).
  `
  ),

  `CREATE OR REPLACE FUNCTION organization_fence(org text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    owned record;
  BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    FOR owned IN
      SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND NOT a.attisdropped
        AND c.relname NOT IN ('organization_move', 'organization_arrival')
      ORDER BY c.relname
    LOOP
      EXECUTE format('CREATE OR REPLACE TRIGGER "0_moves_%s_in" BEFORE INSERT OR UPDATE ON %I FOR EACH ROW '
        'WHEN (NEW.org_id = %L) EXECUTE FUNCTION organization_moves()', md5(org), owned.name, org);
      EXECUTE format('CREATE OR REPLACE TRIGGER "0_moves_%s_out" BEFORE DELETE ON %I FOR EACH ROW '
        'WHEN (OLD.org_id = %L) EXECUTE FUNCTION organization_moves()', md5(org), owned.name, org);
    END LOOP;
  END $$`,
  Comment.onFunction("organization_fence", "Lets nothing of an organization change any more (organization_moves)."),

  `CREATE OR REPLACE FUNCTION organization_unfence(org text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    fence record;
  BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    FOR fence IN
      SELECT t.tgname AS name, c.relname AS of FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE starts_with(t.tgname, format('0_moves_%s_', md5(org))) AND t.tgparentid = 0 ORDER BY c.relname
    LOOP
      EXECUTE format('DROP TRIGGER %I ON %I', fence.name, fence.of);
    END LOOP;
  END $$`,
  Comment.onFunction("organization_unfence", "Takes the fence of an organization away."),

  `CREATE OR REPLACE FUNCTION moves_forget() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM organization_arrival_change
    WHERE NOT EXISTS (SELECT FROM organization_arrival)
      AND NOT EXISTS (SELECT FROM organization_move m WHERE m.moved_at IS NULL);
    DELETE FROM organization_move_arrival
    WHERE NOT EXISTS (SELECT FROM organization_move m WHERE m.moved_at IS NULL);
  END $$`,
  Comment.onFunction(
    "moves_forget",
    `
    Forgets what was noted for organizations that move, where none does. Called when a move begins as well: what was
    settled or told in the very moment in which the last one ended is noted after it.
  `
  ),

  `CREATE OR REPLACE FUNCTION organization_stay(org text) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    moving boolean;
  BEGIN
    /* Who settles or relays has ended, and noted what it passed by. */
    PERFORM pg_advisory_xact_lock(hashtext('freehold arrivals'));
    PERFORM pg_advisory_xact_lock(hashtext('freehold changes'));
    DELETE FROM organization_move m WHERE m.org_id = org AND m.moved_at IS NULL;
    moving := FOUND;
    PERFORM organization_unfence(org);
    IF moving THEN
      INSERT INTO cell_arrival (kind, subject, into_id)
      SELECT a.kind, a.subject, a.into_id FROM organization_move_arrival a
      /* Of whom is listed again, nothing is taken back. */
      WHERE CASE a.kind
        WHEN 'person' THEN EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = a.subject::uuid)
        WHEN 'owner' THEN EXISTS (SELECT FROM suppressed_owner s WHERE s.name_key = a.subject)
        WHEN 'property' THEN EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = a.subject::uuid)
        ELSE true
      END
      ORDER BY a.place;
      INSERT INTO change_outbox (change_id, for_org)
      SELECT a.change_id, org FROM organization_arrival_change a ORDER BY a.place;
      PERFORM pg_notify('freehold_event', '');
    END IF;
    PERFORM moves_forget();
    RETURN moving;
  END $$`,
  Comment.onFunction(
    "organization_stay",
    `
    Gives up a move from here; answers whether there was one. What was passed by meanwhile waits for the worker again:
    changes for this organization alone, the rest for everybody, which for the others is settled already and changes nothing.
  `
  ),

  `CREATE OR REPLACE FUNCTION organization_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    /* Who is about to expect it sees this one, or is seen. */
    PERFORM pg_advisory_xact_lock(hashtext('freehold arrival ' || NEW.org_id));
    IF EXISTS (SELECT FROM organization_arrival a WHERE a.org_id = NEW.org_id) THEN
      RAISE EXCEPTION 'organization % is on its way to this cell', NEW.org_id USING ERRCODE = 'lock_not_available';
    END IF;
    IF EXISTS (SELECT FROM organization_move m WHERE m.org_id = NEW.org_id AND m.moved_at IS NOT NULL) THEN
      RAISE EXCEPTION 'organization % moved to another cell', NEW.org_id USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "organization_elsewhere",
    `
    Trigger of organization: refuses to make one that is on its way here, or moved away. What is copied by a move comes
    without triggers.
  `
  ),

  `CREATE OR REPLACE FUNCTION administration_renumber(org text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    entry uuid;
  BEGIN
    FOR entry IN SELECT l.entry_id FROM administration_log l WHERE l.org_id = org ORDER BY l.at, l.number LOOP
      UPDATE administration_log l SET number = DEFAULT WHERE l.org_id = org AND l.entry_id = entry;
    END LOOP;
  END $$`,
  Comment.onFunction(
    "administration_renumber",
    "Numbers an organization's log of administration anew, in its order: numbers of another database mean nothing here."
  ),

  `CREATE OR REPLACE FUNCTION organization_forget_arrived(org text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM idempotent_answer WHERE org_id = org AND operation = 'service_reveal_contact';
    /* In the order of locks that webhook/DeliveryFunctions.ts has. */
    UPDATE delivery d SET data = NULL FROM (
      SELECT f.org_id, f.id FROM delivery f WHERE f.org_id = org AND f.data IS NOT NULL
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id;
    /* Whom a body names who was erased, nothing here tells any more; what is sent again is built anew. */
    UPDATE delivery_log d SET data = NULL FROM (
      SELECT f.org_id, f.id, f.created_at FROM delivery_log f WHERE f.org_id = org AND f.data IS NOT NULL
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id AND d.created_at = o.created_at;
  END $$`,
  Comment.onFunction(
    "organization_forget_arrived",
    `
    Forgets of what an organization brought with it all that must not be sent any more. What is withheld from the moment
    on in which it is seen here, the triggers of CellFunctions forget; what is being applied in that very moment is
    forgotten when this is called once more.
  `
  ),

  `CREATE OR REPLACE FUNCTION organization_settle_arrived(org text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    merged record;
  BEGIN
    /* Merges that arrived here before the organization did. */
    FOR merged IN
      SELECT DISTINCT p.id AS gone, p.retired_into AS heir FROM property p
      WHERE p.retired_into IS NOT NULL AND p.id IN (
        SELECT property_id FROM property_access WHERE org_id = org UNION SELECT property_id FROM lead WHERE org_id = org
        UNION SELECT property_id FROM note WHERE org_id = org UNION SELECT property_id FROM task WHERE org_id = org
        UNION SELECT property_id FROM customer_account WHERE org_id = org
        UNION SELECT item_id FROM list_item WHERE org_id = org
        UNION SELECT record_id FROM record_taken WHERE org_id = org AND kind = 'property'
        UNION SELECT property_id FROM merged_charge WHERE org_id = org
        UNION SELECT property_id FROM event WHERE org_id = org
      )
    LOOP
      PERFORM merge_settle(merged.gone, merged.heir);
    END LOOP;
    /* Suppressions, of whom something had been told. */
    PERFORM changes_remove(ARRAY(
      SELECT c.id FROM event e JOIN property_change c ON c.id = e.change_id
      WHERE e.org_id = org AND e.type <> 'signal.withdrawn' AND (
        EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = c.contact_id)
        OR c.kind = 'ownership_transfer' AND (
          EXISTS (
            SELECT FROM property p JOIN suppressed_property s ON s.property_id IN (p.id, p.retired_into)
            WHERE p.id = c.property_id
          )
          OR EXISTS (
            SELECT FROM suppressed_owner s
            WHERE s.name_key IN (owner_name_key(c.before ->> 'value'), owner_name_key(c.after ->> 'value'))
          )
        )
      )
    ));
    PERFORM organization_forget_arrived(org);
    PERFORM administration_renumber(org);
    /* All that is told here from now on came after it subscribed, whatever the clock and the transactions of the other cell say. */
    UPDATE change_subscription s SET since = '-infinity' WHERE s.org_id = org;
    /* Changes that arrived here meanwhile: those that it was told of already are not told again. */
    INSERT INTO change_outbox (change_id, for_org)
    SELECT a.change_id, org FROM organization_arrival_change a ORDER BY a.place;
    PERFORM pg_notify('freehold_event', '');
  END $$`,
  Comment.onFunction(
    "organization_settle_arrived",
    `
    Settles for an organization that has just come what arrived in this cell before it: merges, suppressions, changes.
    Whoever calls holds what settles arrivals and what relays changes, until it is seen that the organization is here.
  `
  )
]
