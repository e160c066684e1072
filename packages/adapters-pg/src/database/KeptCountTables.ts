/**
 * The tables of counts that are kept (`KeptCounts`) whose changes are known by the key of the counts, and the triggers by which statements
 * change them: what a migration makes once.
 */
import * as Comment from "./Comment.ts"
import type { KeptCounts } from "./KeptCounts.ts"

export interface Described {
  /** Of the counts and of the changes alike, `count` at last. */
  readonly columns: string
  /** What each column of the key means. */
  readonly meanings: Readonly<Record<string, string>>
  /** What the counts tell, as "How many people have the same reach". */
  readonly counted: string
  /** What is told by parts of them, as "How many have each reach". */
  readonly parts: string
  /** Selects the key of each of what is counted. */
  readonly each: string
}

/** The tables, and a view of each way to know the counts: by counting anew, and by what is kept and appended. */
export const tables = (
  { key, table }: KeptCounts,
  { columns, counted, each, meanings, parts }: Described
): ReadonlyArray<string> => {
  const names = key.join(", ")
  return [
    `CREATE TABLE ${table} (${columns}, PRIMARY KEY (${names}))`,
    ...Comment.onTable(table, counted, {
      ...meanings,
      count: `Without what waits in ${table}_change; below zero while an arrival waits there.`
    }),
    `CREATE TABLE ${table}_change (
      change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns}
    ) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0)`,
    ...Comment.onTable(
      `${table}_change`,
      `What is to be added to ${table}: appended, so that those who write ties do not wait for one another.`,
      meanings
    ),
    `CREATE VIEW ${table}_counted AS SELECT ${names}, count(*)::int AS count FROM (${each}) AS each GROUP BY ${names}`,
    `COMMENT ON VIEW ${table}_counted IS 'What ${table} and ${table}_change have to hold together'`,
    `CREATE VIEW ${table}_now AS
      SELECT ${names}, count FROM ${table} UNION ALL SELECT ${names}, count FROM ${table}_change`,
    `COMMENT ON VIEW ${table}_now IS '${parts}, in parts'`
  ]
}

const events = [
  ["insert", "REFERENCING NEW TABLE AS come"],
  ["delete", "REFERENCING OLD TABLE AS gone"],
  ["update", "REFERENCING OLD TABLE AS gone NEW TABLE AS come"],
  ["truncate", ""]
] as const

/** The triggers of statements on a table that call the functions of that name (`KeptCounts.ofStatements`). */
export const triggers = (name: string, table: string, functions: string): ReadonlyArray<string> =>
  events.map(([event, rows]) =>
    `CREATE TRIGGER ${name}_${event} AFTER ${event.toUpperCase()} ON ${table} ${rows}
      FOR EACH STATEMENT EXECUTE FUNCTION ${functions}_${event}()`
  )
