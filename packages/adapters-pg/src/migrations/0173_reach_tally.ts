/**
 * How many people and firms have the same reach and the same roles, kept, so that browsing all of them costs as much as it shows;
 * and the reaches over several states in few blocks, since some of them cross any border.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countedOf, functions } from "../coverage/TallyFunctions.ts"
import * as Comment from "../database/Comment.ts"

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

const triggersOf = (kind: "contact" | "firm"): ReadonlyArray<string> =>
  ([
    ["insert", "REFERENCING NEW TABLE AS come"],
    ["delete", "REFERENCING OLD TABLE AS gone"],
    ["update", "REFERENCING OLD TABLE AS gone NEW TABLE AS come"],
    ["truncate", ""]
  ] as const).map(([event, rows]) =>
    `CREATE TRIGGER tally_${event} AFTER ${event.toUpperCase()} ON ${kind}_reach ${rows}
      FOR EACH STATEMENT EXECUTE FUNCTION ${kind}_reach_tally_${event}()`
  )

const statements: ReadonlyArray<string> = [
  `CREATE TABLE reach_tally (${columns}, PRIMARY KEY (kind, area, states, roles))`,
  ...Comment.onTable("reach_tally", "How many people, and how many firms, have the same reach and the same roles.", {
    ...meanings,
    count: "Without what waits in reach_tally_change; below zero while an arrival waits there."
  }),
  `CREATE TABLE reach_tally_change (
    change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns}
  ) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0)`,
  ...Comment.onTable(
    "reach_tally_change",
    "What is to be added to reach_tally: appended, so that those who write ties do not wait for one another.",
    meanings
  ),
  `CREATE VIEW reach_tally_counted AS
    SELECT kind, area, states, roles, count(*)::int AS count FROM (
      ${countedOf("contact", "contact_reach")} UNION ALL ${countedOf("firm", "firm_reach")}
    ) AS each GROUP BY kind, area, states, roles`,
  `COMMENT ON VIEW reach_tally_counted IS 'What reach_tally and reach_tally_change have to hold together'`,
  `CREATE VIEW reach_tally_now AS
    SELECT kind, area, states, roles, count FROM reach_tally
    UNION ALL SELECT kind, area, states, roles, count FROM reach_tally_change`,
  `COMMENT ON VIEW reach_tally_now IS 'How many have each reach and roles, in parts'`,
  ...functions,
  ...triggersOf("contact"),
  ...triggersOf("firm"),
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
