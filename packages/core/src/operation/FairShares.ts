/**
 * Shares a number of places between organizations, within this process: so many run at once in all, so many of each
 * organization, and what waits of different organizations is let in by turns.
 *
 * An organization that asks for more than its share waits behind itself. Whatever it does, another one finds a place as
 * soon as one of those that are not the first one's share is free. A place is given back however the work ends, and who
 * stops waiting leaves the line.
 */
import { Deferred, Effect, Exit } from "effect"

export interface Bounds {
  /** At once, of all organizations. */
  readonly inAll: number
  /** At once, of one organization. */
  readonly perOrganization: number
  /** Waiting, of one organization. */
  readonly waiting: number
}

/** How things stand, for tests. */
export interface Standing {
  readonly running: number
  readonly waiting: number
  readonly organizations: number
}

export interface FairShares {
  /** Runs `use` once there is a place for it, and `full` when the organization's line is full. */
  take<A, E, R, E2>(
    orgId: string,
    use: Effect.Effect<A, E, R>,
    full: Effect.Effect<never, E2>
  ): Effect.Effect<A, E | E2, R>
  readonly standing: () => Standing
}

interface Waiter {
  readonly entry: Deferred.Deferred<void>
  let: "in" | "wait"
}

interface Line {
  running: number
  readonly waiting: Array<Waiter>
}

export const make = ({ inAll, perOrganization, waiting }: Bounds): FairShares => {
  /** Of every organization that runs or waits for something; whose turn is next stands first. */
  const lines = new Map<string, Line>()
  let running = 0

  const lineOf = (orgId: string): Line => {
    const known = lines.get(orgId)
    if (known !== undefined) return known
    const line: Line = { running: 0, waiting: [] }
    lines.set(orgId, line)
    return line
  }

  /** Lets in whoever may run, an organization after the other. */
  const letIn = () => {
    for (let found = true; found && running < inAll;) {
      found = false
      for (const [orgId, line] of lines) {
        if (line.running >= perOrganization) continue
        const waiter = line.waiting.shift()
        if (waiter === undefined) continue
        waiter.let = "in"
        line.running++
        running++
        // It goes to the end of the line of organizations.
        lines.delete(orgId)
        lines.set(orgId, line)
        Deferred.doneUnsafe(waiter.entry, Exit.void)
        found = true
        break
      }
    }
  }

  const leave = (orgId: string, waiter: Waiter) => {
    const line = lineOf(orgId)
    if (waiter.let === "in") {
      line.running--
      running--
    } else {
      line.waiting.splice(line.waiting.indexOf(waiter), 1)
    }
    if (line.running === 0 && line.waiting.length === 0) lines.delete(orgId)
    letIn()
  }

  const enter = (orgId: string): Waiter | null => {
    const line = lineOf(orgId)
    const waiter: Waiter = { entry: Deferred.makeUnsafe<void>(), let: "wait" }
    line.waiting.push(waiter)
    letIn()
    if (waiter.let === "in" || line.waiting.length <= waiting) return waiter
    leave(orgId, waiter)
    return null
  }

  return {
    take: (orgId, use, full) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const waiter = enter(orgId)
          return waiter === null ? full : Effect.succeed(waiter)
        }),
        (waiter) => Effect.andThen(Deferred.await(waiter.entry), use),
        (waiter) => Effect.sync(() => leave(orgId, waiter))
      ),
    standing: () => ({
      running,
      waiting: [...lines.values()].reduce((sum, line) => sum + line.waiting.length, 0),
      organizations: lines.size
    })
  }
}
