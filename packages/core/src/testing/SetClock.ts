/** A clock whose time of the day is what a test says, as one that is set or is another host's. */
import { type Clock, Effect } from "effect"

/** The time is what `millis` answers; waiting and measuring take as long as ever. */
export const setClock = (running: Clock.Clock, millis: () => number): Clock.Clock => {
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => running.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: running.monotonicTimeNanos,
    sleep: (duration) => running.sleep(duration)
  }
}
