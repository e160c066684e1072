/**
 * What `PropertyMerge` calls: retiring a property in favour of another. Everything that is kept about it moves to the
 * survivor, in one transaction.
 *
 * Nothing new is kept about a retired property: who would, waits for a merge that is under way, and is refused after it
 * (an item of a list goes to the survivor). Hence whatever was there when the merge holds the property is all there is.
 *
 * Locks: accounts in the order of the organizations, then both properties, then what is moved. Others take the account
 * first, too. Whatever else may wait in another order, the merge waits for a lock shorter than it takes the database to
 * look for a deadlock, gives up, and is tried again: nobody else is ever aborted by it.
 */
import * as Comment from "../database/Comment.ts"

/** Tables of an organization that name a property and are never asked by anybody what happened to it. */
export const guarded = ["property_access", "lead", "note", "task", "customer_account"]

/**
 * Tables that a property is looked up in by itself. Accesses are not: they are found account by account, which a merge
 * can afford, and no unlock pays for another index.
 */
const byProperty = [
  ...guarded.filter((table) => table !== "property_access").map((table) => [table, "property_id"]),
  ["list_item", "item_id"]
]

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION refuse_retired() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM property p WHERE p.id = NEW.property_id AND p.retired_into IS NOT NULL
        AND (p.updated_at >= now() - interval '10 minutes' OR cell_name() IS NOT NULL)
    ) OR EXISTS (SELECT FROM cell_arrival a WHERE a.into_id = NEW.property_id) THEN
      IF current_setting('freehold.settling', true) = 'on' THEN RETURN NULL; END IF;
      RAISE EXCEPTION 'property % was merged', NEW.property_id USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "refuse_retired",
    `
    Trigger: refuses what is kept about a property that was merged within the last ten minutes, by a call that
    looked before the merge; nobody who looks after it comes here. The foreign key has locked the property by now,
    since triggers fire in the order of their names and its own begins with a capital: a merge either waits for this
    transaction, or has ended and is seen. In a cell a merge arrives at any later time, and what the cell keeps moves
    a moment after that (merge_settle): until then nothing is kept about the survivor either.
  `
  ),

  `CREATE OR REPLACE FUNCTION item_of_survivor() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    heir uuid;
  BEGIN
    SELECT p.retired_into INTO heir FROM property p WHERE p.id = NEW.item_id FOR KEY SHARE;
    NEW.item_id := coalesce(heir, NEW.item_id);
    RETURN NEW;
  END $$`,
  Comment.onFunction("item_of_survivor", "Trigger of list_item: an item that was merged away is the survivor."),

  `CREATE OR REPLACE FUNCTION merge_hold(gone uuid, heir uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    held text[];
  BEGIN
    SELECT array_agg(a.org_id) INTO held FROM (
      SELECT a.org_id FROM credit_account a WHERE a.org_id IN (
        ${
    byProperty.map(([table, column]) => `SELECT t.org_id FROM ${table} t WHERE t.${column} IN (gone, heir)`).join(
      "\n        UNION "
    )
  }
        UNION SELECT k.org_id FROM credit_account k
          JOIN property_access t ON t.org_id = k.org_id AND t.property_id IN (gone, heir)
        UNION SELECT t.org_id FROM record_taken t WHERE t.record_id IN (gone, heir)
      ) ORDER BY a.org_id FOR NO KEY UPDATE
    ) a;
    UPDATE credit_account SET revision = revision + 1 WHERE org_id = ANY(held);
  END $$`,
  Comment.onFunction(
    "merge_hold",
    `
    Locks the accounts of all who keep something about either property, and moves their revisions on: a decision
    that was taken before, and is not written yet, is taken anew.
  `
  ),

  `CREATE OR REPLACE FUNCTION lead_rest(resting uuid, into_property uuid, orgs text[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO merged_lead (org_id, property_id, into_id, lead, history)
    SELECT l.org_id, l.property_id, into_property, to_jsonb(l), coalesce((
      SELECT jsonb_agg(to_jsonb(h) ORDER BY h.version) FROM lead_stage_history h
      WHERE h.org_id = l.org_id AND h.property_id = l.property_id
    ), '[]')
    FROM lead l WHERE l.property_id = resting AND l.org_id = ANY(orgs);
    DELETE FROM lead_stage_history h WHERE h.property_id = resting AND h.org_id = ANY(orgs);
    DELETE FROM lead l WHERE l.property_id = resting AND l.org_id = ANY(orgs);
  END $$`,
  Comment.onFunction(
    "lead_rest",
    `
    Lets the leads of one property rest from now on: they go to merged_lead, with their history.
  `
  ),

  `CREATE OR REPLACE FUNCTION property_merge_kept(gone uuid, heir uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    told jsonb := '{}';
    moved integer;
    orgs text[];
    withheld uuid[];
  BEGIN
    /* By a worker an organization that is fenced in is passed by; if it stays, this is done again (cell/MoveFunctions.ts). */
    INSERT INTO organization_move_arrival (kind, subject, into_id)
    SELECT 'merge', gone, heir WHERE EXISTS (SELECT FROM organization_move m WHERE m.moved_at IS NULL);
    /* Paid once; what was paid twice stays charged twice, with one access. Paid beats covered. */
    UPDATE merged_charge SET property_id = heir WHERE property_id = gone;
    WITH ended AS (
      DELETE FROM property_access a USING credit_account k WHERE a.org_id = k.org_id AND a.property_id = gone
      RETURNING a.*
    ),
    kept AS (
      INSERT INTO property_access AS held (org_id, property_id, source, charge_entry, at)
      SELECT e.org_id, heir, e.source, e.charge_entry, e.at FROM ended e ORDER BY e.org_id
      ON CONFLICT (org_id, property_id) DO UPDATE
      SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at
      WHERE held.source = 'covered' AND excluded.source = 'paid'
      RETURNING held.org_id
    ), beside AS (
      INSERT INTO merged_charge (org_id, charge_entry, property_id)
      SELECT e.org_id, e.charge_entry, heir FROM ended e
      WHERE e.source = 'paid' AND NOT EXISTS (SELECT FROM kept k WHERE k.org_id = e.org_id)
      RETURNING 1
    )
    SELECT told || jsonb_build_object('accesses', (SELECT count(*) FROM ended), 'paid_twice', (SELECT count(*) FROM beside))
    INTO told;

    WITH item AS (DELETE FROM list_item i WHERE i.item_id = gone RETURNING i.*)
    INSERT INTO list_item (org_id, list_id, item_id, added_at)
    SELECT org_id, list_id, heir, added_at FROM item ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('list_items', moved);

    SELECT coalesce(array_agg(g.org_id), '{}') INTO orgs
    FROM lead g JOIN lead h ON h.org_id = g.org_id AND h.property_id = heir
    WHERE g.property_id = gone AND g.status_changed_at <= h.status_changed_at;
    PERFORM lead_rest(gone, heir, orgs);
    moved := cardinality(orgs);
    SELECT coalesce(array_agg(g.org_id), '{}') INTO orgs
    FROM lead g JOIN lead h ON h.org_id = g.org_id AND h.property_id = heir WHERE g.property_id = gone;
    PERFORM lead_rest(heir, heir, orgs);
    told := told || jsonb_build_object('leads_resting', moved + cardinality(orgs));
    UPDATE lead SET property_id = heir WHERE property_id = gone;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('leads', moved);

    UPDATE note SET property_id = heir WHERE property_id = gone;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('notes', moved);
    UPDATE task SET property_id = heir WHERE property_id = gone;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('tasks', moved);

    WITH ended AS (DELETE FROM customer_account c WHERE c.property_id = gone RETURNING c.*)
    INSERT INTO customer_account AS held (org_id, property_id, status)
    SELECT org_id, heir, status FROM ended
    ON CONFLICT (org_id, property_id) DO UPDATE SET status = excluded.status
    WHERE held.status = 'churned' AND excluded.status = 'active';
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('customer_accounts', moved);

    /* Taken in one period under both ids, it was counted twice and stays so. */
    UPDATE record_taken t SET record_id = heir
    WHERE t.record_id = gone AND t.kind = 'property' AND NOT EXISTS (
      SELECT FROM record_taken h
      WHERE h.org_id = t.org_id AND h.period_start = t.period_start AND h.kind = 'property' AND h.record_id = heir
    );
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('records_taken', moved);

    UPDATE event SET property_id = heir,
      subject_id = CASE WHEN subject_type = 'property' THEN heir::text ELSE subject_id END
    WHERE property_id = gone;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('events', moved);
    /* Of either of the two: bundles name the other's owner, and who was sent a change of that owner removes it, too. */
    IF EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = heir) THEN
      withheld := changes_about(NULL, NULL, heir);
      PERFORM changes_hold(withheld, ARRAY[gone, heir]);
      PERFORM bundles_forget(ARRAY[gone, heir]);
      PERFORM changes_remove(withheld);
    END IF;
    RETURN told;
  END $$`,
  Comment.onFunction(
    "property_merge_kept",
    `
    Moves what organizations keep about the property that is gone to its heir; answers what was moved. Where the heir is
    suppressed, bundles of either are forgotten, and those who were sent a change of its owner are told to remove it. Whoever
    calls holds both properties and the accounts.
  `
  ),

  `CREATE OR REPLACE FUNCTION property_merge(gone uuid, heir uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    told jsonb := '{}';
    moved integer;
  BEGIN
    PERFORM set_config('lock_timeout', '400ms', true);
    PERFORM merge_hold(gone, heir);
    PERFORM FROM property p WHERE p.id IN (gone, heir) ORDER BY p.id FOR UPDATE;
    /* Those who came meanwhile. */
    PERFORM merge_hold(gone, heir);
    IF EXISTS (
      SELECT FROM research_item i
      WHERE i.action = 'research_property' AND i.subject_id = gone AND i.state IN ('queued', 'running')
    ) OR EXISTS (SELECT FROM property_researching r WHERE r.property_id = gone) THEN
      RETURN NULL;
    END IF;
    UPDATE property SET retired_into = heir WHERE retired_into = gone;

    WITH tie AS (DELETE FROM property_contact t WHERE t.property_id = gone RETURNING t.*)
    INSERT INTO property_contact (property_id, contact_id, role, relationship_status, attribution_type)
    SELECT heir, contact_id, role, relationship_status, attribution_type FROM tie ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('contacts', moved);
    WITH tie AS (DELETE FROM withheld_property_contact t WHERE t.property_id = gone RETURNING t.*)
    INSERT INTO withheld_property_contact (property_id, contact_id, role, relationship_status, attribution_type)
    SELECT heir, contact_id, role, relationship_status, attribution_type FROM tie ON CONFLICT DO NOTHING;

    INSERT INTO suppressed_property (property_id, at)
    SELECT heir, s.at FROM suppressed_property s WHERE s.property_id = gone ON CONFLICT DO NOTHING;
    /* A match takes back from the heir what it tied; but nothing that an import said of either. */
    WITH said AS (
      SELECT f.firm_id FROM (
        SELECT property_id, firm_id, role FROM property_firm
        UNION ALL SELECT property_id, firm_id, role FROM withheld_property_firm
      ) f
      WHERE f.property_id IN (gone, heir) AND f.role = 'owner'
        AND NOT EXISTS (SELECT FROM owner_tie t WHERE t.property_id = f.property_id AND t.firm_id = f.firm_id)
    ), tie AS (
      DELETE FROM owner_tie t
      WHERE t.property_id = gone OR t.property_id = heir AND t.firm_id IN (SELECT s.firm_id FROM said s)
      RETURNING t.*
    )
    INSERT INTO owner_tie (property_id, firm_id, owner_id)
    SELECT heir, firm_id, owner_id FROM tie WHERE firm_id NOT IN (SELECT s.firm_id FROM said s) ON CONFLICT DO NOTHING;
    WITH tie AS (
      DELETE FROM property_firm t WHERE t.property_id = gone RETURNING t.*
    )
    INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
    SELECT heir, firm_id, role, attribution_type FROM tie ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('firms', moved);
    WITH tie AS (DELETE FROM withheld_property_firm t WHERE t.property_id = gone RETURNING t.*)
    INSERT INTO withheld_property_firm (property_id, firm_id, role, attribution_type)
    SELECT heir, firm_id, role, attribution_type FROM tie ON CONFLICT DO NOTHING;

    UPDATE property_research SET property_id = heir
    WHERE property_id = gone AND NOT EXISTS (SELECT FROM property_research r WHERE r.property_id = heir);
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('research', moved);
    IF moved > 0 THEN
      UPDATE property h SET enrichment_status = g.enrichment_status, last_enriched_at = g.last_enriched_at
      FROM property g WHERE h.id = heir AND g.id = gone;
    END IF;
    /* Of either of the two: what came from the other tells of the owner, too. */
    IF EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = heir) THEN
      PERFORM owner_settle_all(NULL, heir);
    END IF;

    UPDATE property_change SET property_id = heir WHERE property_id = gone;
    GET DIAGNOSTICS moved = ROW_COUNT;
    told := told || jsonb_build_object('changes', moved);
    told := told || property_merge_kept(gone, heir);

    UPDATE property SET retired_into = heir, updated_at = now() WHERE id = gone;
    RETURN told;
  END $$`,
  Comment.onFunction(
    "property_merge",
    `
    Moves everything from the property that is gone to its heir; both are there, differ and are not retired. Answers
    what was moved; null: research of the one that retires is running.
  `
  )
]
