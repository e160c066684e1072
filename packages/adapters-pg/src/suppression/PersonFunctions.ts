/**
 * How the tables keep people unlisted who asked for it, whoever writes: their ties to properties are in a table of their
 * own, their firm beside the suppression.
 */
import * as Comment from "../database/Comment.ts"

/** Of a row as JSON, also without the names of its columns: then parts of a name stand side by side. */
const rowTells = (row: string): string => `tells_of(${row} || regexp_replace(${row}, '"[^"]*":', ' ', 'g'), known)`

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
    INSERT INTO suppressed_contact (contact_id, firm_id, name_words)
    SELECT c.id, c.firm_id, person_words(c.full_name) FROM contact c WHERE c.id = person;
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

  `CREATE OR REPLACE FUNCTION person_marks(of_key text, of_email text, of_profile text) RETURNS bytea[]
  LANGUAGE sql IMMUTABLE RETURN array_remove(ARRAY[
    sha256(convert_to('key ' || of_key, 'UTF8')),
    sha256(convert_to('email ' || lower(of_email), 'UTF8')),
    sha256(convert_to('profile ' || lower(of_profile), 'UTF8'))
  ], NULL)`,
  Comment.onFunction("person_marks", "The hashes by which a person who was erased is known again."),

  `CREATE OR REPLACE FUNCTION person_name_mark(of_firm uuid, of_name text) RETURNS bytea
  LANGUAGE sql IMMUTABLE RETURN sha256(convert_to('name ' || of_firm || ' ' || lower(of_name), 'UTF8'))`,
  Comment.onFunction(
    "person_name_mark",
    "The hash by which a person of a firm who was erased is known again where only a name is found."
  ),

  `CREATE OR REPLACE FUNCTION contact_erase_kept(known contact) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE research_item i SET result = NULL
    WHERE i.result IS NOT NULL AND (i.subject_id = known.id OR tells_of(i.result::text, known));
    DELETE FROM finder_cache f WHERE tells_of(f.body::text, known);
    /* In the order of locks that webhook/DeliveryFunctions.ts has. */
    UPDATE delivery d SET data = NULL FROM (
      SELECT f.org_id, f.id FROM delivery f
      WHERE f.data IS NOT NULL AND tells_of(f.data, known)
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id;
    UPDATE delivery_log d SET data = NULL FROM (
      SELECT f.org_id, f.id, f.created_at FROM delivery_log f
      WHERE f.data IS NOT NULL AND tells_of(f.data, known)
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id AND d.created_at = o.created_at;
    UPDATE operator_log l SET subject = 'contact ' || known.id
    WHERE l.subject IN ('contact ' || known.key, 'contact ' || known.email);
    UPDATE import_run r SET shown = coalesce((
      SELECT jsonb_agg(s.value ORDER BY s.place) FROM jsonb_array_elements(r.shown) WITH ORDINALITY AS s (value, place)
      WHERE NOT ${rowTells("s.value::text")}
    ), '[]')
    WHERE ${rowTells("r.shown::text")};
    UPDATE import_reject r SET lines = o.kept FROM (
      SELECT f.run_id, f.number,
        coalesce(string_agg(l.line, chr(10) ORDER BY l.place) FILTER (WHERE NOT l.told), '') AS kept
      FROM import_reject f, LATERAL (
        SELECT s.line, s.place, ${rowTells("s.line")} AS told
        FROM string_to_table(f.lines, chr(10)) WITH ORDINALITY AS s (line, place) OFFSET 0
      ) l
      GROUP BY f.run_id, f.number HAVING bool_or(l.told)
    ) o WHERE r.run_id = o.run_id AND r.number = o.number;
  END $$`,
  Comment.onFunction(
    "contact_erase_kept",
    `
    Removes what is kept of a person in bundles, research, pages that were read, imports of the app and the operator's
    log; the record is as it was.
  `
  ),

  `CREATE OR REPLACE FUNCTION contact_erase(person uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    known contact;
  BEGIN
    SELECT * INTO STRICT known FROM contact c WHERE c.id = person FOR UPDATE;
    IF known.key <> 'erased:' || person THEN
      INSERT INTO erased_person (mark)
      SELECT unnest(person_marks(known.key, known.email, known.linkedin_url))
      UNION SELECT person_name_mark(s.firm_id, known.full_name) FROM suppressed_contact s
      WHERE s.contact_id = person AND s.firm_id IS NOT NULL
      ON CONFLICT DO NOTHING;
    END IF;
    UPDATE contact SET key = 'erased:' || person, full_name = '(erased)', title = NULL, role_type = NULL,
      seniority = 'unknown', employer_name = NULL, employer_domain = NULL, email = NULL,
      email_validation_status = 'unvalidated', phone = NULL, phone_label = NULL, phone_extension = NULL,
      phone_fallback_from_employer = false, linkedin_url = NULL, location = NULL, last_verified_at = NULL, updated_at = now()
    WHERE id = person;
    UPDATE suppressed_contact SET firm_id = NULL, name_words = NULL WHERE contact_id = person;
    UPDATE property_research r SET ai_rationale = NULL WHERE r.ai_rationale IS NOT NULL AND tells_of(r.ai_rationale, known);
    DELETE FROM withheld_property_contact WHERE contact_id = person;
    UPDATE property_change SET key = 'erased:' || id, before = NULL, after = NULL WHERE contact_id = person;
    PERFORM contact_erase_kept(known);
    /* At last: who adds up the counts waits for what this locks. */
    PERFORM title_tally_forget(known.title);
  END $$`,
  Comment.onFunction(
    "contact_erase",
    `
    Removes what is known of a suppressed person but for the id, wherever it stands: bundles and research, also that
    of properties, are looked through for email and name, which takes as long as it takes. What organizations wrote themselves is theirs.
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
    /* In the order of locks that webhook/DeliveryFunctions.ts has. */
    UPDATE delivery d SET data = NULL FROM (
      SELECT f.org_id, f.id FROM delivery f WHERE f.property_id = ANY(properties) AND f.data IS NOT NULL
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id;
    UPDATE delivery_log d SET data = NULL FROM (
      SELECT f.org_id, f.id, f.created_at FROM delivery_log f WHERE f.property_id = ANY(properties) AND f.data IS NOT NULL
      ORDER BY f.org_id, f.id FOR NO KEY UPDATE
    ) o WHERE d.org_id = o.org_id AND d.id = o.id AND d.created_at = o.created_at;
  $$`,
  Comment.onFunction(
    "bundles_forget",
    `
    Forgets bundles that were built and hold what is withheld now: what is sent again is built anew.
  `
  )
]
