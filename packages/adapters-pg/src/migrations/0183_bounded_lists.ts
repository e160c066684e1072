/** An organization has so many lists, and so many items in them, at most. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ListFunctions from "../list/ListFunctions.ts"

const statements: ReadonlyArray<string> = [
  `DROP FUNCTION IF EXISTS list_create(text, uuid, text, text, text, text, uuid, text, uuid[], text, timestamptz)`,
  `DROP FUNCTION IF EXISTS list_add(text, uuid, uuid, uuid[], boolean, text[], text[], timestamptz)`,
  ...ListFunctions.functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
