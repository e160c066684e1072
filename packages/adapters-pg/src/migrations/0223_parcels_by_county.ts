/** Parcel numbers are looked for by county: another county's records of the same number are not read. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `DROP INDEX property_of_parcel`,
  `CREATE INDEX property_of_parcel ON property (parcel_form(apn), county_fips) WHERE retired_into IS NULL`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
