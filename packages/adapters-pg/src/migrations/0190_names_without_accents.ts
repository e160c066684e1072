/**
 * Names of people and firms are found without their accents: `Muller` finds `Müller`. Few names have letters beyond ASCII, so
 * the indexes hold those alone.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as AccentFunctions from "../database/AccentFunctions.ts"

/** How many more bytes than characters the text has. */
const beyondAscii = (text: string): string => `octet_length(${text}) - char_length(${text})`

const { plain } = AccentFunctions

const statements: ReadonlyArray<string> = [
  ...AccentFunctions.functions,
  `CREATE INDEX contact_name_without_accents ON contact
    USING gin (${plain("full_name")} gin_trgm_ops, ${plain("employer_name")} gin_trgm_ops)
    WHERE ${beyondAscii("full_name || coalesce(employer_name, '')")} > 0`,
  `CREATE INDEX firm_name_without_accents ON firm USING gin (${plain("name")} gin_trgm_ops)
    WHERE ${beyondAscii("name")} > 0`,
  `CREATE STATISTICS firm_beyond_ascii ON (${beyondAscii("name")}) FROM firm`,
  "ANALYZE contact, firm"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
