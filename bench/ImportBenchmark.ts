/**
 * Rows a second of `freehold import properties`, from its start to its end, against `psql \copy` of the same rows.
 *
 * Every turn loads into a fresh copy of the migrated, indexed, empty database. What `\copy` reads was written by
 * PostgreSQL from an import of the same file, so both ends hold the same rows, and each turn is checked for it.
 */
import { columnOf } from "@freehold/adapters-pg/property/PropertyRowPg"
import { Effect, type Redacted, Schema } from "effect"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Freehold from "./Freehold.ts"
import { environmentOf, Postgres, settle, withClient } from "./Postgres.ts"
import { decimal, type Report, spread, whole } from "./Report.ts"
import * as SampleRows from "./SampleRows.ts"

export interface Sizes {
  readonly rows: number
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

const psql = (database: Redacted.Redacted, copy: string) =>
  Child.run({
    command: "psql",
    args: ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "-c", copy],
    env: environmentOf(database)
  })

export const measure = Effect.fn("ImportBenchmark.measure")(function*(sizes: Sizes) {
  const { database, folder } = yield* Postgres
  const files = SampleRows.make(folder, sizes.rows)
  const copyFile = `${folder}/rows.copy`
  const withPsql = yield* Child.isInstalled("psql")

  const importNdjson = (url: Redacted.Redacted) => Freehold.run(url, ["import", "properties", files.ndjson])
  const importCsv = (url: Redacted.Redacted) =>
    Freehold.run(url, ["import", "properties", files.csv, "--map", files.map])
  const copy = (url: Redacted.Redacted) => psql(url, `\\copy property(${columns}) from '${copyFile}'`)

  const reference = yield* Effect.scoped(Effect.gen(function*() {
    const url = yield* database("bench_import")
    yield* importNdjson(url)
    if (withPsql) yield* psql(url, `\\copy (select ${columns} from property) to '${copyFile}'`)
    return yield* contentOf(url)
  }))

  const turn = Effect.fnUntraced(function*(
    name: string,
    load: (url: Redacted.Redacted) => Effect.Effect<Child.Completed, Child.ChildFailed>
  ) {
    const url = yield* database("bench_import")
    yield* settle(url)
    const { millis } = yield* load(url)
    const content = yield* contentOf(url)
    if (content.rows !== sizes.rows || content.digest !== reference.digest) {
      return yield* new Child.ChildFailed({ program: name, detail: "loaded other rows than the first import" })
    }
    return sizes.rows / millis * 1000
  }, Effect.scoped)

  const contenders = { ndjson: turn("import of NDJSON", importNdjson), csv: turn("import of CSV", importCsv) }
  const columnsShown = ["", "rows/s", "of \\copy"]
  const title = `Import of ${whole(sizes.rows)} rows of ${SampleRows.fields.length} fields`
  if (!withPsql) {
    const { csv, ndjson } = yield* alternately(sizes.rounds, contenders)
    const report: Report = {
      title,
      columns: columnsShown,
      rows: [
        ["freehold import, NDJSON", whole(median(ndjson)), "-"],
        ["freehold import, CSV with a map", whole(median(csv)), "-"]
      ],
      notes: ["psql is not on the PATH, so there is no baseline: install postgresql-client."]
    }
    return report
  }
  const { baseline, csv, ndjson } = yield* alternately(sizes.rounds, { ...contenders, baseline: turn("psql", copy) })
  const report: Report = {
    title,
    columns: columnsShown,
    rows: [
      ["freehold import, NDJSON", whole(median(ndjson)), decimal(medianRatio(ndjson, baseline), 2)],
      ["freehold import, CSV with a map", whole(median(csv)), decimal(medianRatio(csv, baseline), 2)],
      ["psql \\copy", whole(median(baseline)), "1.00"]
    ],
    notes: [spread("NDJSON", ndjson, whole), spread("CSV", csv, whole), spread("\\copy", baseline, whole)]
  }
  return report
})
