/** The first contacts let indexes rest too (`import/RestingIndexes`), of other tables than that of properties. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (
    const statement of Comment.onTable(
      "resting_index",
      "Indexes of properties and people that a first load dropped and that are made again at its end, or by whoever finds that it is gone."
    )
  ) yield* sql.unsafe(statement)
})
