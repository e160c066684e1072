/** Leads, their moves, and the customers of organizations. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const pipeline: Subject = {
  tables: [
    `CREATE TABLE lead (
      org_id text NOT NULL REFERENCES organization,
      property_id uuid NOT NULL REFERENCES property,
      status text NOT NULL
        CHECK (status IN ('qualified', 'attempted_contact', 'active_opportunity', 'won', 'lost', 'disqualified')),
      deal_value double precision,
      qualified_at timestamptz NOT NULL,
      qualified_by jsonb NOT NULL,
      status_changed_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      loss_reason_code text,
      loss_reason_note text,
      disqualified_reason text,
      owner_id uuid,
      owner_name text,
      PRIMARY KEY (org_id, property_id)
    )`,
    ...Comment.onTable("lead", "A property that an organization qualified, and where it stands.", {
      qualified_by: "Who qualified it: a key, a member or the operator.",
      version: "Moves on with every change of the stage: what was decided on another one is not written.",
      loss_reason_code: "Why it was lost: a reason of the service or of the organization.",
      owner_id: "The member whose lead it is; null: nobody's.",
      owner_name: "The owner's name as it was then."
    }),

    `CREATE TABLE lead_stage_history (
      org_id text NOT NULL,
      property_id uuid NOT NULL,
      version integer NOT NULL,
      from_status text,
      to_status text NOT NULL,
      at timestamptz NOT NULL,
      actor jsonb NOT NULL,
      by_agent boolean NOT NULL,
      deal_value double precision,
      reason_code text,
      note text,
      PRIMARY KEY (org_id, property_id, version),
      FOREIGN KEY (org_id, property_id) REFERENCES lead ON UPDATE CASCADE
    )`,
    ...Comment.onTable(
      "lead_stage_history",
      "One move of a lead. Read from the first on, they lead to the lead as it is.",
      {
        version: "That of the lead after the move.",
        from_status: "Null: it was not a lead before.",
        by_agent: "By a key or a member's assistant."
      }
    ),

    `CREATE TABLE merged_lead (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      property_id uuid NOT NULL REFERENCES property,
      into_id uuid NOT NULL REFERENCES property,
      at timestamptz NOT NULL DEFAULT now(),
      lead jsonb NOT NULL,
      history jsonb NOT NULL,
      PRIMARY KEY (org_id, id)
    )`,
    ...Comment.onTable(
      "merged_lead",
      `Where two merged properties were leads of one organization, the one that rests, with its history. The one whose stage
      changed last goes on as the survivor's.`,
      { into_id: "The survivor." }
    ),

    `CREATE TABLE customer_account (
      org_id text NOT NULL REFERENCES organization,
      property_id uuid NOT NULL REFERENCES property,
      status text NOT NULL CHECK (status IN ('active', 'churned')),
      PRIMARY KEY (org_id, property_id)
    )`,
    ...Comment.onTable(
      "customer_account",
      "A property that the organization says is its customer's: active now, churned before."
    )
  ],
  indexes: [
    `CREATE INDEX lead_changed ON lead (org_id, status_changed_at DESC, property_id)`,
    `CREATE INDEX lead_in_stage ON lead (org_id, status, status_changed_at DESC, property_id)`,
    `CREATE INDEX lead_of_property ON lead (property_id, org_id)`,
    `CREATE INDEX merged_lead_of_property ON merged_lead (org_id, into_id)`,
    `CREATE INDEX customer_account_of_property ON customer_account (property_id, org_id)`
  ]
}
