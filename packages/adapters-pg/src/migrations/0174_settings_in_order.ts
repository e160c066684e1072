/** A change of an organization's settings has one place among the calls that spend by them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as OrganizationFunctions from "../organization/OrganizationFunctions.ts"

const statements: ReadonlyArray<string> = [
  ...OrganizationFunctions.functions,
  `CREATE TRIGGER account_of_settings AFTER UPDATE OF profile ON organization
    FOR EACH ROW WHEN (OLD.profile IS DISTINCT FROM NEW.profile) EXECUTE FUNCTION account_of_settings()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
