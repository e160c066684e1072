/**
 * Who asked not to be listed, and how the tables keep to it.
 *
 * What is withheld is moved out of the columns and tables that everything reads, so that no query, count, sort or index
 * can tell of it: the owner fields of a property into `withheld_owner`, a beneficial owner into
 * `withheld_beneficial_owner`, the ties of a person or of an owning firm into tables of their own. Triggers do it for
 * whatever is written later, by whomever; a row that is written again as it was stays untouched.
 *
 * `owner_name_key` is core's `OwnerName`.
 *
 * *Gotcha*: an import compares with what it sees, so a source that clears an owner field while the owner is withheld
 * changes nothing; the property stays withheld.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const blanks = "!\"#$%&()*+,-/:;<=>?@[\\]^_`{|}~\t\n\r\u00a0"
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Each that names the owner, or says how to reach the owner. */
const ownerColumns = ["record_owner", "owner_name", "owner_name_raw", "owner_name2", "owner_mailing_address"]

const statements: ReadonlyArray<string> = [
  `CREATE FUNCTION owner_name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    btrim(regexp_replace(
      translate(lower(name COLLATE "C"), ${literal(`${blanks}.'’`)}, ${literal(" ".repeat(blanks.length))}),
      ' +', ' ', 'g'))`,

  `CREATE TABLE suppressed_contact (
    contact_id uuid PRIMARY KEY REFERENCES contact,
    /* The firm that the person is attached to, as far as is known. */
    firm_id uuid REFERENCES firm,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE suppressed_owner (
    name_key text PRIMARY KEY CHECK (name_key <> ''),
    name text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE suppressed_property (
    property_id uuid PRIMARY KEY REFERENCES property,
    at timestamptz NOT NULL DEFAULT now()
  )`,

  // --- owners ---
  /* withheld_owner: the five columns as the source has them, while they are withheld. */
  `ALTER TABLE property
    ADD COLUMN withheld_owner jsonb,
    ADD COLUMN owner_withheld boolean NOT NULL DEFAULT false,
    ADD CHECK (owner_withheld = (withheld_owner IS NOT NULL))`,
  `CREATE INDEX property_owner_withheld ON property (id) WHERE owner_withheld`,
  /* What a statement sets while the column itself is empty. */
  `CREATE FUNCTION owner_given() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.withheld_owner := NEW.withheld_owner || jsonb_build_object(TG_ARGV[0], to_jsonb(NEW) -> TG_ARGV[0]);
    RETURN NEW;
  END $$`,
  ...ownerColumns.map((column) => `
    CREATE TRIGGER owner_given_${column} BEFORE UPDATE OF ${column} ON property
    FOR EACH ROW WHEN (OLD.owner_withheld) EXECUTE FUNCTION owner_given(${literal(column)})`),
  /* What sets `owner_withheld` asks whether it is so; the answer is written. */
  `CREATE FUNCTION owner_settle() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    said jsonb;
    unseen CONSTANT text[] := ARRAY['updated_at', 'search_text', 'search_text_with_name'];
  BEGIN
    IF OLD.owner_withheld THEN
      said := NEW.withheld_owner;
    ELSIF NOT NEW.owner_withheld AND NOT EXISTS (SELECT FROM suppressed_owner)
      AND NOT EXISTS (SELECT FROM suppressed_property) THEN
      RETURN NEW;
    ELSE
      said := jsonb_build_object(${ownerColumns.map((column) => `'${column}', NEW.${column}`).join(", ")});
    END IF;
    NEW.owner_withheld := EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = NEW.id) OR EXISTS (
      SELECT FROM suppressed_owner s WHERE s.name_key IN (
        owner_name_key(said ->> 'record_owner'), owner_name_key(said ->> 'owner_name'),
        owner_name_key(said ->> 'owner_name_raw'), owner_name_key(said ->> 'owner_name2')
      )
    );
    IF NEW.owner_withheld THEN
      NEW.withheld_owner := said;
      ${ownerColumns.map((column) => `NEW.${column} := NULL;`).join("\n      ")}
      IF to_jsonb(NEW) - unseen = to_jsonb(OLD) - unseen THEN RETURN NULL; END IF;
    ELSIF OLD.owner_withheld THEN
      NEW.withheld_owner := NULL;
      ${
    ownerColumns.map((column) =>
      column === "owner_mailing_address"
        ? `NEW.${column} := nullif(said -> '${column}', 'null');`
        : `NEW.${column} := said ->> '${column}';`
    ).join("\n      ")
  }
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER owner_settle BEFORE UPDATE OF ${ownerColumns.join(", ")}, owner_withheld ON property
    FOR EACH ROW WHEN (OLD.owner_withheld OR NEW.owner_withheld OR ${
    ownerColumns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(" OR ")
  }) EXECUTE FUNCTION owner_settle()`,
  /* By the statement, because imports insert many. A property that is new was not asked for by itself. */
  `CREATE FUNCTION owner_settle_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM suppressed_owner) THEN
      UPDATE property p SET owner_withheld = true FROM inserted i
      WHERE p.id = i.id AND EXISTS (
        SELECT FROM suppressed_owner s WHERE s.name_key IN (
          owner_name_key(i.record_owner), owner_name_key(i.owner_name), owner_name_key(i.owner_name_raw),
          owner_name_key(i.owner_name2)
        )
      );
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER owner_settle_inserted AFTER INSERT ON property REFERENCING NEW TABLE AS inserted
    FOR EACH STATEMENT EXECUTE FUNCTION owner_settle_inserted()`,

  `ALTER TABLE property_research ADD COLUMN withheld_beneficial_owner text,
    ADD CHECK (beneficial_owner IS NULL OR withheld_beneficial_owner IS NULL)`,
  `CREATE INDEX property_research_withheld ON property_research (property_id) WHERE withheld_beneficial_owner IS NOT NULL`,
  `CREATE FUNCTION beneficial_owner_given() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.withheld_beneficial_owner := NULL;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER beneficial_owner_given BEFORE UPDATE OF beneficial_owner ON property_research
    FOR EACH ROW WHEN (OLD.withheld_beneficial_owner IS NOT NULL) EXECUTE FUNCTION beneficial_owner_given()`,
  `CREATE FUNCTION beneficial_owner_settle() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    said CONSTANT text := coalesce(NEW.beneficial_owner, NEW.withheld_beneficial_owner);
    withheld CONSTANT boolean := said IS NOT NULL AND (
      EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = NEW.property_id)
      OR EXISTS (SELECT FROM suppressed_owner s WHERE s.name_key = owner_name_key(said))
    );
  BEGIN
    NEW.beneficial_owner := CASE WHEN NOT withheld THEN said END;
    NEW.withheld_beneficial_owner := CASE WHEN withheld THEN said END;
    IF TG_OP = 'UPDATE' AND withheld AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER beneficial_owner_settle
    BEFORE INSERT OR UPDATE OF beneficial_owner, withheld_beneficial_owner ON property_research
    FOR EACH ROW EXECUTE FUNCTION beneficial_owner_settle()`,

  // --- firms that own ---
  `CREATE TABLE withheld_property_firm (LIKE property_firm INCLUDING DEFAULTS INCLUDING INDEXES)`,
  `CREATE FUNCTION owning_firm_withheld(of_property uuid, of_firm uuid, as_role text) RETURNS boolean
  LANGUAGE sql STABLE RETURN as_role = 'owner' AND (
    EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = of_property)
    OR EXISTS (
      SELECT FROM suppressed_owner s JOIN firm f ON owner_name_key(f.name) = s.name_key WHERE f.id = of_firm
    )
  )`,
  `CREATE FUNCTION property_firm_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM suppressed_owner) AND NOT EXISTS (SELECT FROM suppressed_property) THEN RETURN NEW; END IF;
    IF NOT owning_firm_withheld(NEW.property_id, NEW.firm_id, NEW.role) THEN RETURN NEW; END IF;
    INSERT INTO withheld_property_firm SELECT NEW.*
    ON CONFLICT (property_id, firm_id, role) DO UPDATE SET attribution_type = excluded.attribution_type;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER property_firm_divert BEFORE INSERT ON property_firm FOR EACH ROW
    WHEN (NEW.role = 'owner') EXECUTE FUNCTION property_firm_divert()`,
  /* Puts the ties of these firms and properties where they belong now. */
  `CREATE FUNCTION owning_firms_settle(firms uuid[], properties uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH gone AS (
      DELETE FROM property_firm t
      WHERE (t.firm_id = ANY(firms) OR t.property_id = ANY(properties))
        AND owning_firm_withheld(t.property_id, t.firm_id, t.role)
      RETURNING t.*
    )
    INSERT INTO withheld_property_firm SELECT * FROM gone ON CONFLICT DO NOTHING;
    WITH back AS (
      DELETE FROM withheld_property_firm t
      WHERE (t.firm_id = ANY(firms) OR t.property_id = ANY(properties))
        AND NOT owning_firm_withheld(t.property_id, t.firm_id, t.role)
      RETURNING t.*
    )
    INSERT INTO property_firm SELECT * FROM back ON CONFLICT DO NOTHING;
  END $$`,
  `CREATE FUNCTION firm_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM owning_firms_settle(ARRAY[NEW.id], '{}');
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER firm_renamed AFTER UPDATE OF name ON firm FOR EACH ROW
    WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION firm_renamed()`,

  // --- people ---
  `CREATE TABLE withheld_property_contact (LIKE property_contact INCLUDING DEFAULTS INCLUDING INDEXES)`,
  `CREATE FUNCTION property_contact_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = NEW.contact_id) THEN RETURN NEW; END IF;
    INSERT INTO withheld_property_contact SELECT NEW.*
    ON CONFLICT (property_id, contact_id) DO UPDATE SET role = excluded.role,
      relationship_status = excluded.relationship_status, attribution_type = excluded.attribution_type;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER property_contact_divert BEFORE INSERT ON property_contact
    FOR EACH ROW EXECUTE FUNCTION property_contact_divert()`,
  `CREATE FUNCTION contact_firm_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE suppressed_contact s SET firm_id = NEW.firm_id WHERE s.contact_id = NEW.id;
    IF NOT FOUND THEN RETURN NEW; END IF;
    NEW.firm_id := NULL;
    IF to_jsonb(NEW) - 'updated_at' = to_jsonb(OLD) - 'updated_at' THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER contact_firm_divert BEFORE UPDATE OF firm_id ON contact FOR EACH ROW
    WHEN (NEW.firm_id IS NOT NULL AND NEW.firm_id IS DISTINCT FROM OLD.firm_id)
    EXECUTE FUNCTION contact_firm_divert()`,
  /* Answers the properties of the person. */
  `CREATE FUNCTION contact_suppress(person uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO suppressed_contact (contact_id, firm_id) SELECT c.id, c.firm_id FROM contact c WHERE c.id = person;
    UPDATE contact SET firm_id = NULL WHERE id = person AND firm_id IS NOT NULL;
    /* Answers that are kept sealed cannot be searched for the person. */
    DELETE FROM idempotent_answer WHERE operation = 'service_reveal_contact';
    RETURN QUERY
    WITH gone AS (DELETE FROM property_contact t WHERE t.contact_id = person RETURNING t.*)
    INSERT INTO withheld_property_contact SELECT * FROM gone RETURNING property_id;
  END $$`,
  `CREATE FUNCTION contact_list_again(person uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
  DECLARE
    of_firm uuid;
  BEGIN
    DELETE FROM suppressed_contact WHERE contact_id = person RETURNING firm_id INTO of_firm;
    UPDATE contact SET firm_id = of_firm WHERE id = person AND of_firm IS NOT NULL;
    RETURN QUERY
    WITH back AS (DELETE FROM withheld_property_contact t WHERE t.contact_id = person RETURNING t.*)
    INSERT INTO property_contact SELECT * FROM back RETURNING property_id;
  END $$`,

  // --- owners again: what the tables hold now, after a name or a property was added or taken away ---
  `CREATE FUNCTION owner_settle_all(of_name text, of_property uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM owning_firms_settle(
      ARRAY(SELECT f.id FROM firm f WHERE owner_name_key(f.name) = of_name), array_remove(ARRAY[of_property], NULL)
    );
    RETURN QUERY
    WITH settled AS (
      UPDATE property p SET owner_withheld = true
      WHERE p.id = of_property OR of_name IN (
        owner_name_key(coalesce(p.record_owner, p.withheld_owner ->> 'record_owner')),
        owner_name_key(coalesce(p.owner_name, p.withheld_owner ->> 'owner_name')),
        owner_name_key(coalesce(p.owner_name_raw, p.withheld_owner ->> 'owner_name_raw')),
        owner_name_key(coalesce(p.owner_name2, p.withheld_owner ->> 'owner_name2'))
      )
      RETURNING p.id
    ), researched AS (
      UPDATE property_research r SET withheld_beneficial_owner = r.withheld_beneficial_owner
      WHERE r.property_id = of_property OR owner_name_key(coalesce(r.beneficial_owner, r.withheld_beneficial_owner)) = of_name
      RETURNING r.property_id
    )
    SELECT id FROM settled UNION SELECT property_id FROM researched;
  END $$`,
  /* Bundles that were built and hold what is withheld now: what is sent again is built anew. */
  `CREATE INDEX delivery_log_of_property ON delivery_log (property_id) WHERE data IS NOT NULL`,
  `CREATE FUNCTION bundles_forget(properties uuid[]) RETURNS void LANGUAGE sql AS $$
    UPDATE delivery SET data = NULL WHERE property_id = ANY(properties) AND data IS NOT NULL;
    UPDATE delivery_log SET data = NULL WHERE property_id = ANY(properties) AND data IS NOT NULL;
  $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
