/**
 * Made-up data as large and as skewed as the country's, straight into the tables.
 *
 * *Gotchas*
 *
 * - The tables must be empty, and the role a superuser: triggers and foreign keys rest while the rows are made, and the
 *   indexes are made when all rows are there. A database whose loading was interrupted has lost indexes; make it anew.
 * - Nobody is told of the changes: they count as announced long ago.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted, Schema } from "effect"
import { availableParallelism } from "node:os"
import * as Counties from "./Counties.ts"
import * as Rows from "./Rows.ts"

/** The data cannot be made there. */
export class DataRefused extends Schema.TaggedError<DataRefused>()("DataRefused", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}

interface Table {
  readonly name: string
  readonly rows: (data: Rows.Data, range: Rows.Range) => Rows.Made
  /** How many numbers its rows are made of. */
  readonly numbers: (data: Rows.Data) => number
}

const ofProperties = ({ properties }: Rows.Data) => properties

const tables: ReadonlyArray<Table> = [
  { name: "property", rows: Rows.properties, numbers: ofProperties },
  { name: "property_contact", rows: Rows.contactTies, numbers: ofProperties },
  { name: "property_firm", rows: Rows.firmTies, numbers: ofProperties },
  { name: "contact", rows: Rows.contacts, numbers: Rows.people },
  { name: "property_research", rows: Rows.research, numbers: ofProperties },
  { name: "firm", rows: Rows.firmRows, numbers: Rows.firms },
  { name: "property_change", rows: Rows.changes, numbers: ofProperties }
]
/** What the triggers would have kept beside them; each is a view of the same name, `_counted`. */
const kept = ["contact_reach", "firm_reach", "county_extent", "map_cell", "reach_tally", "title_tally"]
const names = [...tables.map(({ name }) => name), ...kept]

/** Rows that one statement makes. */
const chunk = 50_000

const rangesOf = (count: number): ReadonlyArray<Rows.Range> =>
  Array.from({ length: Math.ceil(count / chunk) }, (_, index) => ({
    first: 1 + index * chunk,
    last: Math.min(count, (index + 1) * chunk)
  }))

const connection = (url: Redacted.Redacted, connections: number) =>
  PgClient.layer({
    url,
    maxConnections: connections,
    applicationName: "freehold bench data",
    startupParameters: {
      session_replication_role: "replica",
      synchronous_commit: "off",
      jit: "off",
      maintenance_work_mem: "512MB",
      max_parallel_maintenance_workers: "0",
      max_parallel_workers_per_gather: "0",
      work_mem: "64MB"
    }
  })

interface Index {
  readonly name: string
  readonly statement: string
}

/** Those of the tables that nothing but speed depends on; the slowest to make come first, so that none is left for the end. */
const indexesOf = (sql: PgClient.PgClient) =>
  sql<Index>`
    SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS statement
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
    WHERE i.indrelid = ANY(${names}::regclass[])
      AND NOT EXISTS (SELECT FROM pg_constraint x WHERE x.conindid = i.indexrelid)
    ORDER BY m.amname = 'btree', i.indrelid <> 'property'::regclass, i.indnatts DESC, name`

/** Fills the empty tables of a migrated database. */
export const load = Effect.fn("NationalData.load")(function*(url: Redacted.Redacted, data: Rows.Data) {
  const workers = availableParallelism()
  const counties = JSON.stringify(Counties.make(data.seed))
  yield* Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const each = <A, E>(values: ReadonlyArray<A>, run: (value: A) => Effect.Effect<unknown, E>) =>
      Effect.forEach(values, run, { concurrency: workers, discard: true })

    for (const name of names) {
      if ((yield* sql`SELECT FROM ${sql(name)} LIMIT 1`).length > 0) {
        return yield* new DataRefused({
          detail: `the table ${name} is not empty; the data needs a database of its own`
        })
      }
      // It would read the same rows again and again while they come.
      yield* sql.unsafe(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`)
    }
    const indexes = yield* indexesOf(sql)
    for (const { name } of indexes) yield* sql`DROP INDEX ${sql(name)}`
    yield* each(
      tables.flatMap((table) => rangesOf(table.numbers(data)).map((range) => ({ range, table }))),
      ({ range, table }) => {
        const { columns, from } = table.rows(data, range)
        return sql.unsafe(
          `INSERT INTO ${table.name} (${Object.keys(columns).join(", ")})
            SELECT ${Object.values(columns).join(", ")} FROM ${from}`,
          from.includes("$1") ? [counties] : []
        )
      }
    )
    yield* sql`INSERT INTO county (county_fips, name, state)
      SELECT fips, 'Sample ' || k, state FROM json_to_recordset(${counties}::json) AS made (k int, fips text, state text)
      WHERE fips IN (SELECT county_fips FROM property)`
    yield* each(kept, (name) => sql.unsafe(`INSERT INTO ${name} TABLE ${name}_counted`))
    yield* each(indexes, ({ statement }) => sql.unsafe(statement))
    yield* each(names, (name) => sql.unsafe(`ALTER TABLE ${name} RESET (autovacuum_enabled)`))
    yield* each([...names, "county"], (name) => sql.unsafe(`VACUUM ANALYZE ${name}`))
  }).pipe(Effect.provide(connection(url, workers), { local: true }))
})
