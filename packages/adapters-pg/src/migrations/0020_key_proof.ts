/**
 * A value that the operator's key sealed, by which every later start knows that it was given the same key. One row at
 * most; the first start that has a key writes it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE key_proof (
      only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
      sealed bytea NOT NULL
    )`
})
