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
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Caller } from "../access/Caller.ts"
import type { Work } from "../operation/Operation.ts"
import * as Span from "../operation/Span.ts"
import { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as Trouble from "../operation/Trouble.ts"
import * as Deadline from "./Deadline.ts"
import * as FairShares from "./FairShares.ts"
import * as Spare from "./Spare.ts"
import * as Turn from "./Turn.ts"
import * as Usage from "./Usage.ts"

/** How many processors this process and its database can use. */
export const Processors = Context.Reference<number>("@freehold/core/load/Workload/Processors", {
  defaultValue: () => 2
})

/** What organizations use of this process, where its host notes that too; null: what their work shows. */
export const Noted = Context.Reference<Usage.Usage | null>("@freehold/core/load/Workload/Noted", {
  defaultValue: () => null
})

type WorkBounds = Readonly<Record<Work, FairShares.Bounds & { readonly seconds: number }>>

/** What fits into the connections of the pools for reads. */
const reads = 6

/**
 * What holds where nothing else is set. The pools of the database are sized to them.
 *
 * One organization's reads keep at most half of the processors busy, so that others find one free; a search of a large area
 * has two of them, and while nobody else is there one more than half (`Spare`). Half of the time of one place is what permitted rates of ordinary requests
 * need (50 searches a second of 10 ms); the busiest organization has no more while others are there. Writes and research have
 * two places, so that who repeats one that is under way is told so.
 */
export const boundsOn = (processors: number): WorkBounds => ({
  point: { inAll: 64, perOrganization: 16, besideBusier: 16, waiting: 200, rest: 0, seconds: 10 },
  read: {
    inAll: reads,
    perOrganization: Math.max(1, Math.min(Math.trunc(processors / 2), reads / 2)),
    besideBusier: reads / 2,
    waiting: 200,
    rest: 1,
    seconds: 10
  },
  write: { inAll: 6, perOrganization: 2, besideBusier: 3, waiting: 200, rest: 3, seconds: 10 },
  research: { inAll: 8, perOrganization: 2, besideBusier: 3, waiting: 200, rest: 3, seconds: 30 }
})

/** Places of kinds of work, which somebody chose. */
export type Places = Readonly<
  Partial<Record<Work, Pick<FairShares.Bounds, "inAll" | "perOrganization" | "besideBusier">>>
>

/** The places that hold instead of those of `boundsOn`. */
export const Chosen = Context.Reference<Places>("@freehold/core/load/Workload/Chosen", { defaultValue: () => ({}) })

/** The bounds of a process. */
const inForce = Effect.gen(function*() {
  const bounds = boundsOn(yield* Processors)
  const chosen = yield* Chosen
  return {
    point: { ...bounds.point, ...chosen.point },
    read: { ...bounds.read, ...chosen.read },
    write: { ...bounds.write, ...chosen.write },
    research: { ...bounds.research, ...chosen.research }
  } satisfies WorkBounds
})

/** A line that is full moves on within its time. */
const retryAfterSeconds = 2

const Placed = Context.Reference<boolean>("@freehold/core/load/Workload/Placed", { defaultValue: () => false })

/** What work finds that has its place. */
const inPlace = <A, E, R>(effect: Effect.Effect<A, E, R>, turn: Effect.Effect<void> | null): Effect.Effect<A, E, R> =>
  Effect.updateContext(
    effect,
    (context: Context.Context<R>) => Context.add(Context.add(context, Placed, true), Turn.Own, turn)
  )

/** Runs the operations of organizations, each within its share and its time. */
export class Workload extends Context.Service<Workload, {
  /** Runs the effect in a place of the caller's organization. */
  within<A, E, R>(work: Work, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R | Caller>
  /** How the places of each kind stand. */
  readonly standing: () => Readonly<Record<Work, FairShares.Standing>>
}>()("@freehold/core/load/Workload") {
  static readonly layer = Layer.effect(
    Workload,
    Effect.gen(function*() {
      const bounds = yield* inForce
      const processors = yield* Processors
      const usage = (yield* Noted) ?? Usage.make()
      const nextTurn = yield* Turn.Next
      const shares = {
        point: FairShares.make(bounds.point, usage),
        read: FairShares.make(bounds.read, usage),
        write: FairShares.make(bounds.write, usage),
        research: FairShares.make(bounds.research, usage)
      }
      const takingSpare = Spare.make(processors, shares.read, usage)
      const full = Effect.andThen(
        Trouble.tell("the line of its organization is full"),
        Effect.suspend(() => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds })))
      )

      return Workload.of({
        within: (work, effect) =>
          Span.named("Workload.within")(
            Effect.contextWith((context: Context.Context<Caller>) => {
              if (Context.get(context, Placed)) return effect
              const { org_id: orgId } = Context.get(context, Caller).organization
              const given = work === "read"
                ? Effect.provideService(effect, Spare.Take, takingSpare(orgId, Context.get(context, Clock.Clock)))
                : effect
              const placed = inPlace(given, work === "point" ? null : nextTurn(orgId))
              return Deadline.within(Duration.seconds(bounds[work].seconds), shares[work].take(orgId, placed, full))
            })
          ),
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
