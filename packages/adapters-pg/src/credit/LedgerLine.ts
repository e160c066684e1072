/**
 * The calls of this process on each organization's ledger, in line: those that wait together are worked on together.
 *
 * A round works on the first of a line, one round at a time, so that an organization has at most one of the process's
 * connections and never stands in the way of others. What a round leaves is first in the next one. An item that a call
 * works on is in progress until that call ends, however it ends; where whoever waited went away, until its round ends.
 *
 * *Gotchas*
 *
 * - A round is done in the name of several calls: it goes on while anybody waits for one of them, and who goes away
 *   meanwhile is not told what became of theirs, which may be charged. Who goes away last ends it, and waits until it has ended.
 * - It runs in the context of its first call, and under nobody's deadline.
 */
import * as Deadline from "@freehold/core/load/Deadline"
import { type Cause, type Context, Effect, Exit, Fiber } from "effect"

export interface Call<Failure> {
  readonly orgId: string
  /** What no other call works on meanwhile; null: nothing. */
  readonly item: string | null
  /** Of whoever waits for it. */
  readonly context: Context.Context<never>
  /** It was told, or nobody waits for it any more. */
  isOver: boolean
  /** Tells that another call works on its item. Telling never throws. */
  readonly refuse: () => void
  readonly fail: (cause: Cause.Cause<Failure>) => void
}

/** What is worked on together. */
export interface Round<Each, Memory> {
  readonly calls: ReadonlyArray<Each>
  /** Lets those join that have come meanwhile, as far as there is room; answers with them. */
  readonly join: () => ReadonlyArray<Each>
  /** The calls that come next. */
  readonly behind: () => ReadonlyArray<Each>
  readonly memory: Memory
}

interface Line<Each, Memory> {
  /** First come, first served. */
  readonly waiting: Array<Each>
  /** What the round under way works on. */
  underWay: ReadonlyArray<Each>
  working: Fiber.Fiber<void, unknown> | null
  readonly memory: Memory
}

/**
 * `work` is done on the first calls of a line: it tells each that it ends, and ends at least one. `atMost`: calls of a
 * round, and of those behind. `remember`: what one round leaves for the next, for as long as anybody waits.
 */
export const make = <Failure, Each extends Call<Failure>, Memory>(
  work: (round: Round<Each, Memory>) => Effect.Effect<void, Failure>,
  { atMost, remember }: { readonly atMost: number; readonly remember: () => Memory }
) => {
  /** By organization and item. */
  const inProgress = new Map<string, Each>()
  const lines = new Map<string, Line<Each, Memory>>()

  const release = (call: Each): void => {
    const key = `${call.orgId} ${call.item}`
    if (inProgress.get(key) === call) inProgress.delete(key)
  }

  const workOn = (orgId: string, line: Line<Each, Memory>): void => {
    const calls = line.waiting.splice(0, atMost)
    const [first] = calls
    if (first === undefined) {
      lines.delete(orgId)
      return
    }
    line.underWay = calls
    const round: Round<Each, Memory> = {
      calls,
      join: () => {
        const joining = line.waiting.splice(0, atMost - calls.length)
        calls.push(...joining)
        return joining
      },
      behind: () => line.waiting.slice(0, atMost),
      memory: line.memory
    }
    const working = Effect.runForkWith(first.context)(Deadline.outside(Effect.suspend(() => work(round))))
    line.working = working
    working.addObserver((exit) => {
      line.working = null
      line.underWay = []
      if (Exit.isFailure(exit)) {
        for (const call of calls) {
          if (!call.isOver) call.fail(exit.cause)
        }
      }
      for (const call of calls) {
        if (call.isOver) release(call)
      }
      line.waiting.unshift(...calls.filter(({ isOver }) => !isOver))
      workOn(orgId, line)
    })
  }

  const enter = (call: Each): void => {
    const { item, orgId } = call
    const key = `${orgId} ${item}`
    if (item !== null && inProgress.has(key)) {
      call.refuse()
      return
    }
    if (item !== null) inProgress.set(key, call)
    const known = lines.get(orgId)
    if (known !== undefined) {
      known.waiting.push(call)
      return
    }
    const line: Line<Each, Memory> = { waiting: [call], underWay: [], working: null, memory: remember() }
    lines.set(orgId, line)
    workOn(orgId, line)
  }

  const leave = (call: Each): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (call.isOver) {
        release(call)
        return Effect.void
      }
      call.isOver = true
      const line = lines.get(call.orgId)
      const place = line?.waiting.indexOf(call) ?? -1
      if (place >= 0) {
        line?.waiting.splice(place, 1)
        release(call)
        return Effect.void
      }
      const working = line?.underWay.every(({ isOver }) => isOver) === true ? line.working : null
      return working === null ? Effect.void : Fiber.interrupt(working)
    })

  return {
    /** Puts the call in its organization's line, and answers with what it is told. */
    take: <A, E>(call: Each, told: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.ensuring(
        Effect.suspend(() => {
          enter(call)
          return told
        }),
        leave(call)
      )
  }
}
