/** Requests of one key that are made at the same time are counted together. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as keyFunctions } from "../access/KeyFunctions.ts"
import { functions as addressFunctions } from "../rate/AddressFunctions.ts"

const statements: ReadonlyArray<string> = [
  `DROP FUNCTION IF EXISTS authorize(bytea, bigint, bigint, bigint, bigint, bigint, bigint)`,
  ...keyFunctions,
  `DROP FUNCTION IF EXISTS count_address(text, bigint, integer)`,
  ...addressFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
