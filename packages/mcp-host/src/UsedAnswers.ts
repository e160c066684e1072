/**
 * Which answers to questions about a price were used up: each counts once, whoever asks at the same time.
 *
 * A server keeps it with the answers to requests under an `Idempotency-Key`, in its database, so that the one yes counts once
 * over any number of processes. A process that asks its one client keeps it itself.
 */
import { Caller } from "@freehold/core/access/Caller"
import { Workload } from "@freehold/core/load/Workload"
import { Idempotency } from "@freehold/core/operation/Idempotency"
import { Clock, Effect } from "effect"

/** A question with a life, which is over at `until`. Milliseconds. */
export interface Asked {
  readonly id: string
  readonly until: number
}

/** Uses the answer to a question up; false: it was before, or it cannot be told. */
export type UseUp<R> = (asked: Asked) => Effect.Effect<boolean, never, R>

const operation = "agreed price"

/** Kept beside what the caller's credential asked for once. */
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
    return yield* workload.within("write", once).pipe(
      Effect.match({ onFailure: () => false, onSuccess: ({ replayed }) => !replayed })
    )
  })
  return useUp
})

/** Kept in this process until the questions are over. */
export const inProcess = (): UseUp<never> => {
  const used = new Map<string, number>()
  return Effect.fnUntraced(function*({ id, until }) {
    const now = yield* Clock.currentTimeMillis
    for (const [each, over] of used) if (over <= now) used.delete(each)
    if (used.has(id)) return false
    used.set(id, until)
    return true
  })
}
