/**
 * A second processor for work that keeps one busy, where one is to spare: of its organization's half of them, or while nobody else is there. One heavy
 * search is answered in about half the time by it.
 */
import { type Clock, Context, Effect, type Scope } from "effect"
import { millisOf } from "../operation/MonotonicTime.ts"
import type { FairShares } from "./FairShares.ts"
import type { Usage } from "./Usage.ts"

/** Whether a second processor was taken; it is until the scope closes. */
type Taking = Effect.Effect<boolean, never, Scope.Scope>

/** Takes one for the work in this context; there is none where nobody shares them out. */
export const Take = Context.Reference<Taking>("@freehold/core/load/Spare/Take", {
  defaultValue: () => Effect.succeed(false)
})

/** Does something by two processors where one is to spare, else by one. */
export const use = <A, E, R>(
  { byOne, byTwo }: { readonly byOne: Effect.Effect<A, E, R>; readonly byTwo: Effect.Effect<A, E, R> }
): Effect.Effect<A, E, R | Scope.Scope> =>
  Effect.flatMap(Effect.flatten(Effect.service(Take)), (isTaken) => isTaken ? byTwo : byOne)

/** How organizations take them, each of whose work in one of the `places` keeps a processor busy. */
export const make = (processors: number, places: FairShares, usage: Usage) => {
  const taken = new Map<string, number>()
  let takenInAll = 0

  const isThere = (orgId: string, now: number): boolean =>
    places.standing().running + takenInAll < processors &&
    (places.occupiedBy(orgId) + (taken.get(orgId) ?? 0) < Math.trunc(processors / 2) || usage.isAlone(orgId, now))

  const add = (orgId: string, more: 1 | -1): void => {
    const has = (taken.get(orgId) ?? 0) + more
    takenInAll += more
    if (has === 0) taken.delete(orgId)
    else taken.set(orgId, has)
  }

  return (orgId: string, clock: Clock.Clock): Taking =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const isTaken = isThere(orgId, millisOf(clock))
        if (isTaken) add(orgId, 1)
        return isTaken
      }),
      (isTaken) => isTaken ? Effect.sync(() => add(orgId, -1)) : Effect.void
    )
}
