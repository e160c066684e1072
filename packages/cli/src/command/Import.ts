/** `freehold import`: loads records from a file. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { ImportKind } from "@freehold/core/import/ImportKind"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import * as HeapGrowth from "../import/HeapGrowth.ts"
import type { ImportSummary, ShownRow } from "../import/Import.ts"
import { examiningImports, importing } from "../LazyComposition.ts"
import { json, print, record } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { importFieldsCommand } from "./ImportFields.ts"

/** What came of the rows so far. */
type Counts = Omit<ImportSummary, "kind">

const importer = Effect.promise(() => import("../import/Import.ts"))

/** What a dry run found. */
const tried = (summary: ImportSummary, shown: ReadonlyArray<ShownRow>): string =>
  [
    ...shown.map(({ line, rejected, row }) => `line ${line}${rejected ? ", rejected" : ""}: ${JSON.stringify(row)}`),
    record(Object.entries(summary)),
    "Nothing was loaded: this was a dry run."
  ].join("\n")

const refusal = (
  { kind, read, rejected }: ImportSummary,
  { dryRun, strict }: { readonly dryRun: boolean; readonly strict: boolean }
): string => {
  const rows = `${rejected} of ${read} rows ${dryRun ? "would be" : "were"} rejected`
  const told = strict && !dryRun ? `nothing was loaded, since ${rows}` : rows
  return `${told}; what a row may hold: freehold import fields ${kind}`
}

/** What an import that broke off leaves behind; null: nothing. */
const leftBehind = ({ inserted, read, unchanged, updated }: Counts): string | null => {
  const there = inserted + updated + unchanged
  return there === 0 ? null : `it broke off after ${read} rows, ${there} of which are loaded; ` +
    "import the file again: what is loaded is left as it is"
}

export const importCommand = Command.make(
  "import",
  {
    kind: Argument.Literals("kind", ImportKind.literals).pipe(
      Argument.withDescription(`What the rows are: ${ImportKind.literals.join(", ")}`)
    ),
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "NDJSON, CSV with --map, or the rejects of either, mended; gzip is read as it is; - is standard input"
      )
    ),
    map: Flag.String("map").pipe(
      Flag.withMetavar("MAP.json"),
      Flag.withDescription("How the columns of a CSV file become fields"),
      Flag.optional
    ),
    rejects: Flag.String("rejects").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Write rejected rows with their reasons here, as NDJSON"),
      Flag.optional
    ),
    strict: Flag.Boolean("strict").pipe(
      Flag.withDescription("Load nothing when a row is rejected"),
      Flag.withDefault(false)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Load nothing: show ten rows as they would be loaded, and how many would change what"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function*({ dryRun, file, json, kind, map, rejects, strict }) {
    yield* HeapGrowth.restrain
    const { open, run } = yield* importer
    const source = yield* open({
      kind,
      file,
      map: Option.getOrUndefined(map),
      rejects: Option.getOrUndefined(rejects)
    })
    let left: string | null = null
    const { ofFormerCounties, shown, summary } = yield* run(source, {
      strict,
      dryRun,
      onProgress: ({ bytes, rows, totalBytes }, counts) => {
        if (!strict && !dryRun) left = leftBehind(counts)
        return ProgressBar.show({ done: bytes, of: totalBytes, count: rows, unit: "rows" })
      }
    }).pipe(
      Effect.flatMap((imported) => Effect.map(imported.shown, (shown) => ({ ...imported, shown }))),
      Effect.catchTag(
        "TEMPORARILY_UNAVAILABLE",
        () => new CommandRefused({ reason: "the database went away while the rows were loaded" })
      ),
      Effect.ensuring(ProgressBar.clear),
      Effect.onError(() => left === null ? Effect.void : Console.error(left)),
      Effect.provide(dryRun ? examiningImports : importing)
    )
    yield* dryRun
      ? print(json, { ...summary, dry_run: true, rows: shown }, () => tried(summary, shown))
      : print(json, summary, () => record(Object.entries(summary)))
    const former = FormerCountyRows.told(ofFormerCounties)
    if (former !== null) yield* Console.error(former)
    if (summary.rejected > 0) return yield* new CommandRefused({ reason: refusal(summary, { dryRun, strict }) })
  }, Effect.scoped)
).pipe(
  Command.withSubcommands([importFieldsCommand]),
  Command.withExamples([
    {
      command: "freehold import properties buildings.ndjson.gz --rejects rejects.ndjson",
      description: "Load what can be loaded and keep the rest with the reasons"
    },
    {
      command: "freehold import properties rejects.ndjson",
      description:
        "Load what was rejected, once its rows are mended in that file; what came by a map needs the same map"
    },
    {
      command: "freehold import properties iolp-buildings.csv --map examples/maps/gsa-buildings.json",
      description: "Load a CSV file by a map"
    },
    {
      command: "freehold import contacts people.csv --map people-map.json --dry-run",
      description: "See what the map makes of the first rows, and what would change; nothing is loaded"
    },
    { command: "cat contacts.ndjson | freehold import contacts - --strict", description: "All rows, or none" }
  ])
)
