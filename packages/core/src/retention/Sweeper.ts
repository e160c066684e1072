/**
 * Removes what is too old, in the background of a server or a worker, at its start and every ten minutes.
 *
 * Any number may run: the port lets one at a time work. What a step left is taken by the next one after a short pause, so
 * that a long neglected database is tidied without being kept busy.
 */
import { Clock, Duration, Effect, Layer, Metric, Option } from "effect"
import * as Persistence from "../operation/Persistence.ts"
import { type Kept, type Kind, kinds, Retention } from "./Retention.ts"

const poll = Duration.minutes(10)

const pause = Duration.millis(200)

/** Of each kind in one step. */
const atMost = 1000

const persistently = Persistence.make("retention")

const removedOf = new Map(kinds.map((kind) => [
  kind,
  Metric.counter("freehold_retention_removed", {
    description: "What was removed since it was too old, by kind; of bodies and deliveries, days.",
    attributes: { kind },
    incremental: true
  })
]))

const count = (kind: Kind, removed: number) => {
  const counter = removedOf.get(kind)
  return counter === undefined ? Effect.void : Metric.update(counter, removed)
}

/** Sweeps until nothing is too old; answers what was removed. */
export const sweepAll = Effect.fn("Sweeper.sweepAll")(function*(kept: Kept) {
  const retention = yield* Retention
  const total = new Map<Kind, number>()
  while (true) {
    const now = yield* Clock.currentTimeMillis
    const swept = yield* persistently("remove what is too old", retention.sweep({ kept, now, atMost }))
    if (Option.isNone(swept)) return total
    for (const [kind, removed] of swept.value.removed) {
      total.set(kind, (total.get(kind) ?? 0) + removed)
      yield* count(kind, removed)
    }
    if (!swept.value.more) return total
    yield* Effect.sleep(pause)
  }
})

/** Sweeps until it is interrupted. */
export const run = Effect.fn("Sweeper.run")(function*(kept: Kept) {
  while (true) {
    const total = yield* sweepAll(kept)
    if (total.size > 0) {
      yield* Effect.annotateLogs(Effect.logInfo("removed what was too old"), Object.fromEntries(total))
    }
    yield* Effect.sleep(poll)
  }
})

/** In the background for as long as the layer lives. */
export const layer = (kept: Kept): Layer.Layer<never, never, Retention> =>
  Layer.effectDiscard(Effect.forkScoped(run(kept)))
