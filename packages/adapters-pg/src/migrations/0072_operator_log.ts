/** Who of the operator's people did what, and why. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE operator_log (
    entry_id uuid PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    about_org text,
    subject text NOT NULL,
    reason text
  )`,
  `CREATE INDEX operator_log_about ON operator_log (about_org, number)`,
  ...Comment.onTable(
    "operator_log",
    "Who of the operator's people did what by a command, and why; it outlives what it is about, and is kept for good.",
    {
      number: "The order of the lines.",
      about_org: "The organization, which may be gone; null: none, or all.",
      subject: "What it was done to: an id, or what the command was given."
    }
  )
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
