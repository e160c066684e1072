/** What was counted: requests by the minute and the day, and what an organization used of its daily limits and its allowance. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

/** Rows that are updated with every request: room for their next version, and swept before they pile up. */
const counted = "WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"

export const limits: Subject = {
  tables: [
    `CREATE TABLE credential_window (
      org_id text NOT NULL,
      credential_id uuid NOT NULL,
      started_at bigint NOT NULL,
      count integer NOT NULL CHECK (count >= 0),
      PRIMARY KEY (org_id, credential_id),
      FOREIGN KEY (org_id, credential_id) REFERENCES credential
    ) ${counted}`,
    ...Comment.onTable("credential_window", "How many requests a credential made in its minute.", {
      started_at: "When the minute began, in milliseconds after 1970."
    }),

    `CREATE TABLE organization_day (
      org_id text NOT NULL REFERENCES organization,
      day date NOT NULL,
      requests integer NOT NULL CHECK (requests >= 0),
      PRIMARY KEY (org_id, day)
    ) ${counted}`,
    ...Comment.onTable(
      "organization_day",
      "How many requests an organization made on a UTC day, where its plan has a ceiling of them."
    ),

    `CREATE TABLE daily_use (
      org_id text NOT NULL REFERENCES credit_account,
      day date NOT NULL,
      kind text NOT NULL CHECK (
        kind IN ('contact_reveal', 'lead_export', 'agent_pipeline_change', 'paid_property_unlock', 'records_taken_per_day')
      ),
      scope text NOT NULL,
      used integer NOT NULL CHECK (used > 0),
      PRIMARY KEY (org_id, day, kind, scope)
    ) WITH (fillfactor = 50)`,
    ...Comment.onTable(
      "daily_use",
      "How much of each kind of data was used on a UTC day, by the organization and by each key.",
      {
        scope: "The key; empty: the organization."
      }
    ),

    `CREATE TABLE contact_disclosed (
      org_id text NOT NULL REFERENCES credit_account,
      day date NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (org_id, day, contact_id)
    )`,
    ...Comment.onTable(
      "contact_disclosed",
      "The covered contacts that were counted on a UTC day, so that each counts once."
    ),

    `CREATE TABLE record_use (
      org_id text NOT NULL REFERENCES credit_account,
      period_start timestamptz NOT NULL,
      initial integer NOT NULL CHECK (initial >= 0),
      recurring integer NOT NULL CHECK (recurring >= 0),
      properties integer NOT NULL CHECK (properties >= 0),
      organizations integer NOT NULL CHECK (organizations >= 0),
      contacts integer NOT NULL CHECK (contacts >= 0),
      PRIMARY KEY (org_id, period_start),
      CHECK (initial + recurring = properties + organizations + contacts)
    ) WITH (fillfactor = 50)`,
    ...Comment.onTable("record_use", "How many distinct records an organization took in a period of its allowance.", {
      period_start: "The period is known by its first moment.",
      initial: "What the one-time initial load paid for.",
      organizations: "Firms, as the contract calls them."
    }),

    `CREATE TABLE record_taken (
      org_id text NOT NULL,
      period_start timestamptz NOT NULL,
      kind text NOT NULL CHECK (kind IN ('property', 'organization', 'contact')),
      record_id uuid NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (org_id, period_start, kind, record_id),
      FOREIGN KEY (org_id, period_start) REFERENCES record_use DEFERRABLE INITIALLY DEFERRED
    )`,
    ...Comment.onTable(
      "record_taken",
      "A record that was delivered in full in a period, whichever way: it counts once.",
      {
        kind: "An organization is a firm, as the contract calls it."
      }
    )
  ],
  indexes: [`CREATE INDEX record_taken_of_record ON record_taken (record_id, org_id)`]
}
