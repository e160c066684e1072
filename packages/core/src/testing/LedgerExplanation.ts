/**
 * Explains what simultaneous calls answered: some order of them, one at a time, in which the model says the same.
 *
 * Up to six calls are 720 orders at most. A call that had ended before another began comes before it in every order
 * that is tried, so an explanation is a linearization. ACTION_IN_PROGRESS changes nothing and may stand anywhere, but
 * only for a call that overlapped another one of the same item that was let through.
 */
import { Predicate } from "effect"
import { type Answer, type Call, itemOf, type ModelState, step } from "./LedgerModel.ts"

/** One call of a batch. `began` and `ended` are places in one sequence of all beginnings and ends. */
export interface Observed {
  readonly call: Call
  readonly answer: Answer
  readonly began: number
  readonly ended: number
}

export interface Explanation {
  /** The state after the calls; null: no order explains them. */
  readonly state: ModelState | null
  /** Orders that were tried to their end or to the first wrong answer. */
  readonly tried: number
}

const inProgress = "ACTION_IN_PROGRESS"

/** The same text for values that differ in the order of their keys alone. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    Predicate.isObject(part) && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => left < right ? -1 : 1))
      : part)

const overlap = (left: Observed, right: Observed): boolean => left.began < right.ended && right.began < left.ended

/** Whether the first call was over when the second began. */
const precedes = (first: Observed, second: Observed): boolean => first.ended < second.began

const hasLeader = (follower: Observed, batch: ReadonlyArray<Observed>): boolean => {
  const item = itemOf(follower.call)
  return item !== null &&
    batch.some((other) =>
      other !== follower && other.answer.code !== inProgress && itemOf(other.call) === item && overlap(follower, other)
    )
}

/** `isFinal` says whether a state is the one that was found after the batch. */
export const explain = (
  state: ModelState,
  batch: ReadonlyArray<Observed>,
  isFinal: (state: ModelState) => boolean
): Explanation => {
  const refused = batch.filter(({ answer }) => answer.code === inProgress)
  if (refused.some((follower) => !hasLeader(follower, batch))) return { state: null, tried: 0 }
  let tried = 0
  const search = (current: ModelState, left: ReadonlyArray<Observed>): ModelState | null => {
    if (left.length === 0) {
      tried += 1
      return isFinal(current) ? current : null
    }
    for (const each of left) {
      if (left.some((other) => precedes(other, each))) continue
      const [next, answer] = step(current, each.call)
      if (canonical(answer) !== canonical(each.answer)) {
        tried += 1
        continue
      }
      const found = search(next, left.filter((other) => other !== each))
      if (found !== null) return found
    }
    return null
  }
  return { state: search(state, batch.filter(({ answer }) => answer.code !== inProgress)), tried }
}
