/**
 * What keeps an organization still while it moves to another cell.
 *
 * The fence is a trigger on every table of organizations that fires for one of them alone. Making it waits for everybody who is
 * writing, so when it stands, what is written is committed and nothing comes any more: who asks is told to come
 * again, and a worker passes its rows by, so that what it does for others goes on.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION organization_moves() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF starts_with(current_setting('application_name'), 'freehold worker') THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'an organization is moving to another cell' USING ERRCODE = 'lock_not_available';
  END $$`,
  Comment.onFunction(
    "organization_moves",
    "Trigger of every table of organizations while one of them moves: refuses its rows, which a worker passes by."
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
    DELETE FROM idempotent_answer WHERE org_id = org AND operation = 'service_reveal_contact';
    UPDATE delivery SET data = NULL WHERE org_id = org AND data IS NOT NULL;
    PERFORM bundles_forget(ARRAY(
      SELECT DISTINCT d.property_id FROM delivery_log d WHERE d.org_id = org AND d.data IS NOT NULL AND (
        EXISTS (SELECT FROM withheld_property_contact t WHERE t.property_id = d.property_id)
        OR EXISTS (SELECT FROM withheld_property_firm t WHERE t.property_id = d.property_id)
        OR EXISTS (SELECT FROM property p WHERE p.id = d.property_id AND p.owner_withheld)
        OR EXISTS (
          SELECT FROM property_research r WHERE r.property_id = d.property_id AND r.withheld_beneficial_owner IS NOT NULL
        )
      )
    ));
    /* Changes that arrived here meanwhile: those that it was told of already are not told again. */
    INSERT INTO change_outbox (change_id) SELECT a.change_id FROM organization_arrival_change a ORDER BY a.place;
  END $$`,
  Comment.onFunction(
    "organization_settle_arrived",
    "Settles for an organization that has just come what arrived in this cell before it: merges, suppressions, changes."
  )
]
