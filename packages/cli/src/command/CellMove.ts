/** `freehold cell move`: an organization goes to another cell. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SqlError } from "effect/sql"
import { CommandRefused } from "../CommandRefused.ts"
import { type DatabaseFault, faultOf } from "../DatabaseFault.ts"
import { moving } from "../LazyComposition.ts"
import { json, print, record } from "../Output.ts"

const moves = Effect.promise(() => import("@freehold/adapters-pg/cell/Move"))

/** Nothing can be undone without the databases, and nobody knows how far it came. */
const interrupted = (orgId: string, { message }: DatabaseFault) =>
  new CommandRefused({
    reason:
      `${message}; if freehold doctor says that ${orgId} is on its way, it is answered 503 until this is repeated, `
      + "or taken back with --give-up"
  })

export const moveCommand = Command.make(
  "move",
  {
    org: Argument.String("org").pipe(Argument.withDescription("Id of the organization, such as org_acme")),
    to: Flag.String("to").pipe(
      Flag.withMetavar("CELL"),
      Flag.withDescription("Name of the cell at FREEHOLD_TARGET_URL")
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Check whether it can, count its rows, and move nothing"),
      Flag.withDefault(false)
    ),
    giveUp: Flag.Boolean("give-up").pipe(
      Flag.withDescription("Let it stay where it is, after a move that did not come to its end"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function*({ dryRun, giveUp: givesUp, json, org: orgId, to }) {
    const { giveUp, move } = yield* moves
    if (givesUp) {
      if (!(yield* giveUp({ orgId, to }))) {
        return yield* new CommandRefused({ reason: `${orgId} is not on its way anywhere` })
      }
      return yield* print(json, { org_id: orgId, outcome: "stays" }, (shown) => record(Object.entries(shown)))
    }
    const { outcome, rows } = yield* move({ orgId, to, dryRun }).pipe(
      Effect.catchIf(SqlError.isSqlError, (error) => Effect.fail(interrupted(orgId, faultOf(error))))
    )
    yield* print(
      json,
      { org_id: orgId, to, outcome, dry_run: dryRun, rows },
      (shown) => record(Object.entries(shown))
    )
  }, (effect) =>
    effect.pipe(
      Effect.catchIf(SqlError.isSqlError, (error) => Effect.fail(faultOf(error))),
      Effect.provide(moving)
    ))
).pipe(
  Command.withDescription(
    "Move an organization from this cell to another: it is answered 503 meanwhile, and its rows are proved equal before it lives there. Repeat it when it was interrupted"
  ),
  Command.withExamples([
    { command: "freehold cell move org_acme --to west --dry-run", description: "Whether it can, and how much it is" },
    { command: "freehold cell move org_acme --to west", description: "In the cell where it is" },
    {
      command: "freehold cell move org_acme --to west --give-up",
      description: "After a move that was interrupted: stay, instead of repeating it"
    }
  ])
)
