/**
 * The ledger, and what was opened by it. Amounts are whole credits; constraints repeat the ledger's invariants as the last
 * line of defence.
 */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const credits: Subject = {
  tables: [
    `CREATE TABLE credit_account (
      org_id text PRIMARY KEY REFERENCES organization,
      version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
      revision integer NOT NULL DEFAULT 0,
      trial integer NOT NULL DEFAULT 0 CHECK (trial >= 0),
      included integer NOT NULL DEFAULT 0 CHECK (included >= 0),
      enterprise_pool integer NOT NULL DEFAULT 0 CHECK (enterprise_pool >= 0),
      purchased integer NOT NULL DEFAULT 0 CHECK (purchased >= 0)
    ) WITH (fillfactor = 50)`,
    ...Comment.onTable(
      "credit_account",
      "An organization's credits by bucket. Its row is the lock of all that must be exact about the organization.",
      {
        version: "The number of the last entry.",
        revision: "Moves on with every change of what a decision may be about; says nothing by itself."
      }
    ),

    `CREATE TABLE credit_entry (
      org_id text NOT NULL REFERENCES credit_account,
      entry integer NOT NULL CHECK (entry >= 1),
      at timestamptz NOT NULL,
      kind text NOT NULL CHECK (kind IN ('grant', 'charge', 'refund', 'expiry')),
      ref text,
      action text,
      subject_type text,
      subject_id text,
      credits integer NOT NULL,
      trial integer NOT NULL,
      included integer NOT NULL,
      enterprise_pool integer NOT NULL,
      purchased integer NOT NULL,
      balance_after integer NOT NULL CHECK (balance_after >= 0),
      actor jsonb NOT NULL,
      request_id text,
      refund_of integer,
      allocations jsonb NOT NULL,
      PRIMARY KEY (org_id, entry),
      FOREIGN KEY (org_id, refund_of) REFERENCES credit_entry,
      CHECK (credits = trial + included + enterprise_pool + purchased),
      CHECK ((kind IN ('charge', 'expiry')) = (credits < 0)),
      CHECK ((kind = 'refund') = (refund_of IS NOT NULL))
    )`,
    ...Comment.onTable("credit_entry", "One line of the ledger. Lines are only added.", {
      entry: "Its number within the organization, from 1 and without gaps.",
      ref: "Of a grant: the reference under which it counts once.",
      action: "Of a charge: what was bought.",
      credits: "What it adds; of a charge or an expiry, less than nothing. The buckets add up to it.",
      actor: "Who caused it.",
      refund_of: "The charge that it gives back.",
      allocations: "Which grants it took from or gave back to, and how much."
    }),

    /* No index looks at `remaining`: it changes with every charge, in place for as long as none does. */
    `CREATE TABLE credit_grant (
      org_id text NOT NULL REFERENCES credit_account,
      ref text NOT NULL,
      bucket text NOT NULL CHECK (bucket IN ('trial', 'included', 'enterprise_pool', 'purchased')),
      amount integer NOT NULL CHECK (amount > 0),
      remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND amount),
      expires_at timestamptz,
      entry integer NOT NULL,
      PRIMARY KEY (org_id, ref),
      FOREIGN KEY (org_id, entry) REFERENCES credit_entry
    ) WITH (fillfactor = 50)`,
    ...Comment.onTable("credit_grant", "Credits that were added, and what is left of them.", {
      ref: "The operator's reference, which counts once.",
      expires_at: "Null: never.",
      entry: "The line of the ledger that added them."
    }),

    `CREATE TABLE property_access (
      org_id text NOT NULL REFERENCES credit_account,
      property_id uuid NOT NULL REFERENCES property,
      source text NOT NULL CHECK (source IN ('paid', 'covered')),
      charge_entry integer,
      at timestamptz NOT NULL,
      PRIMARY KEY (org_id, property_id),
      FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
      CHECK ((source = 'paid') = (charge_entry IS NOT NULL))
    )`,
    ...Comment.onTable(
      "property_access",
      "A property that the organization unlocked: its research and its contacts are open.",
      {
        source: "Paid for, or inside the licensed area.",
        charge_entry: "The charge that it stands by; one charge opens one property."
      }
    ),

    `CREATE TABLE contact_access (
      org_id text NOT NULL REFERENCES credit_account,
      contact_id uuid NOT NULL REFERENCES contact,
      source text NOT NULL CHECK (source IN ('paid', 'free')),
      charge_entry integer,
      at timestamptz NOT NULL,
      PRIMARY KEY (org_id, contact_id),
      FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
      CHECK ((source = 'paid') = (charge_entry IS NOT NULL))
    )`,
    ...Comment.onTable("contact_access", "A contact that the organization revealed.", {
      source: "Paid for; or free, by an unlocked property or the licensed area: such a record opens nothing by itself.",
      charge_entry: "The charge that it stands by."
    }),

    `CREATE TABLE own_access (
      org_id text NOT NULL REFERENCES credit_account,
      action text NOT NULL CHECK (action ~ '^[a-z][a-z0-9_]{0,63}$'),
      subject_id text NOT NULL CHECK (length(subject_id) BETWEEN 1 AND 200),
      charge_entry integer NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (org_id, action, subject_id),
      FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry
    )`,
    ...Comment.onTable("own_access", "What an embedding application sold: one subject of one of its own actions.", {
      subject_id: "The application's own name of it."
    }),

    `CREATE TABLE merged_charge (
      org_id text NOT NULL,
      charge_entry integer NOT NULL,
      property_id uuid NOT NULL REFERENCES property,
      PRIMARY KEY (org_id, charge_entry),
      FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry
    )`,
    ...Comment.onTable(
      "merged_charge",
      `A charge for a property that the organization had paid for under the survivor's id as well. The access stands by one
      charge; should that be refunded, it stands by another one from here.`,
      { property_id: "The survivor." }
    ),

    `CREATE TABLE export_usage (
      org_id text NOT NULL REFERENCES credit_account,
      month date NOT NULL,
      exports integer NOT NULL CHECK (exports >= 0),
      PRIMARY KEY (org_id, month)
    ) WITH (fillfactor = 50)`,
    ...Comment.onTable("export_usage", "How many exports an organization made in a UTC month.", {
      month: "Its first day."
    })
  ],
  indexes: [
    `CREATE UNIQUE INDEX credit_entry_refund ON credit_entry (org_id, refund_of) WHERE refund_of IS NOT NULL`,
    `CREATE UNIQUE INDEX credit_entry_grant ON credit_entry (org_id, ref) WHERE kind = 'grant'`,
    // What a member spent in a month.
    `CREATE INDEX credit_entry_member ON credit_entry (org_id, (actor ->> 'id'), at)
      WHERE kind = 'charge' AND actor ->> 'kind' = 'member'`,
    // Which charge a property stays open by when another one is given back.
    `CREATE INDEX credit_entry_research ON credit_entry (org_id, subject_id) WHERE action = 'research_property'`,
    `CREATE UNIQUE INDEX property_access_charge ON property_access (org_id, charge_entry)`,
    `CREATE UNIQUE INDEX contact_access_charge ON contact_access (org_id, charge_entry)`,
    `CREATE UNIQUE INDEX own_access_charge ON own_access (org_id, charge_entry)`,
    `CREATE INDEX merged_charge_of_property ON merged_charge (property_id, org_id)`
  ]
}
