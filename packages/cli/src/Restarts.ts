/**
 * When a process that died is started again: soon at first, later each time, and not at all once it has become the rule. A
 * process that cannot live should end what it is part of, so that whoever looks after that hears of it.
 */
import { Duration } from "effect"

/** Ends older than that are forgotten. */
const memoryMillis = 60_000

/** So many within the memory are too many. */
export const mostEnds = 5

const first = Duration.millis(250)

const longest = Duration.seconds(10)

/** The moments of the last ends, in milliseconds of any clock that goes on. */
export type Ends = ReadonlyArray<number>

/** What to do after one more end: wait so long and start again, or give up. */
export const after = (
  before: Ends,
  now: number
): { readonly ends: Ends; readonly wait: Duration.Duration | null } => {
  const ends = [...before.filter((end) => now - end < memoryMillis), now]
  if (ends.length >= mostEnds) return { ends, wait: null }
  return { ends, wait: Duration.min(Duration.times(first, 2 ** (ends.length - 1)), longest) }
}
