/**
 * Which answers to questions about a price were used up: each counts once, whoever asks at the same time.
 *
 * A server keeps it with the answers to requests under an `Idempotency-Key`, in its database, so that the one yes counts once
 * over any number of processes. A process that asks its one client keeps it itself.
 */
import { Caller } from "@freehold/core/access/Caller"
import * as Deadline from "@freehold/core/load/Deadline"
import { Workload } from "@freehold/core/load/Workload"
import { Idempotency } from "@freehold/core/operation/Idempotency"
import type { Work } from "@freehold/core/operation/Operation"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Clock, Effect } from "effect"

/** A question with a life, which is over at `until`. Milliseconds. */
export interface Asked {
  readonly id: string
  readonly until: number
}

/** Uses the answer to a question up; false: it was before, or it cannot be told. */
type UseUp<R> = (asked: Asked) => Effect.Effect<boolean, never, R>

/** Uses the answer to a question up and then makes the call that it was given to, with what `UseUp` tells. */
export type Using<U> = <A, E, R>(
  asked: Asked,
  work: Work,
  call: (isFirst: boolean) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E | TemporarilyUnavailable, R | U>

const operation = "agreed price"

/**
 * Kept beside what the caller's credential asked for once. The answer is used up in the place and in the time of the call, so that
 * nothing is used up where there is no place.
 */
export const kept = Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const workload = yield* Workload
  const useUp: UseUp<Caller> = Effect.fnUntraced(function*({ id }) {
    const { credentialId, organization } = yield* Caller
    const once = idempotency.once(
      {
        orgId: organization.org_id,
        credentialId,
        key: `${operation} ${id}`,
        operation,
        fingerprint: id.replaceAll("-", ""),
        // A forgotten one would count again.
        mustReplay: true,
        now: yield* Clock.currentTimeMillis
      },
      Effect.succeed("used")
    )
    // What is written here is not what the call is charged for, which lifts the deadline by itself.
    return yield* Deadline.outside(once).pipe(
      Effect.match({ onFailure: () => false, onSuccess: ({ replayed }) => !replayed })
    )
  })
  // As under an Idempotency-Key, it is a write, whatever the call is; what research takes is longer.
  const using: Using<Caller> = (asked, work, call) =>
    workload.within(work === "research" ? work : "write", Effect.flatMap(useUp(asked), call))
  return using
})

/** Kept in this process until the questions are over. The call finds its place by itself, once the answer is used up. */
export const inProcess = (): Using<never> => {
  const used = new Map<string, number>()
  const useUp: UseUp<never> = Effect.fnUntraced(function*({ id, until }) {
    const now = yield* Clock.currentTimeMillis
    for (const [each, over] of used) if (over <= now) used.delete(each)
    if (used.has(id)) return false
    used.set(id, until)
    return true
  })
  return (asked, _, call) => Effect.flatMap(useUp(asked), call)
}
