/**
 * A rare pair of letters in a name or an employer is found by the trigrams that begin with it (`Trigrams`), which tell of ASCII
 * alone: `contact_beyond_ascii` are the people who have more.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How many more bytes than characters the two texts have. */
const beyondAscii =
  "octet_length(full_name || coalesce(employer_name, '')) - char_length(full_name || coalesce(employer_name, ''))"

const statements: ReadonlyArray<string> = [
  `CREATE INDEX contact_beyond_ascii ON contact (id) WHERE ${beyondAscii} > 0`,
  // Without it a third of all people are taken to be such.
  `CREATE STATISTICS contact_beyond_ascii ON (${beyondAscii}) FROM contact`,
  // Also of the counties beside the reaches.
  "ANALYZE contact, contact_reach, firm_reach"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
