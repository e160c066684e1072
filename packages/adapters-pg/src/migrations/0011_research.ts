/** The runs of research and their items. An item has one charge, and ends once. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE research_run (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL UNIQUE,
    action text NOT NULL,
    batch boolean NOT NULL,
    wish jsonb,
    actor jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (org_id, id)
  )`,
  `CREATE INDEX research_run_launched ON research_run (org_id, created_at DESC)`,
  `CREATE UNIQUE INDEX research_run_batch ON research_run (org_id) WHERE batch AND finished_at IS NULL`,
  `CREATE TABLE research_item (
    org_id text NOT NULL,
    run_id uuid NOT NULL,
    place integer NOT NULL,
    /* What a researcher is asked and answers under. */
    id uuid NOT NULL UNIQUE,
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
    PRIMARY KEY (org_id, run_id, place),
    FOREIGN KEY (org_id, run_id) REFERENCES research_run,
    FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
    CHECK ((state = 'failed') = (reason IS NOT NULL)),
    CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL))
  )`,
  `CREATE UNIQUE INDEX research_item_charge ON research_item (org_id, charge_entry)`,
  `CREATE INDEX research_item_due ON research_item (due_at) WHERE state IN ('queued', 'running')`,
  /* A property is everybody's, and so is its research; what is about a person is one organization's. */
  `CREATE UNIQUE INDEX research_item_property ON research_item (subject_id)
    WHERE action = 'research_property' AND state IN ('queued', 'running')`,
  `CREATE UNIQUE INDEX research_item_active ON research_item (org_id, action, subject_id)
    WHERE state IN ('queued', 'running')`,
  `CREATE INDEX research_item_strategy ON research_item (org_id, subject_id, finished_at DESC)
    WHERE action = 'deep_research_contact' AND state IN ('complete', 'partial')`,
  /* Which charge a property stays open by when another one is given back. */
  `CREATE INDEX credit_entry_research ON credit_entry (org_id, subject_id) WHERE action = 'research_property'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
