/**
 * Takes the calls of one process on each organization's ledger in turn, first come, first served.
 *
 * An item that a call works on is in progress until that call ends, however it ends: success, refusal, defect or
 * interruption. While a call has its turn, the others of its organization wait here, before they take anything that other
 * organizations need too (a database connection, say).
 */
import { Deferred, Effect, Exit } from "effect"
import { ActionInProgress } from "./CreditRefusals.ts"

export interface Turns {
  /** Runs `use` in its turn; with `item`, refuses at once while another call works on the same item. */
  take<A, E, R>(
    call: { readonly orgId: string; readonly item: string | null },
    use: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ActionInProgress, R>
}

type Waiter = Deferred.Deferred<void>

export const make = (): Turns => {
  const inProgress = new Set<string>()
  /** Whoever has the turn comes first. */
  const lines = new Map<string, Array<Waiter>>()

  const enter = (orgId: string): Waiter => {
    const waiter = Deferred.makeUnsafe<void>()
    const line = lines.get(orgId)
    if (line === undefined) {
      lines.set(orgId, [waiter])
      Deferred.doneUnsafe(waiter, Exit.void)
    } else line.push(waiter)
    return waiter
  }
  const leave = (orgId: string, waiter: Waiter): void => {
    const line = lines.get(orgId) ?? []
    const place = line.indexOf(waiter)
    line.splice(place, 1)
    const [first] = line
    if (first === undefined) lines.delete(orgId)
    else if (place === 0) Deferred.doneUnsafe(first, Exit.void)
  }

  return {
    take: ({ item, orgId }, use) => {
      const key = item === null ? null : `${orgId} ${item}`
      return Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (key !== null && inProgress.has(key)) return Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
          if (key !== null) inProgress.add(key)
          return Effect.succeed(enter(orgId))
        }),
        (waiter) => Effect.andThen(Deferred.await(waiter), use),
        (waiter) =>
          Effect.sync(() => {
            if (key !== null) inProgress.delete(key)
            leave(orgId, waiter)
          })
      )
    }
  }
}
