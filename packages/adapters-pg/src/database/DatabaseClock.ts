/**
 * The time of the database, in every process: minutes, days and months of limits, and whatever expires, begin and end at one
 * moment for all hosts, whatever their own clocks say.
 *
 * The database is asked for its time when the process starts and every few seconds from then on; in between a clock that
 * nobody sets counts on. An answer that took long tells little, so one that is worse than what is known is left aside. While
 * the database is away, nothing but that clock counts.
 *
 * *Gotchas.* What is measured (how long something took, how long to wait) goes by the machine's monotonic clock as ever.
 */
import * as MonotonicTime from "@freehold/core/operation/MonotonicTime"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import * as Database from "./Database.ts"

/** How often the database is asked. */
const interval = Duration.seconds(5)

/** How far the clocks of two machines may part from one another, per millisecond: more than any that works. */
const drift = 1e-4

export interface Known {
  /** What has to be added to the machine's monotonic milliseconds. */
  readonly offset: number
  /** How wrong it may have been when it was found. */
  readonly error: number
  readonly at: number
}

/** How wrong what is known may have become. */
const errorAt = ({ at, error }: Known, now: number): number => error + (now - at) * drift

/**
 * The better of what is known and what was told by an answer between two moments. Where both cannot be true, the clock of
 * the database was set, or it is another one.
 */
export const refined = (known: Known | null, told: number, before: number, after: number): Known => {
  const found: Known = { offset: told - (before + after) / 2, error: (after - before) / 2, at: after }
  if (known === null) return found
  const wrong = errorAt(known, after)
  return wrong < found.error && Math.abs(found.offset - known.offset) <= wrong + found.error ? known : found
}

const nanosInMilli = 1_000_000n

/** A clock that goes by `known`, and by the machine's as long as there is nothing. */
const following = (machine: Clock.Clock, known: () => Known | null): Clock.Clock => {
  const nanos = () => {
    const last = known()
    return last === null
      ? machine.currentTimeNanosUnsafe()
      : machine.monotonicTimeNanosUnsafe() + BigInt(Math.round(last.offset * 1e6))
  }
  const millis = () => Number(nanos() / nanosInMilli)
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration)
  }
}

/** Everything above it goes by the database's time. */
export const layer: Layer.Layer<never, never, Database.Pipeline> = Layer.effectContext(Effect.gen(function*() {
  const sql = yield* Database.Pipeline
  const machine = yield* Clock.Clock
  let known: Known | null = null

  const ask = Effect.gen(function*() {
    const before = MonotonicTime.millisOf(machine)
    const [row] = yield* sql<{ readonly now: number }>`
      SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now`
    if (row !== undefined) known = refined(known, row.now, before, MonotonicTime.millisOf(machine))
  })
  // The first answer waits for its connection; the second one does not.
  yield* Effect.ignore(Effect.andThen(ask, ask))
  yield* Effect.ignore(ask).pipe(Effect.delay(interval), Effect.forever, Effect.forkScoped)

  return Context.make(Clock.Clock, following(machine, () => known))
}))
