/** `freehold source`: where records come from by themselves. */
import { repeated, type Source, type SourceRun, Sources } from "@freehold/core/source/Sources"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { sources } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { addCommand, catalogueCommand } from "./SourceAdd.ts"
import { syncCommand } from "./SourceSync.ts"
import { tryCommand } from "./SourceTry.ts"

const name = Argument.String("name").pipe(Argument.withDescription("Name of the source"))

const stateOf = ({ lastRun, paused }: Source): string =>
  paused
    ? "paused"
    : lastRun === null
    ? "new"
    : lastRun.state === "reading" && lastRun.reason !== null
    ? "waits"
    : lastRun.state

const runView = (
  { endedAt, mark: _mark, page: _page, position: _position, startedAt, unseen: _unseen, ...run }: SourceRun
) => ({
  ...run,
  repeated: repeated(run),
  started_at: startedAt,
  ended_at: endedAt
})

const view = (source: Source) => ({
  name: source.document.name,
  title: source.document.title,
  kind: source.document.kind,
  state: stateOf(source),
  records: source.records,
  licence: source.document.licence,
  attribution: source.document.attribution,
  schedule: source.document.schedule ?? null,
  added_at: source.addedAt,
  due_at: source.dueAt,
  last_synced_at: source.lastRun?.endedAt ?? null,
  reason: source.lastRun?.reason ?? null
})

const unknown = (name: string) =>
  new CommandRefused({ reason: `there is no source ${name}; see: freehold source list` })

const list = Command.make(
  "list",
  { json },
  Effect.fn(function*(input) {
    const found = yield* Sources.use((port) => port.list)
    yield* print(input.json, { items: found.map(view) }, ({ items }) =>
      table(
        ["name", "kind", "state", "records", "last_synced_at", "due_at", "reason"],
        items.map((
          each
        ) => [each.name, each.kind, each.state, each.records, each.last_synced_at, each.due_at, each.reason])
      ))
  }, Effect.provide(sources))
).pipe(
  Command.withDescription("List the sources, and how each stands"),
  Command.withExamples([{ command: "freehold source list", description: "What is synced, and what waits for you" }])
)

const shownRuns = 10

const show = Command.make(
  "show",
  { name, json },
  Effect.fn(function*(input) {
    const port = yield* Sources
    const found = yield* port.find(input.name)
    if (Option.isNone(found)) return yield* unknown(input.name)
    const runs = (yield* port.runs(input.name, shownRuns)).map(runView)
    const document = found.value.document
    yield* print(
      input.json,
      { ...view(found.value), has_token: found.value.token !== null, document, runs },
      ({ document: _document, runs, ...fields }) =>
        [
          record(Object.entries(fields)),
          `runs:\n${
            table(
              [
                "number",
                "state",
                "read",
                "inserted",
                "changed",
                "unchanged",
                "repeated",
                "rejected",
                "retired",
                "started_at",
                "reason"
              ],
              runs.map((run) => [
                run.number,
                run.state,
                run.read,
                run.inserted,
                run.changed,
                run.unchanged,
                run.repeated,
                run.rejected,
                run.retired,
                run.started_at,
                run.reason
              ])
            )
          }`,
          ...(runs[0]?.rejects ?? []).map(({ field, place, reason }) => `${place}: ${field ?? "the row"} ${reason}`)
        ].join("\n\n")
    )
  }, Effect.provide(sources))
).pipe(
  Command.withDescription("Show a source: its document, its last runs, and the first rows that could not be used"),
  Command.withExamples([{ command: "freehold source show nyc-pluto", description: "How its syncs went" }])
)

const pausing = (word: "pause" | "resume", paused: boolean, description: string) =>
  Command.make(
    word,
    { name, json },
    Effect.fn(function*(input) {
      const known = yield* Sources.use((port) => port.pause(input.name, paused))
      if (!known) return yield* unknown(input.name)
      yield* print(input.json, { name: input.name, paused }, (shown) => record(Object.entries(shown)))
    }, Effect.provide(sources))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `freehold source ${word} nyc-pluto`, description }])
  )

const remove = Command.make(
  "remove",
  { name, json },
  Effect.fn(function*(input) {
    const removed = yield* Sources.use((port) => port.remove(input.name))
    if (!removed) return yield* unknown(input.name)
    yield* print(input.json, { name: input.name, removed }, (shown) => record(Object.entries(shown)))
  }, Effect.provide(sources))
).pipe(
  Command.withDescription(
    "Remove a source and the history of its syncs; the records that it brought stay, with its attribution"
  ),
  Command.withExamples([{ command: "freehold source remove nyc-pluto", description: "Sync it no more" }])
)

export const sourceCommand = Command.make("source").pipe(
  Command.withExamples([
    { command: "freehold source add nyc-pluto --area Manhattan", description: "Tax lots of Manhattan, kept fresh" },
    { command: "freehold source sync nyc-pluto", description: "Now, and not when it is due" }
  ]),
  Command.withSubcommands([
    addCommand,
    catalogueCommand,
    tryCommand,
    list,
    show,
    syncCommand,
    pausing("pause", true, "Sync a source no more until it is resumed"),
    pausing("resume", false, "Sync a paused source again"),
    remove
  ])
)
