/** A member's saved searches have so many characters together at most. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as SavedSearchFunctions from "../search/SavedSearchFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP FUNCTION IF EXISTS saved_search_add(text, uuid, uuid, text, text, text, jsonb, integer, timestamptz)`
  for (const statement of SavedSearchFunctions.functions) yield* sql.unsafe(statement)
})
