/** A first load adds what maps count in larger rounds, and looks once in a statement at how far its counties extend. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ExtentFunctions from "../coverage/ExtentFunctions.ts"
import * as MapFunctions from "../map/MapFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of [...MapFunctions.functions, ...ExtentFunctions.functions]) yield* sql.unsafe(statement)
})
