/**
 * A suppressed property that another one was merged into showed the beneficial owner that came with the other's research. Merges settle
 * that now; what was merged before is settled here.
 *
 * A suppression of a record that had been merged withheld nothing: it is its survivor's now. A cell receives these rows from where they
 * are written.
 *
 * Who was sent a change of the owner of what was merged with a suppressed property was not told to remove it. Merges tell that now; what
 * was merged before is told here.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as MoveFunctions from "../cell/MoveFunctions.ts"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as MergeFunctions from "../property/MergeFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const functions = [...ChangeFunctions.functions, ...MergeFunctions.functions, ...MoveFunctions.functions]
  for (const statement of functions) yield* sql.unsafe(statement)
  const [installation] = yield* sql<{ readonly cell: string | null }>`SELECT cell_name() AS cell`
  // The guard of a cell refuses even a statement without rows.
  if (installation?.cell === null) {
    const heirs = yield* sql<{ readonly id: string }>`
      INSERT INTO suppressed_property (property_id, at)
      SELECT p.retired_into, min(s.at) FROM suppressed_property s JOIN property p ON p.id = s.property_id
      WHERE p.retired_into IS NOT NULL
      GROUP BY p.retired_into ON CONFLICT DO NOTHING RETURNING property_id AS id`
    for (const { id } of heirs) {
      yield* sql`SELECT owner_settle_all(NULL, ${id}::uuid)`
      yield* sql`SELECT bundles_forget(ARRAY[${id}::uuid])`
    }
    yield* sql`
      WITH shown AS (
        UPDATE property_research r SET withheld_beneficial_owner = r.withheld_beneficial_owner
        FROM suppressed_property s WHERE s.property_id = r.property_id AND r.beneficial_owner IS NOT NULL
        RETURNING r.property_id
      )
      SELECT bundles_forget(ARRAY(SELECT property_id FROM shown))`
  }
  yield* sql`
    SELECT changes_remove(changes_about(NULL, NULL, s.property_id)) FROM suppressed_property s
    WHERE EXISTS (SELECT FROM property p WHERE p.retired_into = s.property_id)`
})
