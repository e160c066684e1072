/** Indexes that rest during a first load. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE resting_index (
    name text PRIMARY KEY,
    definition text NOT NULL,
    place integer NOT NULL
  )`,
  ...Comment.onTable(
    "resting_index",
    "Indexes of property that a first load dropped and that are made again at its end, or by whoever finds that it is gone.",
    { definition: "The statement that makes it.", place: "Their order: those that take longest first." }
  )
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
