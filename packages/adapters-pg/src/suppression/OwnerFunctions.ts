/**
 * How the tables keep owners unlisted who asked for it, whoever writes: the owner fields of a property are moved to
 * `withheld_owner`, a beneficial owner to `withheld_beneficial_owner`, the tie of an owning firm to a table of its own.
 *
 * *Gotcha*: an import compares with what it sees, so a source that clears an owner field while the owner is withheld
 * changes nothing; the property stays withheld.
 */
import * as Comment from "../database/Comment.ts"

/** What separates words, beside the characters that join them. */
const blanks = "!\"#$%&()*+,-/:;<=>?@[\\]^_`{|}~\t\n\r\u00a0"
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Each that names the owner, or says how to reach the owner. */
export const ownerColumns = ["record_owner", "owner_name", "owner_name_raw", "owner_name2", "owner_mailing_address"]

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION owner_name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    btrim(regexp_replace(
      translate(lower(name COLLATE "C"), ${literal(`${blanks}.'’`)}, ${literal(" ".repeat(blanks.length))}),
      ' +', ' ', 'g'))`,
  Comment.onFunction("owner_name_key", "A name as suppressions compare it: core's OwnerName."),

  `CREATE OR REPLACE FUNCTION owner_given() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.withheld_owner := NEW.withheld_owner || jsonb_build_object(TG_ARGV[0], to_jsonb(NEW) -> TG_ARGV[0]);
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "owner_given",
    `
    Trigger of property: what a statement sets while the column itself is empty goes to withheld_owner.
  `
  ),

  `CREATE OR REPLACE FUNCTION owner_settle() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    said jsonb;
    unseen CONSTANT text[] := ARRAY['updated_at', 'search_text_with_name'];
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
  Comment.onFunction(
    "owner_settle",
    `
    Trigger of property: withholds or gives back the owner. What sets owner_withheld asks whether it is so; the
    answer is written. A row that is written again as it was stays untouched.
  `
  ),

  `CREATE OR REPLACE FUNCTION owner_settle_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
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
  Comment.onFunction(
    "owner_settle_inserted",
    `
    Trigger of property, by the statement, because imports insert many. A property that is new was not asked for by
    itself.
  `
  ),

  `CREATE OR REPLACE FUNCTION beneficial_owner_given() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.withheld_beneficial_owner := NULL;
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "beneficial_owner_given",
    `
    Trigger of property_research: what a statement sets takes the place of what is withheld.
  `
  ),

  `CREATE OR REPLACE FUNCTION beneficial_owner_settle() RETURNS trigger LANGUAGE plpgsql AS $$
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
  Comment.onFunction(
    "beneficial_owner_settle",
    `
    Trigger of property_research: withholds or gives back the beneficial owner.
  `
  ),

  `CREATE OR REPLACE FUNCTION owning_firm_withheld(of_property uuid, of_firm uuid, as_role text) RETURNS boolean
  LANGUAGE sql STABLE RETURN as_role = 'owner' AND (
    EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = of_property)
    OR EXISTS (
      SELECT FROM suppressed_owner s JOIN firm f ON owner_name_key(f.name) = s.name_key WHERE f.id = of_firm
    )
  )`,
  Comment.onFunction("owning_firm_withheld", "Whether a firm's tie to a property as its owner is withheld."),

  `CREATE OR REPLACE FUNCTION property_firm_divert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM suppressed_owner) AND NOT EXISTS (SELECT FROM suppressed_property) THEN RETURN NEW; END IF;
    IF NOT owning_firm_withheld(NEW.property_id, NEW.firm_id, NEW.role) THEN RETURN NEW; END IF;
    INSERT INTO withheld_property_firm SELECT NEW.*
    ON CONFLICT (property_id, firm_id, role) DO UPDATE SET attribution_type = excluded.attribution_type;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "property_firm_divert",
    `
    Trigger of property_firm: a withheld tie goes to withheld_property_firm instead.
  `
  ),

  `CREATE OR REPLACE FUNCTION owning_firms_settle(firms uuid[], properties uuid[]) RETURNS void LANGUAGE plpgsql AS $$
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
  Comment.onFunction("owning_firms_settle", "Puts the ties of these firms and properties where they belong now."),

  `CREATE OR REPLACE FUNCTION firm_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM owning_firms_settle(ARRAY[NEW.id], '{}');
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "firm_renamed",
    `
    Trigger of firm: its ties as an owner go where they belong under the new name.
  `
  ),

  `CREATE OR REPLACE FUNCTION owner_settle_all(of_name text, of_property uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
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
  Comment.onFunction(
    "owner_settle_all",
    `
    Puts everything where it belongs after a name or a property was added or taken away; answers the properties that
    were looked at.
  `
  )
]
