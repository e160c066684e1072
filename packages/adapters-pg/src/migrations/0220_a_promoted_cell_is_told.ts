/** A cell knows by its timeline that a standby was promoted or a base backup restored (`cell/Subscription`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../cell/CellFunctions.ts"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  ...functions,
  `CREATE TABLE cell_timeline (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    timeline text NOT NULL
  )`,
  ...Comment.onTable(
    "cell_timeline",
    "PostgreSQL's timeline on which this cell receives: on another one it may lack what came last on this one.",
    { only_one: "One row at most." }
  ),
  "INSERT INTO cell_timeline (timeline) SELECT server_timeline() WHERE cell_name() IS NOT NULL"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
