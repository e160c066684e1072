/** Imports that the operator began in the app. Core's `ImportRuns` has the rules. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE import_run (
    run_id uuid PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    strict boolean NOT NULL,
    dry_run boolean NOT NULL,
    begun_by text NOT NULL,
    map text,
    state text NOT NULL CHECK (state IN ('uploading', 'running', 'ended', 'failed')),
    counts jsonb NOT NULL,
    bytes bigint NOT NULL DEFAULT 0,
    bytes_read bigint NOT NULL DEFAULT 0,
    parts integer NOT NULL DEFAULT 0,
    reject_size bigint NOT NULL DEFAULT 0,
    shown jsonb NOT NULL DEFAULT '[]',
    fault text,
    begun_at timestamptz NOT NULL,
    told_at timestamptz NOT NULL,
    ended_at timestamptz
  )`,
  `CREATE INDEX import_run_newest ON import_run (begun_at)`,
  `COMMENT ON TABLE import_run IS 'Imports of the app and how they went; the newest two hundred'`,
  `COMMENT ON COLUMN import_run.map IS 'JSON text of the map of a CSV file; null: the file is NDJSON'`,
  `COMMENT ON COLUMN import_run.counts IS 'Rows read, inserted, updated, unchanged and rejected'`,
  `COMMENT ON COLUMN import_run.bytes IS 'What has arrived of the file'`,
  `COMMENT ON COLUMN import_run.reject_size IS 'Characters of its rejects; beyond a bound no more are kept'`,
  `COMMENT ON COLUMN import_run.shown IS 'The first rows, as the map made them'`,
  `COMMENT ON COLUMN import_run.fault IS 'Why it failed; null: it did not'`,
  `COMMENT ON COLUMN import_run.told_at IS 'When its process last told how far it is; one that tells nothing any more was interrupted'`,

  `CREATE TABLE import_part (
    run_id uuid NOT NULL REFERENCES import_run ON DELETE CASCADE,
    number integer NOT NULL,
    bytes bytea NOT NULL CHECK (length(bytes) <= 1048576),
    PRIMARY KEY (run_id, number)
  )`,
  `ALTER TABLE import_part ALTER COLUMN bytes SET STORAGE EXTERNAL`,
  `COMMENT ON TABLE import_part IS 'A file that is being uploaded or loaded, in parts; gone when its import has ended'`,

  `CREATE TABLE import_reject (
    run_id uuid NOT NULL REFERENCES import_run ON DELETE CASCADE,
    number integer NOT NULL,
    lines text NOT NULL,
    PRIMARY KEY (run_id, number)
  )`,
  `COMMENT ON TABLE import_reject IS 'Rejected rows of an import with their reasons, as lines of NDJSON'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
