/** A change of an organization's settings has one place among the calls that spend by them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as OrganizationFunctions from "../organization/OrganizationFunctions.ts"

const statements: ReadonlyArray<string> = [
  ...OrganizationFunctions.functions,
  // Triggers fire in the order of their names: lanes are locked before accounts (`delivery_lane_resumed`), as those who record outcomes do.
  `CREATE TRIGGER moves_account AFTER UPDATE OF profile ON organization
    FOR EACH ROW WHEN (OLD.profile IS DISTINCT FROM NEW.profile) EXECUTE FUNCTION account_of_settings()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
