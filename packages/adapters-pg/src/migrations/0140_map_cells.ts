/** How many properties lie in each cell of the grid of maps, kept, so that a map of all of them costs as much as it shows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"
import { countedOf, finestKept, functions } from "../map/MapFunctions.ts"

/** Rows of the finest level that is kept, for every one that is. */
const everyLevel = (rows: string): string => `
  SELECT county_fips, level, x >> 2 * (${finestKept} - level) AS x, y >> 2 * (${finestKept} - level) AS y, asset_category, count
  FROM (${rows}) AS fine, generate_series(0, ${finestKept}) AS level`

const statements: ReadonlyArray<string> = [
  `CREATE TABLE map_cell (
    county_fips text NOT NULL,
    level integer NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    asset_category text NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (county_fips, level, x, y, asset_category)
  )`,
  ...Comment.onTable(
    "map_cell",
    "How many living properties lie in a cell of the grid of maps, by county and category.",
    {
      level: "0 has one cell in a degree, 1 and 2 each four times as many each way.",
      x: "The column, from the west.",
      y: "The row, from the south.",
      asset_category: "Empty: none is known.",
      count: "Without what waits in map_cell_change; below zero while an arrival waits there."
    }
  ),
  `CREATE TABLE map_cell_change (
    change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    county_fips text NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    asset_category text NOT NULL,
    count integer NOT NULL
  ) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0)`,
  ...Comment.onTable(
    "map_cell_change",
    "What is to be added to map_cell: appended, so that those who write properties do not wait for one another.",
    { x: "The column at level 2.", y: "The row at level 2." }
  ),
  `CREATE VIEW map_cell_counted AS
    SELECT county_fips, level, x, y, asset_category, sum(count)::int AS count
    FROM (${everyLevel(`${countedOf("property", "count(*)")} GROUP BY 1, 2, 3, 4`)}) AS each_level
    GROUP BY 1, 2, 3, 4, 5`,
  `COMMENT ON VIEW map_cell_counted IS 'What map_cell and map_cell_change have to hold together'`,
  `CREATE VIEW map_cell_now AS
    SELECT county_fips, level, x, y, asset_category, count FROM map_cell
    UNION ALL ${everyLevel("TABLE map_cell_change")}`,
  `COMMENT ON VIEW map_cell_now IS 'How many lie in each cell, in parts'`,
  ...functions,
  `CREATE TRIGGER map_cell_inserted AFTER INSERT ON property REFERENCING NEW TABLE AS inserted
    FOR EACH STATEMENT EXECUTE FUNCTION map_cell_inserted()`,
  `CREATE TRIGGER map_cell_deleted AFTER DELETE ON property REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION map_cell_deleted()`,
  `CREATE TRIGGER map_cell_moved AFTER UPDATE OF county_fips, lat, lon, asset_category, retired_into ON property FOR EACH ROW
    WHEN ((OLD.county_fips, OLD.lat, OLD.lon, OLD.asset_category, OLD.retired_into)
      IS DISTINCT FROM (NEW.county_fips, NEW.lat, NEW.lon, NEW.asset_category, NEW.retired_into))
    EXECUTE FUNCTION map_cell_moved()`,
  `CREATE TRIGGER map_cell_emptied AFTER TRUNCATE ON property FOR EACH STATEMENT EXECUTE FUNCTION map_cell_emptied()`,
  // From the first of these triggers on nobody else writes properties until all of this is there. A cell receives the counts.
  `INSERT INTO map_cell SELECT * FROM map_cell_counted WHERE cell_name() IS NULL ORDER BY county_fips, level, x, y`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
