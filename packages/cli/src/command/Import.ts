/** `freehold import`: loads records from a file. */
import { ImportKind } from "@freehold/core/import/ImportKind"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { provisioning } from "../LazyComposition.ts"
import { json, print, record } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"

const importer = Effect.promise(() => import("../import/Import.ts"))

export const importCommand = Command.make(
  "import",
  {
    kind: Argument.Literals("kind", ImportKind.literals).pipe(
      Argument.withDescription(`What the rows are: ${ImportKind.literals.join(", ")}`)
    ),
    file: Argument.String("file").pipe(
      Argument.withDescription("NDJSON, or CSV with --map; gzip is read as it is; - is standard input")
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
    json
  },
  Effect.fn(function*({ file, json, kind, map, rejects, strict }) {
    const { run } = yield* importer
    const summary = yield* run({
      kind,
      file,
      map: Option.getOrUndefined(map),
      rejects: Option.getOrUndefined(rejects),
      strict,
      onProgress: ({ bytes, rows, totalBytes }) =>
        ProgressBar.show({ done: bytes, of: totalBytes, count: rows, unit: "rows" })
    }).pipe(Effect.ensuring(ProgressBar.clear))
    yield* print(json, summary, () => record(Object.entries(summary)))
    if (summary.rejected > 0) {
      return yield* new CommandRefused({
        reason: strict
          ? `nothing was loaded, since ${summary.rejected} of ${summary.read} rows were rejected`
          : `${summary.rejected} of ${summary.read} rows were rejected`
      })
    }
  }, Effect.provide(provisioning))
).pipe(
  Command.withDescription("Load properties, firms, contacts, research or changes from a file; upserts by key"),
  Command.withExamples([
    {
      command: "freehold import properties buildings.ndjson.gz --rejects rejects.ndjson",
      description: "Load what can be loaded and keep the rest with the reasons"
    },
    {
      command: "freehold import properties iolp-buildings.csv --map examples/maps/gsa-buildings.json",
      description: "Load a CSV file by a map"
    },
    { command: "cat contacts.ndjson | freehold import contacts - --strict", description: "All rows, or none" }
  ])
)
