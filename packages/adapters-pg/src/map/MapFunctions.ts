/**
 * SQL functions that keep how many properties lie in each cell of the grid of maps (core's `MapGrid`), by county and category.
 *
 * Whoever writes properties appends what that changes (`map_cell_change`) and touches no count, so that imports never wait for one
 * another. From time to time one of them adds what was appended to the counts; what the last of them left is added by the upkeep of
 * servers and workers (`retention/RetentionPg`). A count is what is kept plus what is appended, in one statement, so it is exact whenever
 * it is read.
 */
import { type Level, perDegree } from "@freehold/core/map/MapGrid"
import * as Comment from "../database/Comment.ts"

/** The changes are added to the counts once in so many of them: to read as many takes a millisecond. */
const many = 2000

/**
 * The same while indexes rest for a first load (`import/RestingIndexes`), when searches read the whole table anyway. The more are
 * added at once, the fewer cells are counted anew and the nearer together they lie.
 */
const manyAtFirst = 100_000

/** As many as may wait when a first load has ended. */
export const mostAtFirst = 2 * manyAtFirst

/**
 * The finest level that is kept, of cells of some seven kilometres. What is looked at more closely is small enough to be counted, and a
 * record that is written changes as many counts as there are levels.
 */
export const finestKept: Level = 2

/** The column and the row of the cell of a place, as SQL. */
export const cellOf = (level: Level, lat: string, lon: string): readonly [column: string, row: string] => [
  `floor((${lon} + 180) * ${perDegree[level]})::int`,
  `floor((${lat} + 90) * ${perDegree[level]})::int`
]

/** What is counted of rows of `property`, so often. */
export const countedOf = (rows: string, times: string): string => {
  const [column, row] = cellOf(finestKept, "lat", "lon")
  return `SELECT county_fips, ${column} AS x, ${row} AS y, coalesce(asset_category, '') AS asset_category, ${times} AS count
    FROM ${rows} WHERE retired_into IS NULL AND lat IS NOT NULL AND lon IS NOT NULL`
}

/** Appends changes, and when the number of one of these is a round one, adds as many to the counts, and what the last round left. */
const append = (changes: string): string => `
  DECLARE
    round integer := CASE WHEN EXISTS (SELECT FROM resting_index) THEN ${manyAtFirst} ELSE ${many} END;
    is_round boolean;
    appended integer;
  BEGIN
    WITH added AS (
      INSERT INTO map_cell_change (county_fips, x, y, asset_category, count) ${changes} RETURNING change_id
    )
    SELECT (min(change_id) - 1) / round < max(change_id) / round, count(*) INTO is_round, appended FROM added;
    IF is_round THEN
      PERFORM map_cell_fold(appended + round);
    END IF;
    RETURN NULL;
  END`

const triggers: Readonly<Record<string, string>> = {
  map_cell_inserted: append(`${countedOf("inserted", "count(*)")} GROUP BY 1, 2, 3, 4`),
  map_cell_deleted: append(`${countedOf("deleted", "-count(*)")} GROUP BY 1, 2, 3, 4`),
  map_cell_moved: append(
    `${countedOf("(SELECT OLD.*) AS was", "-1")} UNION ALL ${countedOf("(SELECT NEW.*) AS became", "1")}`
  ),
  map_cell_emptied: "BEGIN TRUNCATE map_cell, map_cell_change; RETURN NULL; END"
}

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION map_cell_fold(at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
  BEGIN
    /* A cell receives the counts. Who comes meanwhile does not wait: the next one adds what they appended. */
    IF cell_name() IS NOT NULL OR NOT pg_try_advisory_xact_lock(hashtext('freehold map')) THEN
      RETURN 0;
    END IF;
    WITH taken AS (
      DELETE FROM map_cell_change WHERE change_id = ANY(ARRAY(
        SELECT change_id FROM map_cell_change ORDER BY change_id LIMIT at_most
      )) RETURNING county_fips, x, y, asset_category, count
    ), added AS (
      INSERT INTO map_cell AS kept (county_fips, level, x, y, asset_category, count)
      SELECT county_fips, level, x >> 2 * (${finestKept} - level), y >> 2 * (${finestKept} - level), asset_category, sum(count)
      FROM taken, generate_series(0, ${finestKept}) AS level
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0
      /* So that cells beside one another lie in few blocks. */
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (county_fips, level, x, y, asset_category) DO UPDATE SET count = kept.count + excluded.count
    )
    SELECT count(*) INTO folded FROM taken;
    RETURN folded;
  END $$`,
  Comment.onFunction(
    "map_cell_fold",
    "Adds the oldest changes that wait to the counts of cells, at most so many, unless somebody does; answers how many it added."
  ),
  ...Object.entries(triggers).flatMap(([name, body]) => [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`,
    Comment.onFunction(name, "Trigger of property: keeps the counts of cells.")
  ])
]
