/**
 * What a cell does when a row of a shared table arrives from the importing installation.
 *
 * Rows that are replicated bring everything about the records with them: what is withheld, where a tie is, how far somebody
 * reaches. What is left is what organizations keep, and each cell settles that for its own. The triggers fire for
 * replicated rows alone (`ENABLE REPLICA TRIGGER`). What must not be sent any more is forgotten by them, in the transaction
 * that brings the row; the rest waits in `cell_arrival` and `change_outbox` for the worker.
 *
 * *Gotchas*
 *
 * - A session that applies replicated rows fires no other trigger and checks no foreign key, neither for what a trigger of
 *   these writes. So whatever has triggers or references of its own (events, accesses, leads) is written by the worker.
 * - The first copy of a table fires them too. What is history then is nobody's news.
 */
import * as Comment from "../database/Comment.ts"

/** Whether the row comes with the first copy of its table. */
const isFirstCopy = `EXISTS (SELECT FROM pg_subscription_rel r WHERE r.srrelid = TG_RELID AND r.srsubstate = 'd')`

/** A session that applies replicated rows looks for tables in no schema. */
const pathOfTables = "SET search_path FROM CURRENT"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION cell_name() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT substr(s.subname, length('freehold_cell_') + 1) FROM pg_subscription s
    WHERE s.subdbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND starts_with(s.subname, 'freehold_cell_')
  $$`,
  Comment.onFunction("cell_name", "The name of this cell; null: the installation is none."),

  `CREATE OR REPLACE FUNCTION server_timeline() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
  $$`,
  Comment.onFunction(
    "server_timeline",
    "PostgreSQL's timeline, another one since a standby was promoted or a base backup restored; null: this is a standby."
  ),

  `CREATE OR REPLACE FUNCTION cell_guard() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'table % is written at the importing installation; this is its cell %', TG_TABLE_NAME, cell_name()
      USING ERRCODE = 'read_only_sql_transaction', HINT = 'Set FREEHOLD_IMPORTER_URL.';
  END $$`,
  Comment.onFunction(
    "cell_guard",
    "Trigger of the shared tables of a cell, which has it for as long as it is one: refuses what is not replicated."
  ),

  `CREATE OR REPLACE FUNCTION change_arrived() RETURNS trigger LANGUAGE plpgsql ${pathOfTables} AS $$
  BEGIN
    IF ${isFirstCopy} THEN RETURN NULL; END IF;
    INSERT INTO change_outbox (change_id) VALUES (NEW.id);
    INSERT INTO organization_arrival_change (change_id)
    SELECT NEW.id WHERE EXISTS (SELECT FROM organization_arrival) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('freehold_event', '');
    RETURN NULL;
  END $$`,
  Comment.onFunction("change_arrived", "Trigger of property_change in a cell: what change_recorded does elsewhere."),

  `CREATE OR REPLACE FUNCTION suppression_arrived() RETURNS trigger LANGUAGE plpgsql ${pathOfTables} AS $$
  BEGIN
    IF ${isFirstCopy} THEN RETURN NULL; END IF;
    IF TG_ARGV[0] = 'person' THEN
      /* Answers that are kept sealed cannot be searched for the person. */
      DELETE FROM idempotent_answer WHERE operation = 'service_reveal_contact';
    END IF;
    INSERT INTO cell_arrival (kind, subject) VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1]);
    PERFORM pg_notify('freehold_event', '');
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "suppression_arrived",
    "Trigger of the tables of suppressions in a cell: what was told of them is to be taken back."
  ),

  `CREATE OR REPLACE FUNCTION withheld_arrived() RETURNS trigger LANGUAGE plpgsql ${pathOfTables} AS $$
  DECLARE
    of_property CONSTANT uuid := coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[0];
  BEGIN
    IF NOT ${isFirstCopy} THEN PERFORM bundles_forget(ARRAY[of_property]); END IF;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "withheld_arrived",
    "Trigger of shared tables in a cell: of the property that the argument names less, or more again, is to be seen."
  ),

  `CREATE OR REPLACE FUNCTION erasure_arrived() RETURNS trigger LANGUAGE plpgsql ${pathOfTables} AS $$
  BEGIN
    PERFORM contact_erase_kept(OLD);
    RETURN NULL;
  END $$`,
  Comment.onFunction("erasure_arrived", "Trigger of contact in a cell: what is kept of the person goes as well."),

  `CREATE OR REPLACE FUNCTION merge_arrived() RETURNS trigger LANGUAGE plpgsql ${pathOfTables} AS $$
  BEGIN
    INSERT INTO cell_arrival (kind, subject, into_id) VALUES ('merge', NEW.id, NEW.retired_into);
    PERFORM pg_notify('freehold_event', '');
    RETURN NULL;
  END $$`,
  Comment.onFunction("merge_arrived", "Trigger of property in a cell: what is kept about it has to move."),

  `CREATE OR REPLACE FUNCTION merge_settle(gone uuid, heir uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM set_config('lock_timeout', '400ms', true);
    PERFORM set_config('freehold.settling', 'on', true);
    PERFORM merge_hold(gone, heir);
    PERFORM FROM property p WHERE p.id IN (gone, heir) ORDER BY p.id FOR UPDATE;
    /* Those who came meanwhile. */
    PERFORM merge_hold(gone, heir);
    PERFORM property_merge_kept(gone, heir);
  END $$`,
  Comment.onFunction("merge_settle", "Moves what is kept in this cell about a property that was merged elsewhere."),

  `CREATE OR REPLACE FUNCTION arrival_settle() RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    due cell_arrival;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('freehold arrivals')) THEN RETURN false; END IF;
    DELETE FROM cell_arrival WHERE place = (SELECT a.place FROM cell_arrival a ORDER BY a.place LIMIT 1)
    RETURNING * INTO due;
    IF NOT FOUND THEN RETURN false; END IF;
    /* An organization that is fenced in is passed by; if it stays, this is settled again. Of merges property_merge_kept notes it. */
    INSERT INTO organization_move_arrival (kind, subject)
    SELECT due.kind, due.subject
    WHERE due.kind <> 'merge' AND EXISTS (SELECT FROM organization_move m WHERE m.moved_at IS NULL);
    CASE due.kind
      WHEN 'person' THEN PERFORM changes_remove(changes_about(due.subject::uuid, NULL, NULL));
      WHEN 'owner' THEN PERFORM changes_remove(changes_about(NULL, due.subject, NULL));
      WHEN 'property' THEN PERFORM changes_remove(changes_about(NULL, NULL, due.subject::uuid));
      WHEN 'merge' THEN
        /* The survivor may have been merged since. */
        PERFORM merge_settle(due.subject::uuid, coalesce(p.retired_into, p.id)) FROM property p WHERE p.id = due.into_id;
    END CASE;
    RETURN true;
  END $$`,
  Comment.onFunction(
    "arrival_settle",
    `
    Settles the oldest arrival; answers whether there was one to settle. One session settles at a time. While an
    organization is fenced in here it is noted what was settled without it.
  `
  )
]
