/** Of a lead so many moves and changes are kept as are told of it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as CustomerFunctions from "../customer/CustomerFunctions.ts"
import * as Comment from "../database/Comment.ts"
import * as LeadFunctions from "../pipeline/LeadFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = [
    ...LeadFunctions.functions,
    ...CustomerFunctions.functions,
    ...Comment.onTable(
      "lead_stage_history",
      "One move of a lead. Read from the first on, they lead to the lead as it is; of very many the last are kept."
    )
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
})
