/**
 * What one organization may keep busy of this process at once, and for how long.
 *
 * Every operation is work of one kind. Each kind has places, which organizations share fairly (`FairShares`), and a time
 * within which it is answered (`Deadline`), waiting included. What finds its organization's line full, or is not done in
 * time, is TEMPORARILY_UNAVAILABLE: nothing was done, and only that organization is told so.
 *
 * | kind       | what it is                                                           |
 * | ---------- | -------------------------------------------------------------------- |
 * | `point`    | reads of single records, unlocks and reveals: microseconds each      |
 * | `read`     | searches, lists, feeds, batches: what may keep a core busy           |
 * | `write`    | what changes more than the ledger, and calls with an Idempotency-Key |
 * | `research` | launches of research, drafts, and what is told of them               |
 *
 * An operation takes its place once: within a place that was taken already, it just runs.
 */
import { Context, Effect, Layer } from "effect"
import { Caller } from "../access/Caller.ts"
import type { Work } from "../operation/Operation.ts"
import { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as Deadline from "./Deadline.ts"
import * as FairShares from "./FairShares.ts"

/** The places of each kind of work, and its time. */
export type AllBounds = Readonly<Record<Work, FairShares.Bounds & { readonly seconds: number }>>

/**
 * What holds where nothing else is set. The pools of the database are sized to them.
 *
 * Half of the time of one place is what permitted rates of ordinary requests need (50 searches a second of 10 ms), and on
 * two processors it leaves others enough. Writes and research have two, so that who repeats one that is under way is told so.
 */
export const bounds: AllBounds = {
  point: { inAll: 64, perOrganization: 16, waiting: 200, rest: 0, seconds: 10 },
  read: { inAll: 6, perOrganization: 1, waiting: 200, rest: 1, seconds: 10 },
  write: { inAll: 6, perOrganization: 2, waiting: 200, rest: 1, seconds: 10 },
  research: { inAll: 8, perOrganization: 2, waiting: 200, rest: 1, seconds: 30 }
}

/** The bounds that hold in this process. */
export const InForce = Context.Reference<AllBounds>("@freehold/core/load/Workload/InForce", {
  defaultValue: () => bounds
})

/** A line that is full moves on within its time. */
const retryAfterSeconds = 2

const Placed = Context.Reference<boolean>("@freehold/core/load/Workload/Placed", { defaultValue: () => false })

export class Workload extends Context.Service<Workload, {
  /** Runs the effect in a place of the caller's organization. */
  within<A, E, R>(work: Work, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R | Caller>
  /** How the places of each kind stand. */
  readonly standing: () => Readonly<Record<Work, FairShares.Standing>>
}>()("@freehold/core/load/Workload") {
  static readonly layer = Layer.effect(
    Workload,
    Effect.map(InForce, (inForce) => {
      const shares = {
        point: FairShares.make(inForce.point),
        read: FairShares.make(inForce.read),
        write: FairShares.make(inForce.write),
        research: FairShares.make(inForce.research)
      }
      const full = Effect.suspend(() => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds })))

      return Workload.of({
        within: Effect.fn("Workload.within")(function*(work, effect) {
          if (yield* Placed) return yield* effect
          const { organization } = yield* Caller
          return yield* Deadline.within(
            `${inForce[work].seconds} seconds`,
            shares[work].take(organization.org_id, Effect.provideService(effect, Placed, true), full)
          )
        }),
        standing: () => ({
          point: shares.point.standing(),
          read: shares.read.standing(),
          write: shares.write.standing(),
          research: shares.research.standing()
        })
      })
    })
  )
}
