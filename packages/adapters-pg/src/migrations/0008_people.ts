/**
 * What finding people and firms stands on: any substring of at least three characters of a name, a title or an employer.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE INDEX contact_full_name ON contact USING gin (lower(full_name) gin_trgm_ops)`,
  `CREATE INDEX contact_employer_name ON contact USING gin (lower(employer_name) gin_trgm_ops)`,
  `CREATE INDEX contact_title ON contact USING gin (lower(title) gin_trgm_ops)`,
  `CREATE INDEX firm_name ON firm USING gin (lower(name) gin_trgm_ops)`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
