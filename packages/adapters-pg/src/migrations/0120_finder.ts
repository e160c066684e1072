/** What a finder has read and was told, for a while; and who was erased is known by firm and name as well. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"
import { functions as personFunctions } from "../suppression/PersonFunctions.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE finder_cache (
    name text PRIMARY KEY,
    body json NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX finder_cache_age ON finder_cache (expires_at)`,
  ...Comment.onTable(
    "finder_cache",
    "What a finder has read and was told: pages of sites, answers of a language model.",
    {
      name: "What it is: an address with what was asked there, or the digest of a question.",
      body: "As it was read."
    }
  ),
  ...personFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
