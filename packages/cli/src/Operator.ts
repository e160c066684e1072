/** The person at the command line as the author of ledger entries: the name of the account that runs the command. */
import type { EntryActor } from "@freehold/core/access/EntryActor"
import { Effect } from "effect"
import { userInfo } from "node:os"

export const operator: Effect.Effect<EntryActor> = Effect.try(() => userInfo().username).pipe(
  // A container may run under a number that has no name.
  Effect.orElseSucceed(() => null),
  Effect.map((name) => ({ kind: "operator", id: null, name }))
)
