/**
 * The person at the command line, as the author of ledger entries and of lines of the logs: `--as`, or else
 * FREEHOLD_OPERATOR, or else the name of the account that runs the command.
 */
import type { EntryActor } from "@freehold/core/access/EntryActor"
import * as OperatorNote from "@freehold/core/operator/OperatorNote"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { userInfo } from "node:os"
import { Settings } from "./Settings.ts"

const isShort = (text: string): boolean => text.trim() !== "" && text.length <= 200

/** The flags of every command whose doing is written down. */
export const accountable = {
  as: Flag.String("as").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription("Who does it, for the operator's log; instead of FREEHOLD_OPERATOR or the account's name"),
    Flag.filter(isShort, () => "Expected 1 to 200 characters"),
    Flag.optional
  ),
  reason: Flag.String("reason").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("Why, for the operator's log (freehold log)"),
    Flag.filter(isShort, () => "Expected 1 to 200 characters"),
    Flag.optional
  )
}

/** What a person gave by those flags. */
export interface Accountable {
  readonly as: Option.Option<string>
  readonly reason: Option.Option<string>
}

const account: Effect.Effect<string | null> = Effect.try(() => userInfo().username).pipe(
  // A container may run under a number that has no name.
  Effect.orElseSucceed(() => null)
)

const nameOf = Effect.fnUntraced(function*(as: Option.Option<string>) {
  const { operator } = yield* Settings
  return Option.getOrNull(Option.orElse(as, () => operator)) ?? (yield* account)
})

/** Whoever runs the command, as an author. */
export const operatorNamed = (as: Option.Option<string>): Effect.Effect<EntryActor, never, Settings> =>
  Effect.map(nameOf(as), (name) => ({ kind: "operator", id: null, name }))

/** The same where a command has no such flags. */
export const operator = operatorNamed(Option.none())

/** Writes down what was done, as a part of the transaction that is under way. */
export const note = Effect.fnUntraced(function*({ as, reason }: Accountable, done: OperatorNote.OperatorNoted) {
  const { note } = yield* OperatorNote.make
  yield* note({ name: (yield* nameOf(as)) ?? "unknown", reason: Option.getOrNull(reason) }, done)
})

/** Does it and writes down that it was done, both or neither; `told`, of what came of it; null: it changed nothing. */
export const accountably = <A, E, R>(
  given: Accountable,
  doing: Effect.Effect<A, E, R>,
  told: (done: A) => OperatorNote.OperatorNoted | null
) =>
  Organizations.use((organizations) =>
    organizations.atomically(Effect.tap(doing, (done) => {
      const noted = told(done)
      return noted === null ? Effect.void : note(given, noted)
    }))
  )
