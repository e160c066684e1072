/** The runs of research and their items. An item has one charge, and ends once. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const research: Subject = {
  tables: [
    `CREATE TABLE research_run (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      action text NOT NULL,
      batch boolean NOT NULL,
      wish jsonb,
      actor jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      finished_at timestamptz,
      PRIMARY KEY (org_id, id)
    )`,
    ...Comment.onTable("research_run", "An order of research: one subject, or a batch of them.", {
      action: "What is ordered; it names the price.",
      wish: "What an email that is drafted should be like.",
      actor: "Who ordered it.",
      finished_at: "When its last item ended."
    }),

    `CREATE TABLE research_item (
      org_id text NOT NULL,
      run_id uuid NOT NULL,
      place integer NOT NULL,
      id uuid NOT NULL,
      action text NOT NULL,
      subject_id uuid NOT NULL,
      charge_entry integer NOT NULL,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'complete', 'partial', 'failed')),
      reason text,
      result jsonb,
      claim integer NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      handed_over boolean NOT NULL DEFAULT false,
      due_at timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz,
      property_id uuid,
      PRIMARY KEY (org_id, run_id, place),
      FOREIGN KEY (org_id, run_id) REFERENCES research_run,
      FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
      CHECK ((state = 'failed') = (reason IS NOT NULL)),
      CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL))
    )`,
    ...Comment.onTable(
      "research_item",
      "A run's part about one subject: charged when it is launched, delivered or given back once.",
      {
        id: "What a researcher is asked and answers under.",
        subject_id: "The property or the person.",
        reason: "Why it failed.",
        claim: "Moves on with every claim, so that an outcome of an earlier one counts for nothing.",
        handed_over: "A researcher has taken it and answers later.",
        due_at: "When it may be claimed: of what is claimed, the end of the lease.",
        property_id:
          "What is about a person is about one property of the person too; null: of an order before that was asked for."
      }
    )
  ],
  indexes: [
    `CREATE INDEX research_run_launched ON research_run (org_id, created_at DESC)`,
    `CREATE UNIQUE INDEX research_run_batch ON research_run (org_id) WHERE batch AND finished_at IS NULL`,
    `CREATE UNIQUE INDEX research_item_charge ON research_item (org_id, charge_entry)`,
    // A researcher that answers names the job alone.
    `CREATE INDEX research_item_by_id ON research_item (id)`,
    `CREATE INDEX research_item_due ON research_item (due_at) WHERE state IN ('queued', 'running')`,
    // A property is everybody's, and so is its research; what is about a person is one organization's.
    `CREATE UNIQUE INDEX research_item_property ON research_item (subject_id)
      WHERE action = 'research_property' AND state IN ('queued', 'running')`,
    `CREATE UNIQUE INDEX research_item_active ON research_item (org_id, action, subject_id, coalesce(property_id, subject_id))
      WHERE state IN ('queued', 'running')`,
    `CREATE INDEX research_item_strategy ON research_item (org_id, subject_id, finished_at DESC)
      WHERE action = 'deep_research_contact' AND state IN ('complete', 'partial')`
  ]
}
