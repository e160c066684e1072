/**
 * Takes the calls of one process on each organization's ledger in turn, first come, first served.
 *
 * An item that a call works on is in progress until that call ends, however it ends: success, refusal, defect or
 * interruption. While a call has its turn, the others of its organization wait here, before they take anything that other
 * organizations need too (a database connection, say). Whoever has the turn may bring the next one in line what that one
 * asks for.
 */
import { Deferred, Effect, Exit } from "effect"
import { ActionInProgress } from "./CreditRefusals.ts"

/** The call behind the one that has the turn. */
export interface Follower<Question, Answer> {
  readonly asks: Question
  readonly bring: (answer: Answer) => void
}

export interface Turn<Question, Answer> {
  /** What the call before brought; null: nothing. */
  readonly brought: Answer | null
  /** null: nobody waits at this moment. */
  readonly next: () => Follower<Question, Answer> | null
}

export interface Turns<Question, Answer> {
  /** Runs `use` in its turn; with `item`, refuses at once while another call works on the same item. */
  take<A, E, R>(
    call: { readonly orgId: string; readonly item: string | null; readonly asks: Question },
    use: (turn: Turn<Question, Answer>) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ActionInProgress, R>
}

interface Waiter<Question, Answer> {
  readonly asks: Question
  readonly turn: Deferred.Deferred<void>
  brought: Answer | null
}

export const make = <Question, Answer>(): Turns<Question, Answer> => {
  const inProgress = new Set<string>()
  /** Whoever has the turn comes first. */
  const lines = new Map<string, Array<Waiter<Question, Answer>>>()

  const enter = (orgId: string, asks: Question): Waiter<Question, Answer> => {
    const waiter = { asks, turn: Deferred.makeUnsafe<void>(), brought: null }
    const line = lines.get(orgId)
    if (line === undefined) {
      lines.set(orgId, [waiter])
      Deferred.doneUnsafe(waiter.turn, Exit.void)
    } else line.push(waiter)
    return waiter
  }
  const leave = (orgId: string, waiter: Waiter<Question, Answer>): void => {
    const line = lines.get(orgId) ?? []
    const place = line.indexOf(waiter)
    line.splice(place, 1)
    const [first] = line
    if (first === undefined) lines.delete(orgId)
    else if (place === 0) Deferred.doneUnsafe(first.turn, Exit.void)
  }
  const followerOf = (orgId: string): Follower<Question, Answer> | null => {
    const waiter = lines.get(orgId)?.[1]
    return waiter === undefined ? null : {
      asks: waiter.asks,
      bring: (answer) => {
        waiter.brought = answer
      }
    }
  }

  return {
    take: ({ asks, item, orgId }, use) => {
      const key = item === null ? null : `${orgId} ${item}`
      return Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (key !== null && inProgress.has(key)) return Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
          if (key !== null) inProgress.add(key)
          return Effect.succeed(enter(orgId, asks))
        }),
        (waiter) =>
          Effect.flatMap(
            Deferred.await(waiter.turn),
            () => use({ brought: waiter.brought, next: () => followerOf(orgId) })
          ),
        (waiter) =>
          Effect.sync(() => {
            if (key !== null) inProgress.delete(key)
            leave(orgId, waiter)
          })
      )
    }
  }
}
