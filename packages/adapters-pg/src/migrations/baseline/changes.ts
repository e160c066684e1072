/** What changed about properties and people, and which of it organizations have not been told yet. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const changes: Subject = {
  tables: [
    `CREATE TABLE property_change (
      id uuid PRIMARY KEY,
      key text NOT NULL UNIQUE,
      kind text NOT NULL,
      property_id uuid REFERENCES property,
      contact_id uuid REFERENCES contact,
      before jsonb,
      after jsonb,
      detected_at timestamptz,
      effective_date date,
      source text,
      withdraws uuid REFERENCES property_change,
      county_fips text
    )`,
    ...Comment.onTable("property_change", "What was recorded to have changed about a property or a person.", {
      key: "The name that the source gave, which an import finds the record again by.",
      before: "What was so before, with its kind of value; null: not known.",
      after: "What is so since.",
      detected_at: "When the source found it.",
      effective_date: "When it came to be, where that is known.",
      withdraws: "The change that this one takes back.",
      county_fips: "Where the property is, or the one that it was merged into; kept by triggers. Null for a person's."
    }),

    `CREATE TABLE change_outbox (
      place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      change_id uuid NOT NULL REFERENCES property_change
    )`,
    ...Comment.onTable(
      "change_outbox",
      "Changes that wait until the worker made an event of them for every organization that sees their subject.",
      {
        place: "Their order: a withdrawal follows its change."
      }
    )
  ],
  indexes: [
    `CREATE INDEX property_change_of_property ON property_change (property_id, detected_at DESC)`,
    `CREATE INDEX property_change_of_contact ON property_change (contact_id, detected_at DESC)`,
    `CREATE INDEX property_change_recent ON property_change (detected_at DESC, id DESC)`,
    `CREATE INDEX property_change_withdrawn ON property_change (withdraws) WHERE withdraws IS NOT NULL`,
    `CREATE INDEX property_change_of_county ON property_change (county_fips, detected_at DESC, id DESC)
      INCLUDE (kind, property_id) WHERE county_fips IS NOT NULL`,
    `CREATE INDEX property_change_of_people ON property_change (detected_at DESC, id DESC) INCLUDE (kind, contact_id)
      WHERE property_id IS NULL AND contact_id IS NOT NULL`
  ],
  triggers: [
    `CREATE TRIGGER change_placed BEFORE INSERT OR UPDATE OF property_id ON property_change
      FOR EACH ROW WHEN (NEW.property_id IS NOT NULL) EXECUTE FUNCTION change_placed()`,
    `CREATE TRIGGER change_recorded AFTER INSERT ON property_change REFERENCING NEW TABLE AS recorded
      FOR EACH STATEMENT EXECUTE FUNCTION change_recorded()`,
    `CREATE TRIGGER change_wake AFTER INSERT ON property_change FOR EACH STATEMENT EXECUTE FUNCTION event_wake()`
  ]
}
