/** Whoever writes to deliveries locks in one order (`webhook/DeliveryFunctions.ts`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as PersonFunctions from "../suppression/PersonFunctions.ts"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const functions = [...ChangeFunctions.functions, ...PersonFunctions.functions, ...DeliveryFunctions.functions]
  yield* Effect.forEach(functions, (statement) => sql.unsafe(statement), { discard: true })
})
