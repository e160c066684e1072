/** The log of administration, and what admins ask about the charges of a span. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE administration_log (
    org_id text NOT NULL REFERENCES organization ON DELETE CASCADE,
    entry_id uuid NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    actor jsonb NOT NULL,
    action text NOT NULL,
    subject_id text NOT NULL,
    subject_name text NOT NULL,
    before jsonb,
    after jsonb,
    PRIMARY KEY (org_id, entry_id)
  )`,
  `CREATE INDEX administration_log_order ON administration_log (org_id, number)`,
  `CREATE INDEX administration_log_age ON administration_log (org_id, at)`,
  `COMMENT ON TABLE administration_log IS 'Who changed what about keys, members, settings and endpoints; written with the change, kept for two years'`,
  `COMMENT ON COLUMN administration_log.number IS 'The order of entries within an organization; between organizations it means nothing'`,
  `COMMENT ON COLUMN administration_log.subject_name IS 'What people called it then'`,
  `COMMENT ON COLUMN administration_log.before IS 'The fields that changed, as they were; null: there was nothing'`,
  `COMMENT ON COLUMN administration_log.after IS 'The same as they became; null: there is nothing'`,

  `CREATE INDEX credit_entry_charged ON credit_entry (org_id, at) WHERE kind = 'charge'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
