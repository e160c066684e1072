/**
 * Rows a second of `freehold import` as it is published, from its start to its end, against `psql \copy` of properties, with
 * the processor time of both ends.
 *
 * First loads go into a fresh copy of the migrated, indexed, empty database; that of contacts when its properties are there. What `\copy`
 * reads was written by PostgreSQL from an import of the same file, so both ends hold the same rows, and each turn is checked for it.
 * Everything else goes into one database that holds as many properties: new ones, others with one new value, and the other kinds of rows,
 * against `\copy` of new properties into the same tables.
 */
import { columnOf } from "@freehold/adapters-pg/property/PropertyRowPg"
import { Effect, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { rmSync } from "node:fs"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Freehold from "./Freehold.ts"
import { environmentOf, Postgres, serverCpuSeconds, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, type Report, spread, whole } from "./Report.ts"
import * as SampleRecords from "./SampleRecords.ts"
import * as SampleRows from "./SampleRows.ts"

export interface Sizes {
  /** Of first loads; as many are there before what comes later. */
  readonly properties: number
  /** Rows of whatever comes later. */
  readonly more: number
  readonly rounds: number
}

/** The columns that the rows fill; the others keep their defaults. */
const columns = ["id", ...SampleRows.fields.map(columnOf), "raw_address", "building_attributes_basis", "details"].join(
  ", "
)

const Content = Schema.Tuple([Schema.Struct({ rows: Schema.Int, digest: Schema.String })])

/** How many rows the table has, and a number that depends on all of their values. */
const contentOf = Effect.fnUntraced(function*(database: Redacted.Redacted) {
  const found = yield* withClient(
    database,
    (sql) =>
      sql.unsafe(`SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(given::text, 0)), 0)::text AS digest
      FROM (SELECT ${columns} FROM property) AS given`)
  )
  const [content] = yield* Schema.decodeUnknownEffect(Content)(found)
  return content
})

/** An index that a first load let rest is made again when it has ended. */
const refuseRestingIndexes = Effect.fnUntraced(function*(database: Redacted.Redacted) {
  const resting = yield* withClient(database, (sql) => sql`SELECT FROM resting_index`)
  if (resting.length > 0) return yield* new Child.ChildFailed({ program: "import", detail: "left indexes out" })
})

const psql = (database: Redacted.Redacted, copy: string) =>
  Child.run({
    command: "psql",
    args: ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "-c", copy],
    env: environmentOf(database)
  })

/** What a turn came to; processor seconds are for 10,000 rows. */
interface Turn {
  readonly rate: number
  readonly client: number
  readonly server: number
  readonly peakBytes: number
}

const turn = Effect.fnUntraced(function*<E>(
  database: Redacted.Redacted,
  rows: number,
  load: Effect.Effect<Child.Completed, E>
) {
  yield* settle(database)
  const before = yield* serverCpuSeconds(database)
  const { cpuMillis, millis, peakBytes } = yield* load
  const after = yield* serverCpuSeconds(database)
  const tenThousand = rows / 10_000
  const result: Turn = {
    rate: rows / millis * 1000,
    client: cpuMillis / 1000 / tenThousand,
    server: (after - before) / tenThousand,
    peakBytes
  }
  return result
})

const Summary = Schema.fromJsonString(Schema.Struct({ inserted: Schema.Int, updated: Schema.Int }))

/** Imports rows every one of which has an effect. */
const importRows = Effect.fnUntraced(function*(
  start: Freehold.Start,
  database: Redacted.Redacted,
  rows: number,
  args: ReadonlyArray<string>
) {
  const completed = yield* Freehold.run(database, ["import", ...args, "--json"], undefined, start)
  const { inserted, updated } = yield* Schema.decodeEffect(Summary)(completed.stdout)
  if (inserted + updated !== rows) {
    return yield* new Child.ChildFailed({ program: "import", detail: `${inserted} + ${updated} of ${rows} rows` })
  }
  return completed
})

interface Plan extends Sizes {
  readonly start: Freehold.Start
  readonly withPsql: boolean
}

/** By what was loaded. */
type Turns = Readonly<
  Record<string, Effect.Effect<Turn, Child.ChildFailed | Schema.SchemaError | SqlError.SqlError, Postgres>>
>

const firstContacts = "first load of contacts"

/** The first contacts are so many times fewer than the properties that are there. */
const propertiesForOneContact = 5

/** Turns into tables that are empty of what is loaded. */
const firstLoads = Effect.fnUntraced(function*({ properties, rounds, start, withPsql }: Plan) {
  const { database, folder } = yield* Postgres
  const files = SampleRows.make(folder, properties)
  const copyFile = `${folder}/rows.copy`
  const importNdjson = (url: Redacted.Redacted) => importRows(start, url, properties, ["properties", files.ndjson])
  const importCsv = (url: Redacted.Redacted) =>
    importRows(start, url, properties, ["properties", files.csv, "--map", files.map])
  const copy = (url: Redacted.Redacted) => psql(url, `\\copy property(${columns}) from '${copyFile}'`)

  const reference = yield* Effect.scoped(Effect.gen(function*() {
    const url = yield* database("bench_import")
    yield* importNdjson(url)
    if (withPsql) yield* psql(url, `\\copy (select ${columns} from property) to '${copyFile}'`)
    return yield* contentOf(url)
  }))

  const load = Effect.fnUntraced(function*<E>(
    name: string,
    into: (url: Redacted.Redacted) => Effect.Effect<Child.Completed, E>
  ) {
    const url = yield* database("bench_import")
    const result = yield* turn(url, properties, into(url))
    const content = yield* contentOf(url)
    if (content.rows !== properties || content.digest !== reference.digest) {
      return yield* new Child.ChildFailed({ program: name, detail: "loaded other rows than the first import" })
    }
    yield* refuseRestingIndexes(url)
    return result
  }, Effect.scoped)

  const contacts = Math.ceil(properties / propertiesForOneContact)
  const contactsFile = `${folder}/contacts.ndjson`
  SampleRows.writeLines(
    contactsFile,
    { first: 1, last: contacts },
    (n) => `${JSON.stringify(SampleRecords.rowOf.contacts(n, properties))}\n`
  )
  const loadContacts = Effect.scoped(Effect.gen(function*() {
    const url = yield* database("bench_import")
    yield* importNdjson(url)
    const result = yield* turn(url, contacts, importRows(start, url, contacts, ["contacts", contactsFile]))
    yield* refuseRestingIndexes(url)
    return result
  }))

  const turns: Turns = {
    "first load, NDJSON": load("import of NDJSON", importNdjson),
    "first load, CSV with a map": load("import of CSV", importCsv),
    [firstContacts]: loadContacts,
    ...withPsql ? { "psql \\copy": load("psql", copy) } : {}
  }
  return yield* alternately(rounds, turns)
})

const kinds = ["firms", "contacts", "research", "changes"] as const

/** Turns into tables that are full already. */
const laterLoads = Effect.fnUntraced(function*({ more, properties, rounds, start, withPsql }: Plan) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_import_full")
  const file = `${folder}/full.ndjson`
  let top = 0
  /** As many numbers that were not given yet. */
  const next = (count: number): SampleRows.Range => {
    top += count
    return { first: top - count + 1, last: top }
  }
  const first = next(properties)
  SampleRows.writeNdjson(file, first)
  yield* importRows(start, url, properties, ["properties", file])

  /** What \copy reads is taken from another database, into which the rows were imported. */
  const copied = Effect.scoped(Effect.gen(function*() {
    const copyFile = `${folder}/more.copy`
    const other = yield* database("bench_import_other")
    SampleRows.writeNdjson(file, next(more))
    yield* importRows(start, other, more, ["properties", file])
    yield* psql(other, `\\copy (select ${columns} from property) to '${copyFile}'`)
    return yield* turn(url, more, psql(url, `\\copy property(${columns}) from '${copyFile}'`))
  }))
  const inserted = Effect.suspend(() => {
    SampleRows.writeNdjson(file, next(more))
    return turn(url, more, importRows(start, url, more, ["properties", file]))
  })
  let value = 0
  const changed = Effect.suspend(() => {
    value++
    SampleRows.writeNdjson(file, { first: 1, last: more }, { totalParval: value })
    return turn(url, more, importRows(start, url, more, ["properties", file]))
  })
  const records = { firms: 0, contacts: 0, research: 0, changes: 0 }
  const ofKind = (kind: SampleRecords.Kind) =>
    Effect.suspend(() => {
      const from = records[kind] + 1
      const last = records[kind] += more
      SampleRows.writeLines(
        file,
        { first: from, last },
        (n) => `${JSON.stringify(SampleRecords.rowOf[kind](n, properties))}\n`
      )
      return turn(url, more, importRows(start, url, more, [kind, file]))
    })
  const turns: Turns = {
    "into the full tables, new": inserted,
    "into the full tables, one value new": changed,
    ...Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
    ...withPsql ? { "psql \\copy into the full tables": copied } : {}
  }
  const samples = yield* alternately(rounds, turns)
  rmSync(file)
  return samples
})

const megabytes = (bytes: number): string => whole(bytes / 2 ** 20)

type Samples = Readonly<Record<string, ReadonlyArray<Turn>>>

const ratesOf = (turns: ReadonlyArray<Turn> = []) => turns.map(({ rate }) => rate)

const copyOf = (samples: Samples) => Object.entries(samples).find(([name]) => name.startsWith("psql"))?.[1]

/** Rows a second beside those of \copy into the same tables, and of the other kinds beside those of properties. */
const ratiosOf = (firsts: Samples, later: Samples): Comparison["ratios"] => {
  const ofCopy = (samples: Samples, names: ReadonlyArray<string>, goal: string | null) => {
    const copy = copyOf(samples)
    return copy === undefined ? [] : names.map((name) => ({
      what: `rows a second of an import: ${name}, of \\copy`,
      value: medianRatio(ratesOf(samples[name]), ratesOf(copy)),
      goal
    }))
  }
  return [
    ...ofCopy(firsts, ["first load, NDJSON", "first load, CSV with a map"], null),
    ...ofCopy(later, ["into the full tables, new", "into the full tables, one value new"], "at least 0.9"),
    ...[...kinds, firstContacts].map((name) => ({
      what: `rows a second of an import: ${name}, of properties`,
      value: medianRatio(ratesOf({ ...firsts, ...later }[name]), ratesOf(later["into the full tables, new"])),
      goal: "at least 0.5"
    }))
  ]
}

const rowsOf = (samples: Samples): Report["rows"] => {
  const copy = copyOf(samples)
  return Object.entries(samples).map(([name, turns]) => {
    const rates = ratesOf(turns)
    const middle = (of: (turn: Turn) => number) => median(turns.map(of))
    return [
      name,
      whole(median(rates)),
      copy === undefined ? "-" : decimal(medianRatio(rates, ratesOf(copy)), 2),
      decimal(middle(({ client }) => client), 2),
      decimal(middle(({ server }) => server), 2),
      megabytes(Math.max(...turns.map(({ peakBytes }) => peakBytes)))
    ]
  })
}

export const measure = Effect.fn("ImportBenchmark.measure")(function*(sizes: Sizes) {
  const withPsql = yield* Child.isInstalled("psql")
  const plan = { ...sizes, withPsql, start: yield* Freehold.published }
  const firsts = yield* firstLoads(plan)
  const later = yield* Effect.scoped(laterLoads(plan))
  const report: Comparison = {
    title: `Import of ${whole(sizes.properties)} properties of ${SampleRows.fields.length} fields, and of ${
      whole(sizes.more)
    } rows beside them`,
    columns: ["", "rows/s", "of \\copy", "client CPU s / 10,000", "PostgreSQL CPU s / 10,000", "client MB"],
    rows: [...rowsOf(firsts), ...rowsOf(later)],
    notes: [
      ...withPsql ? [] : ["psql is not on the PATH, so there is no baseline: install postgresql-client."],
      ...Object.entries({ ...firsts, ...later }).map(([name, turns]) => spread(name, ratesOf(turns), whole))
    ],
    ratios: ratiosOf(firsts, later)
  }
  return report
})
