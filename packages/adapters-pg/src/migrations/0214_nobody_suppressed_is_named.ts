/**
 * What was written about properties and people names nobody who asked not to be listed: what research says a property rests on,
 * strategies and drafts. Of a person who is suppressed the words of the name stand beside the suppression; an erasure takes them
 * away, and what research says with the name in it.
 *
 * What waits to be sent is found by its property. By `property_id` alone: an index on whether a body was built would be written with
 * every body.
 *
 * Cells run this first and receive the words with the suppressions.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as MoveFunctions from "../cell/MoveFunctions.ts"
import * as MergeFunctions from "../property/MergeFunctions.ts"
import * as NameFunctions from "../suppression/NameFunctions.ts"
import * as PersonFunctions from "../suppression/PersonFunctions.ts"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE suppressed_contact ADD COLUMN name_words text`,
  `COMMENT ON COLUMN suppressed_contact.name_words IS
    'The words of the name (person_words), by which a text that names the person is known; null: erased, or none.'`,
  ...NameFunctions.functions,
  ...PersonFunctions.functions,
  ...MergeFunctions.functions,
  ...MoveFunctions.functions,
  `ALTER TABLE suppressed_owner ADD COLUMN name_words text GENERATED ALWAYS AS (person_words(name)) STORED`,
  `COMMENT ON COLUMN suppressed_owner.name_words IS
    'The words of the name (person_words), by which a text that names the owner is known; null: none.'`,
  `CREATE INDEX suppressed_contact_name ON suppressed_contact (${NameFunctions.firstWords})`,
  `CREATE INDEX suppressed_owner_name ON suppressed_owner (${NameFunctions.firstWords})`,
  `CREATE TRIGGER suppressed_renamed AFTER UPDATE OF full_name ON contact FOR EACH ROW
    WHEN (OLD.full_name IS DISTINCT FROM NEW.full_name) EXECUTE FUNCTION suppressed_renamed()`,
  `CREATE INDEX delivery_of_property ON delivery (property_id) WHERE property_id IS NOT NULL`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
  const [installation] = yield* sql<{ readonly cell: string | null }>`SELECT cell_name() AS cell`
  // The guard of a cell refuses even a statement without rows.
  if (installation?.cell === null) {
    yield* sql`
      UPDATE suppressed_contact s SET name_words = person_words(c.full_name) FROM contact c
      WHERE c.id = s.contact_id AND c.key <> 'erased:' || c.id`
  }
})
