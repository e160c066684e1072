/** `freehold source sync`: one source now, or everything that is due. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { repeated, type SourceRun, Sources } from "@freehold/core/source/Sources"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { sourcesReading } from "../LazyComposition.ts"
import { json, print, record } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { wrongUsage } from "../WrongUsage.ts"

const syncing = Effect.promise(() => import("../source/SourceSync.ts"))
const trying = Effect.promise(() => import("../source/SourceTrial.ts"))

const view = (name: string, run: SourceRun) => {
  const { changed, inserted, read, reason, rejected, rejects, retired, state, unchanged } = run
  return {
    source: name,
    state,
    read,
    inserted,
    changed,
    unchanged,
    repeated: repeated(run),
    rejected,
    retired,
    reason,
    rejects
  }
}

const text = ({ rejects, ...counts }: ReturnType<typeof view>): string =>
  [
    record(Object.entries(counts)),
    ...rejects.map(({ field, place, reason }) => `${place}: ${field ?? "the row"} ${reason}`),
    ...counts.repeated === 0
      ? []
      : [
        `repeated: rows with a key that another row has; one of each counts. The key of the map has to tell rows apart.`
      ]
  ].join("\n")

/** Records of former counties, as an import tells of them. */
const tellFormer = (name: string, rows: FormerCountyRows.FormerCountyRows) => {
  const told = FormerCountyRows.told(rows)
  return told === null ? Effect.void : Console.error(`${name}: ${told}`)
}

const find = Effect.fnUntraced(function*(name: string) {
  const found = yield* Sources.use((port) => port.find(name))
  return Option.isSome(found)
    ? found.value
    : yield* new CommandRefused({ reason: `there is no source ${name}; see: freehold source list` })
})

/** Reads a source and loads nothing. */
const tryOut = Effect.fnUntraced(function*(name: string, asJson: boolean) {
  const { document, token } = yield* find(name)
  const { trial } = yield* trying
  const { formerCounties, ...tried } = yield* trial({ document, token, most: null }).pipe(
    Effect.ensuring(ProgressBar.clear)
  )
  yield* print(asJson, { ...tried, dry_run: true }, ({ read, rejected, rejects, rows }) =>
    [
      ...rows.map((row) => JSON.stringify(row)),
      ...rejects.map(({ field, place, reason }) => `${place}: ${field ?? "the row"} ${reason}`),
      record([["read", read], ["rejected", rejected]]),
      "Nothing was loaded: this was a dry run."
    ].join("\n"))
  yield* tellFormer(document.name, formerCounties)
})

/** Syncs one source, or all that are due. */
const syncNow = Effect.fnUntraced(function*(
  input: { readonly name: Option.Option<string>; readonly accept: boolean; readonly json: boolean }
) {
  const port = yield* Sources
  const names = Option.isSome(input.name) ? [(yield* find(input.name.value)).document.name] : yield* port.due
  const { make } = yield* syncing
  const { sync } = yield* make
  const outcome = yield* port.alone(
    Effect.forEach(names, (name) =>
      Effect.flatMap(find(name), (source) =>
        sync(source, {
          accept: input.accept,
          onProgress: (run) =>
            ProgressBar.show({
              done: run.inserted + run.changed + run.unchanged,
              of: null,
              count: run.read,
              unit: `rows of ${name}`
            })
        })))
  ).pipe(Effect.ensuring(ProgressBar.clear))
  if (Option.isNone(outcome)) {
    return yield* new CommandRefused({ reason: "another process is syncing; one does at a time" })
  }
  const runs = outcome.value.map(({ run }, index) => view(names[index] ?? "", run))
  yield* print(
    input.json,
    Option.isSome(input.name) ? runs[0] : { items: runs },
    () => runs.length === 0 ? "no source is due" : runs.map(text).join("\n\n")
  )
  for (const [index, { run: { formerCounties, state } }] of outcome.value.entries()) {
    if (state === "done" || state === "asks") yield* tellFormer(names[index] ?? "", formerCounties)
  }
  for (const [index, { _tag, run, ...rest }] of outcome.value.entries()) {
    const name = names[index] ?? ""
    if ("reason" in rest) {
      return yield* new CommandRefused({
        reason: `${name} cannot be read now: ${rest.reason}; the next sync goes on there`
      })
    }
    if (run.state === "asks") {
      return yield* new CommandRefused({
        reason: `nothing of ${name} was loaded: ${run.reason}; if that is right: freehold source sync ${name} --accept`
      })
    }
    if (run.state === "failed") return yield* new CommandRefused({ reason: `${name}: ${run.reason}` })
  }
})

export const syncCommand = Command.make(
  "sync",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("Name of the source; without one, all that are due"),
      Argument.optional
    ),
    accept: Flag.Boolean("accept").pipe(
      Flag.withDescription("What a run asks about is wanted: load it"),
      Flag.withDefault(false)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Read everything and load nothing: show ten rows, and what could not be used"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function*(input) {
    const { dryRun, json, name } = input
    if (dryRun && Option.isNone(name)) return yield* wrongUsage("--dry-run needs the name of a source")
    yield* dryRun && Option.isSome(name)
      ? Effect.provide(tryOut(name.value, json), sourcesReading)
      : Effect.provide(syncNow(input), sourcesReading)
  })
).pipe(
  Command.withDescription("Sync a source now; a sync that was interrupted goes on where it stopped"),
  Command.withExamples([
    { command: "freehold source sync nyc-pluto --dry-run", description: "Read it, and load nothing" },
    { command: "freehold source sync nyc-pluto --accept", description: "Load what a run asked about" },
    { command: "freehold source sync", description: "Everything that is due, once" }
  ])
)
