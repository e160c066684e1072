/**
 * Who asked not to be listed, and how the tables keep to it.
 *
 * What is withheld is moved out of the columns and tables that everything reads, so that no query, count, sort or index
 * can tell of it. Triggers do it for whatever is written later, by whomever (`suppression/OwnerFunctions`,
 * `suppression/PersonFunctions`).
 */
import * as Comment from "../../database/Comment.ts"
import { ownerColumns } from "../../suppression/OwnerFunctions.ts"
import type { Subject } from "./Subject.ts"

const ownerChanged = ownerColumns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(" OR ")

export const suppression: Subject = {
  tables: [
    `CREATE TABLE suppressed_contact (
      contact_id uuid PRIMARY KEY REFERENCES contact,
      firm_id uuid REFERENCES firm,
      at timestamptz NOT NULL DEFAULT now()
    )`,
    ...Comment.onTable("suppressed_contact", "A person who asked not to be listed.", {
      firm_id: "The firm that the person is attached to, as far as is known."
    }),

    `CREATE TABLE suppressed_owner (
      name_key text PRIMARY KEY CHECK (name_key <> ''),
      name text NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`,
    ...Comment.onTable("suppressed_owner", "The name of an owner who asked not to be listed.", {
      name_key: "The name as it is compared (owner_name_key).",
      name: "As it was given."
    }),

    `CREATE TABLE suppressed_property (
      property_id uuid PRIMARY KEY REFERENCES property,
      at timestamptz NOT NULL DEFAULT now()
    )`,
    ...Comment.onTable("suppressed_property", "A property whose owners asked not to be listed, whatever their names."),

    `CREATE TABLE withheld_property_contact (
      property_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      role text,
      relationship_status text NOT NULL DEFAULT 'unverified',
      attribution_type text NOT NULL DEFAULT 'customer_supplied',
      county_fips text,
      PRIMARY KEY (property_id, contact_id)
    )`,
    ...Comment.onTable(
      "withheld_property_contact",
      "The ties of suppressed people, column by column as in property_contact."
    ),

    `CREATE TABLE withheld_property_firm (
      property_id uuid NOT NULL,
      firm_id uuid NOT NULL,
      role text NOT NULL,
      attribution_type text NOT NULL,
      county_fips text,
      PRIMARY KEY (property_id, firm_id, role)
    )`,
    ...Comment.onTable(
      "withheld_property_firm",
      "The ties of suppressed owning firms, column by column as in property_firm."
    )
  ],
  indexes: [
    `CREATE INDEX property_owner_withheld ON property (id) WHERE owner_withheld`,
    `CREATE INDEX property_research_withheld ON property_research (property_id) WHERE withheld_beneficial_owner IS NOT NULL`,
    `CREATE INDEX withheld_property_contact_contact_id_property_id_idx ON withheld_property_contact (contact_id, property_id)`,
    `CREATE INDEX withheld_property_firm_firm_id_property_id_idx ON withheld_property_firm (firm_id, property_id)`
  ],
  triggers: [
    ...ownerColumns.map((column) => `
      CREATE TRIGGER owner_given_${column} BEFORE UPDATE OF ${column} ON property
      FOR EACH ROW WHEN (OLD.owner_withheld) EXECUTE FUNCTION owner_given('${column}')`),
    `CREATE TRIGGER owner_settle BEFORE UPDATE OF ${ownerColumns.join(", ")}, owner_withheld ON property
      FOR EACH ROW WHEN (OLD.owner_withheld OR NEW.owner_withheld OR ${ownerChanged}) EXECUTE FUNCTION owner_settle()`,
    `CREATE TRIGGER owner_settle_inserted AFTER INSERT ON property REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT EXECUTE FUNCTION owner_settle_inserted()`,
    `CREATE TRIGGER beneficial_owner_given BEFORE UPDATE OF beneficial_owner ON property_research
      FOR EACH ROW WHEN (OLD.withheld_beneficial_owner IS NOT NULL) EXECUTE FUNCTION beneficial_owner_given()`,
    `CREATE TRIGGER beneficial_owner_settle
      BEFORE INSERT OR UPDATE OF beneficial_owner, withheld_beneficial_owner ON property_research
      FOR EACH ROW EXECUTE FUNCTION beneficial_owner_settle()`,
    `CREATE TRIGGER property_firm_divert BEFORE INSERT ON property_firm FOR EACH ROW
      WHEN (NEW.role = 'owner') EXECUTE FUNCTION property_firm_divert()`,
    `CREATE TRIGGER firm_renamed AFTER UPDATE OF name ON firm FOR EACH ROW
      WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION firm_renamed()`,
    `CREATE TRIGGER property_contact_divert BEFORE INSERT ON property_contact
      FOR EACH ROW EXECUTE FUNCTION property_contact_divert()`,
    `CREATE TRIGGER contact_firm_divert BEFORE UPDATE OF firm_id ON contact FOR EACH ROW
      WHEN (NEW.firm_id IS NOT NULL AND NEW.firm_id IS DISTINCT FROM OLD.firm_id)
      EXECUTE FUNCTION contact_firm_divert()`
  ]
}
