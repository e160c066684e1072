/** People who were erased for good: nothing but hashes, by which an import knows them again. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"
import { functions as personFunctions } from "../suppression/PersonFunctions.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE erased_person (
    mark bytea PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  ...Comment.onTable("erased_person", "Who was erased for good, so that no import brings them back.", {
    mark: "SHA-256 of a key, an email or the address of a profile (person_marks)."
  }),
  ...personFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
