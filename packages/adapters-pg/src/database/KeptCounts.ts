/**
 * Counts that are kept for whoever reads them, without those who write waiting for one another.
 *
 * Who changes what is counted appends that to a table of changes (`append`) and touches no count. From time to time one of them adds what
 * was appended to the counts (`fold`), and the upkeep of servers and workers adds what the last of them left (`retention/RetentionPg`). A
 * count is what is kept plus what is appended, read in one statement, so it is exact whenever it is read.
 *
 * *Gotchas*
 *
 * - In a cell nobody adds: the counts come to it.
 */
import * as Comment from "./Comment.ts"

/** The changes are added to the counts once in so many of them: to read as many takes a millisecond. */
const many = 2000

/** Counts in a table, by a key; what is to be added to them stands in `<table>_change`, under a `change_id` that grows. */
export interface KeptCounts {
  readonly table: string
  /** The columns of the primary key, besides which there is `count`. */
  readonly key: ReadonlyArray<string>
  /** Those of the changes, besides `change_id` and `count`. */
  readonly changeKey: ReadonlyArray<string>
  /** The rows that so many changes add, by the key. */
  readonly added: (changes: string) => string
  /** What is done besides. */
  readonly after: string
  /** The name of the lock of who adds. */
  readonly lock: string
  /**
   * The changes are added once in so many while indexes rest for a first load (`import/RestingIndexes`), when searches read the whole
   * table anyway. Absent: as often as ever.
   */
  readonly manyAtFirst?: number
}

const roundOf = ({ manyAtFirst }: KeptCounts): string =>
  manyAtFirst === undefined
    ? String(many)
    : `CASE WHEN EXISTS (SELECT FROM resting_index) THEN ${manyAtFirst} ELSE ${many} END`

/** The body of a trigger that appends changes, and when the number of one is a round one, adds as many, and what the last round left. */
export const append = (counts: KeptCounts, changes: string): string => `
  DECLARE
    round integer := ${roundOf(counts)};
    is_round boolean;
    appended integer;
  BEGIN
    WITH added AS (
      INSERT INTO ${counts.table}_change (${counts.changeKey.join(", ")}, count) ${changes} RETURNING change_id
    )
    SELECT (min(change_id) - 1) / round < max(change_id) / round, count(*) INTO is_round, appended FROM added;
    IF is_round THEN
      PERFORM ${counts.table}_fold(appended + round);
    END IF;
    RETURN NULL;
  END`

/** What rows that came and rows that are gone change, each so often: selects of what a change is known by. */
export const difference = (
  { changeKey }: KeptCounts,
  parts: ReadonlyArray<readonly [times: 1 | -1, rows: string]>
): string => {
  const key = changeKey.join(", ")
  return `
  SELECT ${key}, sum(times) FROM (
    ${parts.map(([times, rows]) => `SELECT ${times} AS times, part.* FROM (${rows}) AS part`).join(" UNION ALL ")}
  ) AS parts GROUP BY ${key} HAVING sum(times) <> 0`
}

/**
 * The bodies of the triggers of statements that change a table of which is counted what `countedOf` selects of its rows, by the names of
 * their functions (`KeptCountTables.triggers`).
 */
export const ofStatements = (
  counts: KeptCounts,
  name: string,
  countedOf: (rows: string) => string
): Readonly<Record<string, string>> => {
  const [come, gone] = [[1, countedOf("come")], [-1, countedOf("gone")]] as const
  return {
    [`${name}_insert`]: append(counts, difference(counts, [come])),
    [`${name}_delete`]: append(counts, difference(counts, [gone])),
    [`${name}_update`]: append(counts, difference(counts, [come, gone]))
  }
}

/** The function that adds the oldest changes to the counts, at most so many, unless somebody does; it answers how many it added. */
const fold = ({ added, after, changeKey, key, lock, table }: KeptCounts): string => `
  CREATE OR REPLACE FUNCTION ${table}_fold(at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
  BEGIN
    /* A cell receives the counts. Who comes meanwhile does not wait: the next one adds what they appended. */
    IF cell_name() IS NOT NULL OR NOT pg_try_advisory_xact_lock(hashtext('${lock}')) THEN
      RETURN 0;
    END IF;
    WITH taken AS (
      DELETE FROM ${table}_change WHERE change_id = ANY(ARRAY(
        SELECT change_id FROM ${table}_change ORDER BY change_id LIMIT at_most
      )) RETURNING ${changeKey.join(", ")}, count
    ), added AS (
      INSERT INTO ${table} AS kept (${key.join(", ")}, count)
      SELECT ${key.join(", ")}, sum(count) FROM (${added("taken")}) AS each
      GROUP BY ${key.join(", ")} HAVING sum(count) <> 0
      /* So that counts beside one another lie in few blocks. */
      ORDER BY ${key.join(", ")}
      ON CONFLICT (${key.join(", ")}) DO UPDATE SET count = kept.count + excluded.count
    )
    SELECT count(*) INTO folded FROM taken;${after}
    RETURN folded;
  END $$`

export interface Functions {
  /** What the changes are added to, as "the counts of cells". */
  readonly counts: string
  /** The functions of triggers, by name (`append`). */
  readonly triggers: Readonly<Record<string, string>>
  /** What is said of each of them. */
  readonly ofTrigger: string
}

/** All functions of the counts, each of which replaces the one of its name. */
export const functions = (kept: KeptCounts, { counts, ofTrigger, triggers }: Functions): ReadonlyArray<string> => [
  fold(kept),
  Comment.onFunction(
    `${kept.table}_fold`,
    `Adds the oldest changes that wait to ${counts}, at most so many, unless somebody does; answers how many it added.`
  ),
  ...Object.entries(triggers).flatMap(([name, body]) => [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`,
    Comment.onFunction(name, ofTrigger)
  ])
]
