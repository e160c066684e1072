/**
 * What those who watch over an installation, and programs of other versions, read: when what was imported last, and which
 * migrations a program has to know.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE import_total (
    kind text PRIMARY KEY,
    runs bigint NOT NULL DEFAULT 0,
    changed_rows bigint NOT NULL DEFAULT 0,
    last_at timestamptz NOT NULL
  )`,
  `COMMENT ON TABLE import_total IS 'Imports that ended, by kind: how many, how many rows they changed, when the last one ended'`,
  `CREATE TABLE schema_break (
    migration_id integer PRIMARY KEY,
    since text NOT NULL
  )`,
  `COMMENT ON TABLE schema_break IS 'Migrations that did more than add: a program that does not know one of them must not run'`,
  `COMMENT ON COLUMN schema_break.since IS 'The first version of the program that knows the migration'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
