/**
 * Titles of people, and what free text looks at of properties, are found without their accents: `Ingenieur` finds `Ingénieur`, `Pena`
 * the owner `Peña`. Few have letters beyond ASCII, so the indexes hold those alone.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions, plain } from "../database/AccentFunctions.ts"

const statements: ReadonlyArray<string> = [
  // As 0190 made it, but quicker.
  ...functions,
  `CREATE INDEX contact_title_without_accents ON contact USING gin (${plain("title")} gin_trgm_ops)
    WHERE octet_length(title) - char_length(title) > 0`,
  // Its text is in lower case.
  `CREATE INDEX property_text_without_accents ON property USING gin (without_accents(search_text_with_name) gin_trgm_ops)
    WHERE octet_length(search_text_with_name) - char_length(search_text_with_name) > 0 AND retired_into IS NULL`,
  `CREATE STATISTICS contact_title_beyond_ascii ON (octet_length(title) - char_length(title)) FROM contact`,
  // A table that is known to be empty is planned for as that, until it is looked at again.
  "DO $$ BEGIN IF EXISTS (SELECT FROM property) THEN ANALYZE contact, property; END IF; END $$"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
