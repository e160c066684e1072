/** What a soak looks at again and again: the memory of the processes, and the tables. */
import { residentOf } from "@freehold/cli/testing/availability/Census"
import { descendantsOf, postmasterOf, privateOf } from "@freehold/cli/testing/availability/ProcessTree"
import {
  type Point,
  type TableSample,
  type Tolerance,
  type Trend,
  trendOf,
  unexplained
} from "@freehold/cli/testing/soak/Trend"
import { Effect, type Redacted } from "effect"
import { withClient } from "../Postgres.ts"

export interface Sample {
  /** In seconds. */
  readonly at: number
  readonly server: number
  /** What V8 holds of it, what nobody needs any more included. */
  readonly heap: number
  /** Private memory of PostgreSQL's processes; what they share does not grow. */
  readonly database: number
  readonly connections: number
  readonly tables: Readonly<Record<string, { readonly bytes: number; readonly rows: number }>>
}

const heapOf = (metrics: string) =>
  Effect.map(
    Effect.tryPromise(() => fetch(metrics).then((response) => response.text())),
    (text) => Number(/^freehold_process_memory_bytes\{kind="heap_used"\} (\S+)$/m.exec(text)?.[1])
  )

interface TableRow {
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

/** Parts of a table count as the table. */
const tables = (url: Redacted.Redacted) =>
  withClient(
    url,
    (sql) =>
      sql<TableRow>`
        SELECT coalesce(parent.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::double precision AS bytes,
          sum(pg_stat_get_live_tuples(c.oid))::double precision AS rows
        FROM pg_class c
        LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        LEFT JOIN pg_class parent ON parent.oid = i.inhparent
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        GROUP BY 1`
  )

export const take = Effect.fnUntraced(
  function*(url: Redacted.Redacted, { dataDirectory, metrics, server }: {
    readonly dataDirectory: string
    /** Where the server tells its own figures. */
    readonly metrics: string
    readonly server: number
  }) {
    const rows = yield* tables(url)
    const postmaster = postmasterOf(dataDirectory)
    const processes = descendantsOf(postmaster)
    const sample: Sample = {
      at: performance.now() / 1000,
      server: residentOf(server),
      heap: yield* heapOf(metrics),
      database: [postmaster, ...processes].reduce((sum, pid) => sum + privateOf(pid), 0),
      connections: processes.length,
      tables: Object.fromEntries(rows.map(({ bytes, name, rows }) => [name, { bytes, rows }]))
    }
    return sample
  }
)

const mebibyte = 2 ** 20

/** The pages of the memory that V8 has not given back go up and down by some tens of megabytes. */
const memory: Tolerance = { share: 0.15, least: 32 * mebibyte }

/** A quarter of dead rows is what a vacuum waits for. */
const table: Tolerance = { share: 0.25, least: 8 * mebibyte }

export interface Watched extends Trend {
  readonly name: string
}

/** Between two collections of what nobody needs any more there are so many samples at most. */
const collection = 6

/** The least of each few samples in a row. */
const lowest = (points: ReadonlyArray<Point>): ReadonlyArray<Point> =>
  points.flatMap((point, place) =>
    place % collection === 0
      ? [{ at: point.at, value: Math.min(...points.slice(place, place + collection).map(({ value }) => value)) }]
      : []
  )

/** The memory of both sides and every table, each with its trend. */
export const trendsOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Watched> => {
  const pointsOf = (value: (sample: Sample) => number): ReadonlyArray<Point> =>
    samples.map((sample) => ({ at: sample.at, value: value(sample) }))
  const names = new Set(samples.flatMap(({ tables }) => Object.keys(tables)))
  const seen = (name: string): ReadonlyArray<TableSample> =>
    samples.flatMap(({ at, tables }) => {
      const found = tables[name]
      return found === undefined ? [] : [{ at, ...found }]
    })
  return [
    { name: "memory of the server", ...trendOf(pointsOf(({ server }) => server), memory) },
    { name: "heap of the server, collected", ...trendOf(lowest(pointsOf(({ heap }) => heap)), memory) },
    { name: "private memory of PostgreSQL", ...trendOf(pointsOf(({ database }) => database), memory) },
    ...[...names].map((name) => ({ name: `table ${name}`, ...trendOf(unexplained(seen(name)), table) }))
  ]
}
