/**
 * Takes the calls of one process on each organization's ledger in turn.
 *
 * An item that a call works on is in progress until that call ends, however it ends: success, refusal, defect or
 * interruption. Beyond `atOnce` calls of one organization the others wait here, before they take anything that other
 * organizations need too (a database connection, say).
 */
import { Effect, Semaphore } from "effect"
import { ActionInProgress } from "./CreditRefusals.ts"

export interface Turns {
  /** Runs the effect in its turn; with `item`, refuses at once while another call works on the same item. */
  take<A, E, R>(
    orgId: string,
    item: string | null,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ActionInProgress, R>
}

interface Line {
  readonly semaphore: Semaphore.Semaphore
  waiting: number
}

export const make = (atOnce: number): Turns => {
  const inProgress = new Set<string>()
  const lines = new Map<string, Line>()

  const enter = (orgId: string): Line => {
    const line = lines.get(orgId) ?? { semaphore: Semaphore.makeUnsafe(atOnce), waiting: 0 }
    line.waiting += 1
    lines.set(orgId, line)
    return line
  }
  const leave = (orgId: string, line: Line): void => {
    line.waiting -= 1
    if (line.waiting === 0) lines.delete(orgId)
  }

  return {
    take: (orgId, item, effect) => {
      const key = item === null ? null : `${orgId} ${item}`
      return Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (key !== null && inProgress.has(key)) return Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
          if (key !== null) inProgress.add(key)
          return Effect.succeed(enter(orgId))
        }),
        (line) => line.semaphore.withPermit(effect),
        (line) =>
          Effect.sync(() => {
            if (key !== null) inProgress.delete(key)
            leave(orgId, line)
          })
      )
    }
  }
}
