/**
 * Loads bring the county of what they tie to a property with it: they look for the counties of a batch at once, where
 * triggers did it row by row.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions, tied } from "../property/PlaceFunctions.ts"

/** As `placed` of `import/ImportBatches`. */
const notPlaced = "current_setting('freehold.placed', true) IS DISTINCT FROM 'on'"

const statements: ReadonlyArray<string> = [
  ...functions,
  ...tied.flatMap((table) => [
    `DROP TRIGGER a_tie_placed ON ${table}`,
    `CREATE TRIGGER a_tie_placed BEFORE INSERT OR UPDATE OF property_id ON ${table}
      FOR EACH ROW WHEN (${notPlaced}) EXECUTE FUNCTION tie_placed()`
  ]),
  `DROP TRIGGER change_placed ON property_change`,
  `CREATE TRIGGER change_placed BEFORE INSERT OR UPDATE OF property_id ON property_change
    FOR EACH ROW WHEN (NEW.property_id IS NOT NULL AND ${notPlaced}) EXECUTE FUNCTION change_placed()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
