/**
 * Shares a number of places between organizations, within this process: so many run at once in all, so many of each
 * organization, and what waits of different organizations is let in by turns.
 *
 * An organization that asks for more than its share waits behind itself. Whatever it does, another one finds a place as
 * soon as one of those that are not the first one's share is free. A place is given back however the work ends, and who
 * stops waiting leaves the line.
 *
 * An organization whose work never ends has only a part of the time of its places: after each piece of work the place rests
 * before the next one of the same organization, as long as the work took (`rest` times that). So the processors are free
 * for others as much as they are busy with it. Who comes when nothing of it waits does not notice.
 */
import { Clock, Deferred, Duration, Effect, Exit } from "effect"

/**
 * The least that a place rests whose work was given up, whatever waits: to end a statement costs the database as much as
 * many short ones, and who asks and goes away at once would cost it that each time.
 */
export const restOfInterrupted = Duration.millis(100)

/** No place rests longer, so that one slow request does not keep an organization's others out for long. */
export const longestRest = Duration.seconds(1)

export interface Bounds {
  /** At once, of all organizations. */
  readonly inAll: number
  /** At once, of one organization. */
  readonly perOrganization: number
  /** Waiting, of one organization. */
  readonly waiting: number
  /** How long a place rests before the organization's next work in line, in times of what the last one took. */
  readonly rest: number
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
  /** When it began, in nanoseconds; null: not yet. */
  since: bigint | null
}

interface Line {
  /** Places that are taken, or rest. */
  occupied: number
  readonly waiting: Array<Waiter>
}

export const make = ({ inAll, perOrganization, rest, waiting }: Bounds): FairShares => {
  /** Of every organization that runs or waits for something; whose turn is next stands first. */
  const lines = new Map<string, Line>()
  let running = 0

  const lineOf = (orgId: string): Line => {
    const known = lines.get(orgId)
    if (known !== undefined) return known
    const line: Line = { occupied: 0, waiting: [] }
    lines.set(orgId, line)
    return line
  }

  /** Lets in whoever may run, an organization after the other. */
  const letIn = () => {
    for (let found = true; found && running < inAll;) {
      found = false
      for (const [orgId, line] of lines) {
        if (line.occupied >= perOrganization) continue
        const waiter = line.waiting.shift()
        if (waiter === undefined) continue
        waiter.let = "in"
        line.occupied++
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

  const forget = (orgId: string, { occupied, waiting }: Line) => {
    if (occupied === 0 && waiting.length === 0) lines.delete(orgId)
  }

  const giveUp = (orgId: string, waiter: Waiter) => {
    const line = lineOf(orgId)
    line.waiting.splice(line.waiting.indexOf(waiter), 1)
    forget(orgId, line)
    letIn()
  }

  const free = (orgId: string) => {
    const line = lineOf(orgId)
    line.occupied--
    forget(orgId, line)
    letIn()
  }

  /** The place of work that ran for `busy` nanoseconds is others' at once, and the organization's after its rest. */
  const leave = (orgId: string, busy: bigint, interrupted: boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      running--
      const asLong = Duration.times(Duration.nanos(busy), rest)
      const pause = Duration.min(interrupted ? Duration.max(asLong, restOfInterrupted) : asLong, longestRest)
      if (rest === 0 || !interrupted && lineOf(orgId).waiting.length === 0) {
        free(orgId)
        return Effect.void
      }
      letIn()
      const rested = Effect.andThen(Effect.sleep(pause), Effect.sync(() => free(orgId)))
      return Effect.asVoid(Effect.forkDetach(rested))
    })

  const enter = (orgId: string): Waiter | null => {
    const line = lineOf(orgId)
    const waiter: Waiter = { entry: Deferred.makeUnsafe<void>(), let: "wait", since: null }
    line.waiting.push(waiter)
    letIn()
    if (waiter.let === "in" || line.waiting.length <= waiting) return waiter
    giveUp(orgId, waiter)
    return null
  }

  return {
    take: (orgId, use, full) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const waiter = enter(orgId)
          return waiter === null ? full : Effect.succeed(waiter)
        }),
        (waiter) =>
          Deferred.await(waiter.entry).pipe(
            Effect.andThen(Clock.currentTimeNanos),
            Effect.andThen((now) => {
              waiter.since = now
              return use
            })
          ),
        (waiter, exit) =>
          waiter.let === "in"
            ? Effect.flatMap(
              Clock.currentTimeNanos,
              (now) => leave(orgId, now - (waiter.since ?? now), Exit.hasInterrupts(exit))
            )
            : Effect.sync(() => giveUp(orgId, waiter))
      ),
    standing: () => ({
      running,
      waiting: [...lines.values()].reduce((sum, line) => sum + line.waiting.length, 0),
      organizations: lines.size
    })
  }
}
