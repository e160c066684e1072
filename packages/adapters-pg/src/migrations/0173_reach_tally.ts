/**
 * How many people and firms have the same reach and the same roles, kept, so that browsing all of them costs as much as it shows;
 * and the reaches over several states in few blocks, since some of them cross any border.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countedOf, counts, functions } from "../coverage/TallyFunctions.ts"
import * as KeptCountTables from "../database/KeptCountTables.ts"

const columns = `
  kind text NOT NULL,
  area text COLLATE "C" NOT NULL,
  states bigint NOT NULL,
  roles text[] NOT NULL,
  count integer NOT NULL`

const meanings = {
  kind: "contact or firm.",
  area: "As in contact_reach and firm_reach.",
  states: "As in contact_reach and firm_reach.",
  roles: "A person's role_type, or none; of a firm, those of its ties."
}

const statements: ReadonlyArray<string> = [
  ...KeptCountTables.tables(counts, {
    columns,
    meanings,
    counted: "How many people, and how many firms, have the same reach and the same roles.",
    parts: "How many have each reach and roles",
    each: `${countedOf("contact", "contact_reach")} UNION ALL ${countedOf("firm", "firm_reach")}`
  }),
  ...functions,
  ...KeptCountTables.triggers("tally", "contact_reach", "contact_reach_tally"),
  ...KeptCountTables.triggers("tally", "firm_reach", "firm_reach_tally"),
  `CREATE TRIGGER role_tally AFTER UPDATE OF role_type ON contact FOR EACH ROW
    WHEN (OLD.role_type IS DISTINCT FROM NEW.role_type) EXECUTE FUNCTION contact_role_tally()`,
  ...["contact", "firm"].map((kind) =>
    `CREATE INDEX ${kind}_reach_across ON ${kind}_reach (${kind}_id) INCLUDE (properties, states) WHERE area = ''`
  ),
  // From the first of these triggers on nobody else writes reaches until all of this is there. A cell receives the counts.
  `INSERT INTO reach_tally SELECT * FROM reach_tally_counted WHERE cell_name() IS NULL ORDER BY kind, area, states, roles`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
