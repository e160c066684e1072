/**
 * What finding people and firms stands on: any substring of at least three characters of a name, a title or an employer.
 * And what finding a property by its parcel number does.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE INDEX contact_full_name ON contact USING gin (lower(full_name) gin_trgm_ops)`,
  `CREATE INDEX contact_employer_name ON contact USING gin (lower(employer_name) gin_trgm_ops)`,
  `CREATE INDEX contact_title ON contact USING gin (lower(title) gin_trgm_ops)`,
  `CREATE INDEX firm_name ON firm USING gin (lower(name) gin_trgm_ops)`,

  // As core's AddressMatch.parcelForm.
  `CREATE FUNCTION parcel_form(apn text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    nullif(regexp_replace(upper(apn COLLATE "C"), '[^A-Z0-9]', '', 'g'), '')`,
  `CREATE INDEX property_of_parcel ON property (parcel_form(apn)) WHERE retired_into IS NULL`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
