/** `freehold cell`: one installation imports, others have a part of the organizations and receive its records. */
import * as SharedTables from "@freehold/adapters-pg/cell/SharedTables"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SqlError } from "effect/sql"
import { CommandRefused } from "../CommandRefused.ts"
import { faultOf } from "../DatabaseFault.ts"
import { publishing, receiving } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { Settings } from "../Settings.ts"
import { moveCommand } from "./CellMove.ts"
import { frontCommand } from "./Front.ts"

const publication = Effect.promise(() => import("@freehold/adapters-pg/cell/Publication"))
const subscription = Effect.promise(() => import("@freehold/adapters-pg/cell/Subscription"))

const cellName = Argument.String("name").pipe(
  Argument.filter((name) => SharedTables.cellName.test(name), () => "Expected 1 to 8 of a to z and 0 to 9")
)

const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Check everything, and change nothing"),
  Flag.withDefault(false)
)

const faults = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.catchIf(effect, SqlError.isSqlError, (error) => Effect.fail(faultOf(error)))

const publish = Command.make(
  "publish",
  { dryRun, json },
  Effect.fn(function*(input) {
    const { publish } = yield* publication
    const { organizations, outcome } = yield* faults(publish(input))
    yield* print(
      input.json,
      { outcome, dry_run: input.dryRun, tables: SharedTables.sharedTables.length, organizations },
      (shown) => record(Object.entries(shown))
    )
  }, Effect.provide(publishing))
).pipe(
  Command.withDescription(
    "Let cells receive the records of this installation: publish its shared tables; repeatable. Asks for wal_level = logical"
  ),
  Command.withExamples([{ command: "freehold cell publish", description: "At the installation that imports" }])
)

const join = Command.make(
  "join",
  {
    name: Argument.withDescription(
      cellName,
      "Name of the cell, 1 to 8 of a to z and 0 to 9; keys that are made in it begin with it"
    ),
    dryRun,
    nothingLost: Flag.Boolean("nothing-lost").pipe(
      Flag.withDescription("Of a cell whose server was promoted or restored: it lacks nothing that the one before had"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function*(input) {
    const { join } = yield* subscription
    const { importerUrl } = yield* Settings
    const url = Option.getOrElse(importerUrl, () => Redacted.make(""))
    const { cell, outcome } = yield* faults(join({ ...input, url }))
    yield* print(
      input.json,
      { cell, outcome, dry_run: input.dryRun },
      (shown) => record(Object.entries(shown))
    )
  }, Effect.provide(receiving))
).pipe(
  Command.withDescription(
    "Make this installation a cell of the one at FREEHOLD_IMPORTER_URL: it receives the records and imports none; repeatable"
  ),
  Command.withExamples([
    { command: "freehold cell join west --dry-run", description: "Whether it can" },
    { command: "freehold cell join west", description: "With an empty database that is migrated" }
  ])
)

/** As people read it. */
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const status = Command.make(
  "status",
  { json },
  Effect.fn(function*(input) {
    const { cells } = yield* publication
    const { receiving } = yield* subscription
    const own = yield* faults(receiving)
    const others = yield* faults(cells)
    yield* print(input.json, { cell: own, cells: others }, (shown) => {
      const behind = (bytes: number | null) =>
        bytes === null ? "lost: see scaling.md, Restoring a cell" : megabytes(bytes)
      return shown.cell === null
        ? table(
          ["cell", "receiving", "behind", "migration"],
          shown.cells.map((each) => [each.name, each.receiving, behind(each.behind), each.migration])
        )
        : record([
          ["cell", shown.cell.cell],
          ["enabled", shown.cell.enabled],
          ["receiving", shown.cell.receiving],
          ["promoted", shown.cell.promoted],
          ["tables", `${shown.cell.copied} of ${shown.cell.tables} copied`],
          ["missing", shown.cell.missing.length === 0 ? null : shown.cell.missing.join(", ")],
          ["errors", shown.cell.applyErrors],
          ["unsettled", shown.cell.unsettled]
        ])
    })
  }, Effect.provide(publishing))
).pipe(
  Command.withDescription("How this cell receives; at the importing installation, how all of its cells do"),
  Command.withExamples([{
    command: "freehold cell status",
    description: "In a cell, or at the importing installation"
  }])
)

const leave = Command.make(
  "leave",
  { json },
  Effect.fn(function*(input) {
    const { forgetAtImporter, leave } = yield* subscription
    const cell = yield* faults(leave())
    if (cell === null) return yield* new CommandRefused({ reason: "this installation is no cell" })
    yield* faults(forgetAtImporter(cell))
    yield* print(input.json, { cell, outcome: "left" }, (shown) => record(Object.entries(shown)))
  }, Effect.provide(receiving))
).pipe(
  Command.withDescription("Receive no more: what came stays, and this installation imports for itself from now on"),
  Command.withExamples([{
    command: "freehold cell leave",
    description: "In a cell; it cannot join again with this database"
  }])
)

const forget = Command.make(
  "forget",
  {
    name: Argument.withDescription(cellName, "Name of the cell"),
    json
  },
  Effect.fn(function*(input) {
    const { forget } = yield* publication
    if (!(yield* faults(forget(input.name)))) {
      return yield* new CommandRefused({ reason: `there is no cell ${input.name}` })
    }
    yield* print(input.json, { cell: input.name, outcome: "forgotten" }, (shown) => record(Object.entries(shown)))
  }, Effect.provide(publishing))
).pipe(
  Command.withDescription(
    "At the importing installation: keep nothing for a cell that is lost for good, so that the log of PostgreSQL does not grow"
  ),
  Command.withExamples([{ command: "freehold cell forget west", description: "It could never go on after that" }])
)

export const cellCommand = Command.make("cell").pipe(
  Command.withExamples([{ command: "freehold cell status", description: "Does this cell receive?" }]),
  Command.withSubcommands([publish, join, status, leave, forget, moveCommand, frontCommand])
)
