/** Parcel numbers are looked for by county: another county's records of the same number are not read. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // While it is made, properties are still read.
  `CREATE INDEX property_of_parcel_by_county ON property (parcel_form(apn), county_fips) WHERE retired_into IS NULL`,
  `DROP INDEX property_of_parcel`,
  `ALTER INDEX property_of_parcel_by_county RENAME TO property_of_parcel`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
