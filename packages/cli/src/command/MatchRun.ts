/** What `freehold firm match` and `freehold property match` have in common in what they do. */
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect, Option } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import * as ProgressBar from "../ProgressBar.ts"

/** What both ports of matching can do with a run. */
interface Matches {
  alone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E | TemporarilyUnavailable, R>
  undone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>
}

/** Runs it while no other process matches, with its progress shown; a dry run is undone. */
export const runAlone = <A, E, R>(matches: Matches, dryRun: boolean, run: Effect.Effect<A, E, R>) =>
  matches.alone(dryRun ? matches.undone(run) : run).pipe(
    Effect.ensuring(ProgressBar.clear),
    Effect.flatMap(Option.match({
      onNone: () => Effect.fail(new CommandRefused({ reason: "another process is matching; one does at a time" })),
      onSome: Effect.succeed
    }))
  )
