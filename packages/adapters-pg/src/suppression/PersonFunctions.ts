/**
 * How the tables keep people unlisted who asked for it, whoever writes: their ties to properties are in a table of their
 * own, their firm beside the suppression.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION property_contact_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = NEW.contact_id) THEN RETURN NEW; END IF;
    INSERT INTO withheld_property_contact SELECT NEW.*
    ON CONFLICT (property_id, contact_id) DO UPDATE SET role = excluded.role,
      relationship_status = excluded.relationship_status, attribution_type = excluded.attribution_type;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "property_contact_divert",
    `
    Trigger of property_contact: the tie of a suppressed person goes to withheld_property_contact instead.
  `
  ),

  `CREATE OR REPLACE FUNCTION contact_firm_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE suppressed_contact s SET firm_id = NEW.firm_id WHERE s.contact_id = NEW.id;
    IF NOT FOUND THEN RETURN NEW; END IF;
    NEW.firm_id := NULL;
    IF to_jsonb(NEW) - 'updated_at' = to_jsonb(OLD) - 'updated_at' THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "contact_firm_divert",
    `
    Trigger of contact: the firm of a suppressed person is kept beside the suppression. A row that is written again
    as it was stays untouched.
  `
  ),

  `CREATE OR REPLACE FUNCTION contact_suppress(person uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO suppressed_contact (contact_id, firm_id) SELECT c.id, c.firm_id FROM contact c WHERE c.id = person;
    UPDATE contact SET firm_id = NULL WHERE id = person AND firm_id IS NOT NULL;
    /* Answers that are kept sealed cannot be searched for the person. */
    DELETE FROM idempotent_answer WHERE operation = 'service_reveal_contact';
    RETURN QUERY
    WITH gone AS (DELETE FROM property_contact t WHERE t.contact_id = person RETURNING t.*)
    INSERT INTO withheld_property_contact SELECT * FROM gone RETURNING property_id;
  END $$`,
  Comment.onFunction(
    "contact_suppress",
    `
    Withholds a person; answers the properties of the person. Answers that are kept sealed cannot be searched for
    the person: all of that operation go.
  `
  ),

  `CREATE OR REPLACE FUNCTION contact_list_again(person uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
  DECLARE
    of_firm uuid;
  BEGIN
    DELETE FROM suppressed_contact WHERE contact_id = person RETURNING firm_id INTO of_firm;
    UPDATE contact SET firm_id = of_firm WHERE id = person AND of_firm IS NOT NULL;
    RETURN QUERY
    WITH back AS (DELETE FROM withheld_property_contact t WHERE t.contact_id = person RETURNING t.*)
    INSERT INTO property_contact SELECT * FROM back RETURNING property_id;
  END $$`,
  Comment.onFunction("contact_list_again", "Takes a suppression back; answers the properties of the person."),

  `CREATE OR REPLACE FUNCTION bundles_forget(properties uuid[]) RETURNS void LANGUAGE sql AS $$
    UPDATE delivery SET data = NULL WHERE property_id = ANY(properties) AND data IS NOT NULL;
    UPDATE delivery_log SET data = NULL WHERE property_id = ANY(properties) AND data IS NOT NULL;
  $$`,
  Comment.onFunction(
    "bundles_forget",
    `
    Forgets bundles that were built and hold what is withheld now: what is sent again is built anew.
  `
  )
]
