/**
 * Records how deliveries ended, many at a time, in the order in which they did.
 *
 * Where somebody else is changing what belongs to an organization, or something is wrong with it, its outcomes wait apart, in their
 * order, and those of the others go on. They are as many as the worker holds, at most.
 */
import type { AttemptRecord } from "@freehold/core/webhook/Deliveries"
import { Array as Arr, type Cause, Duration, Effect, FiberSet, Queue, Result, Semaphore } from "effect"

/** So many outcomes are recorded at once; fewer wait a moment for others. */
const batch = 100
const after = Duration.millis(5)
/** So many organizations that are waited for are tried at once, each after a pause that doubles while something of it is left. */
const triedAtOnce = 2
const firstPause = Duration.millis(100)
const longestPause = Duration.seconds(5)

export interface Recording {
  readonly outcomes: Queue.Queue<AttemptRecord, Cause.Done>
  /** Answers those that are to be recorded again by themselves, as `Deliveries.complete` does. */
  readonly complete: (records: ReadonlyArray<AttemptRecord>) => Effect.Effect<ReadonlyArray<AttemptRecord>>
  /** Is told how many were recorded. */
  readonly recorded: (count: number) => void
}

/** Records until the queue ends and all that it held is recorded. */
export const run = Effect.fnUntraced(function*({ complete, outcomes, recorded }: Recording) {
  /** By organization that is waited for, the oldest first. */
  const apart = new Map<string, ReadonlyArray<AttemptRecord>>()
  const turns = yield* Semaphore.make(triedAtOnce)
  const waiting = yield* FiberSet.make<void>()

  /** Answers those that are left. */
  const record = Effect.fnUntraced(function*(records: ReadonlyArray<AttemptRecord>) {
    const left = yield* complete(records)
    recorded(records.length - left.length)
    return left
  })

  const tryOn = Effect.fnUntraced(function*(orgId: string) {
    let pause = firstPause
    while (true) {
      yield* Effect.sleep(pause)
      const records = apart.get(orgId) ?? []
      if (records.length === 0) break
      apart.set(orgId, [])
      const left = yield* turns.withPermit(record(records))
      apart.set(orgId, [...left, ...apart.get(orgId) ?? []])
      // Who is no longer held up is recorded as fast as others, even where there is always more.
      pause = left.length === 0
        ? after
        : Duration.clamp(Duration.times(pause, 2), { minimum: firstPause, maximum: longestPause })
    }
    apart.delete(orgId)
  })

  const setApart = (records: ReadonlyArray<AttemptRecord>) =>
    Effect.forEach(Object.entries(Arr.groupBy(records, ({ orgId }) => orgId)), ([orgId, some]) => {
      const before = apart.get(orgId)
      apart.set(orgId, [...before ?? [], ...some])
      return before === undefined ? FiberSet.run(waiting, tryOn(orgId)) : Effect.void
    }, { discard: true })

  const next = Effect.gen(function*() {
    const first = yield* Queue.take(outcomes)
    if (Queue.sizeUnsafe(outcomes) < batch) yield* Effect.sleep(after)
    const [free, late] = Arr.partition(
      [first, ...yield* Queue.clear(outcomes)],
      (each) => apart.has(each.orgId) ? Result.fail(each) : Result.succeed(each)
    )
    yield* setApart(late)
    if (free.length > 0) yield* setApart(yield* record(free))
  })

  yield* Effect.catchTag(Effect.forever(next), "Done", () => FiberSet.awaitEmpty(waiting))
}, Effect.scoped)
