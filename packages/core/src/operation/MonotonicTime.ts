/**
 * The time of the clock that nobody sets. What is measured within a process (how long something took, how long to wait, who used
 * how much of late) goes by it: the time of the day may step, and is the database's in some places and the machine's in others.
 */
import { Clock, Effect } from "effect"

/** Milliseconds since some moment before the process began, with their fractions. */
export const millisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** Those of the clock that is provided. */
export const millis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
