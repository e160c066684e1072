/**
 * Shares a number of places between organizations, within this process: so many run at once in all, so many of each
 * organization, and what waits of different organizations is let in by turns.
 *
 * An organization that asks for more than its share waits behind itself. Whatever it does, another one finds a place as
 * soon as one of those that are not the first one's share is free. A place is given back however the work ends, and who
 * stops waiting leaves the line.
 *
 * While others are there, the busiest organization (`Usage`) has only a part of the time of its places: after each piece of
 * work the place rests before the next one in its line, as long as the work took (`rest` times that). So the processors are
 * free for others as much as they are busy with it. Who is not the busiest, is alone or has nothing in line does not notice.
 * And whoever is beside a busier one has more places (`besideBusier`): all that it does takes longer then, so that the places
 * that it needs otherwise would not do. Who has a long line, or came a moment ago, has no more for it: what it used until now
 * does not tell what it will.
 */
import { Clock, Context, Deferred, Duration, Effect, Exit } from "effect"
import { millisOf } from "../operation/MonotonicTime.ts"
import * as Usage from "./Usage.ts"

/**
 * How long a place rests whose work was given up, whatever waits and whoever is there, once an organization has given up
 * `freeInterruptions` within a second: to end a statement costs the database as much as many short ones. Somebody who
 * searches while typing gives up one with each key.
 */
export const restOfInterrupted = Duration.millis(100)

export const freeInterruptions = 20

/** So many wait in the line of somebody who uses the service as people and programs do, also when all is slow. */
export const modestLine = 24

/** No place rests longer, so that one slow request does not keep an organization's others out for long. */
export const longestRest = Duration.seconds(1)

export interface Bounds {
  /** At once, of all organizations. */
  readonly inAll: number
  /** At once, of one organization. */
  readonly perOrganization: number
  /** At once, of one organization while a busier one is there. */
  readonly besideBusier: number
  /** Waiting, of one organization. */
  readonly waiting: number
  /** How long a place rests before the organization's next work in line, in times of what the last one took. */
  readonly rest: number
}

/** How things stand. */
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
  /** Places of the organization that are taken, or rest. */
  readonly occupiedBy: (orgId: string) => number
}

interface Waiter {
  readonly entry: Deferred.Deferred<void>
  /** When it began, in monotonic milliseconds; null: not yet. */
  since: number | null
  /** Whether it had to wait, which its organization's use tells. */
  isQueued: boolean
}

interface Line {
  /** Places that are taken, or rest. */
  occupied: number
  /** What was given up within the last second. */
  interrupted: number
  readonly waiting: Array<Waiter>
}

/** Those of one process share their `usage`. */
export const make = (
  { besideBusier, inAll, perOrganization, rest, waiting }: Bounds,
  usage: Usage.Usage = Usage.make()
): FairShares => {
  /** Of every organization that runs or waits for something; whose turn is next stands first. */
  const lines = new Map<string, Line>()
  let running = 0
  /** In all lines. */
  let queued = 0

  const lineOf = (orgId: string): Line => {
    const known = lines.get(orgId)
    if (known !== undefined) return known
    const line: Line = { occupied: 0, interrupted: 0, waiting: [] }
    lines.set(orgId, line)
    return line
  }

  const hasPlace = (orgId: string, { occupied, waiting }: Line, now: number): boolean =>
    occupied < perOrganization ||
    occupied < besideBusier && waiting.length <= modestLine && usage.isSettled(orgId, now) &&
      usage.hasBusier(orgId, now)

  /** Lets in whoever may run, an organization after the other. */
  const letIn = (now: number) => {
    for (let found = true; found && queued > 0 && running < inAll;) {
      found = false
      for (const [orgId, line] of lines) {
        const [waiter] = line.waiting
        if (waiter === undefined || !hasPlace(orgId, line, now)) continue
        line.waiting.shift()
        queued--
        if (waiter.isQueued) usage.wait(orgId, -1, now)
        waiter.since = now
        usage.begin(orgId, now)
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

  const forget = (orgId: string, { interrupted, occupied, waiting }: Line) => {
    if (occupied + interrupted + waiting.length === 0) lines.delete(orgId)
  }

  const giveUp = (orgId: string, waiter: Waiter, now: number) => {
    const line = lineOf(orgId)
    line.waiting.splice(line.waiting.indexOf(waiter), 1)
    queued--
    if (waiter.isQueued) usage.wait(orgId, -1, now)
    forget(orgId, line)
    letIn(now)
  }

  const free = (orgId: string, now: number) => {
    const line = lineOf(orgId)
    line.occupied--
    forget(orgId, line)
    letIn(now)
  }

  /** Remembers for a second that work was given up. */
  const noteInterruption = (orgId: string): Effect.Effect<unknown> =>
    Effect.suspend(() => {
      const line = lineOf(orgId)
      line.interrupted++
      return Effect.forkDetach(Effect.andThen(
        Effect.sleep("1 second"),
        Effect.sync(() => {
          line.interrupted--
          forget(orgId, line)
        })
      ))
    })

  const hasToRest = (orgId: string, now: number): boolean =>
    lineOf(orgId).waiting.length > 0 && usage.hasCompany(orgId, now) && !usage.hasBusier(orgId, now)

  /** How many milliseconds a place rests after work that took `busy` and ended at `now`. */
  const pauseOf = (orgId: string, busy: number, interrupted: boolean, now: number): number => {
    const tooOften = interrupted && lineOf(orgId).interrupted > freeInterruptions
    const asLong = hasToRest(orgId, now) ? busy * rest : 0
    return Math.min(
      Math.max(asLong, tooOften ? Duration.toMillis(restOfInterrupted) : 0),
      Duration.toMillis(longestRest)
    )
  }

  /** The place of work that began at `since` is others' at once, and the organization's after its rest. */
  const leave = (
    orgId: string,
    since: number,
    interrupted: boolean,
    clock: Clock.Clock
  ): Effect.Effect<void> | undefined => {
    const now = millisOf(clock)
    running--
    usage.end(orgId, since, now)
    return rest > 0 && interrupted
      ? Effect.andThen(
        noteInterruption(orgId),
        Effect.suspend(() => leaveAfter(orgId, since, true, now, clock) ?? Effect.void)
      )
      : leaveAfter(orgId, since, false, now, clock)
  }

  /** Nothing is left to do where the place does not rest. */
  const leaveAfter = (
    orgId: string,
    since: number,
    interrupted: boolean,
    now: number,
    clock: Clock.Clock
  ): Effect.Effect<void> | undefined => {
    const pause = rest === 0 ? 0 : pauseOf(orgId, now - since, interrupted, now)
    if (pause === 0) {
      free(orgId, now)
      return undefined
    }
    letIn(now)
    const rested = Effect.andThen(Effect.sleep(pause), Effect.sync(() => free(orgId, millisOf(clock))))
    return Effect.asVoid(Effect.forkDetach(rested))
  }

  const enter = (orgId: string, now: number): Waiter | null => {
    const line = lineOf(orgId)
    const waiter: Waiter = { entry: Deferred.makeUnsafe<void>(), since: null, isQueued: false }
    line.waiting.push(waiter)
    queued++
    letIn(now)
    if (waiter.since !== null) return waiter
    if (line.waiting.length > waiting) {
      giveUp(orgId, waiter, now)
      return null
    }
    waiter.isQueued = true
    usage.wait(orgId, 1, now)
    return waiter
  }

  return {
    // What is released is known from the moment at which something was entered: every request does this, so it is few effects.
    take: <A, E, R, E2>(orgId: string, use: Effect.Effect<A, E, R>, full: Effect.Effect<never, E2>) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const clock = Context.get(context, Clock.Clock)
        let waiter: Waiter | null = null
        const entered = Effect.suspend((): Effect.Effect<A, E | E2, R> => {
          waiter = enter(orgId, millisOf(clock))
          if (waiter === null) return full
          return waiter.since === null ? Effect.andThen(Deferred.await(waiter.entry), use) : use
        })
        return Effect.onExitPrimitive(entered, (exit) => {
          if (waiter === null) return undefined
          if (waiter.since !== null) return leave(orgId, waiter.since, Exit.hasInterrupts(exit), clock)
          giveUp(orgId, waiter, millisOf(clock))
          return undefined
        })
      }),
    occupiedBy: (orgId) => lines.get(orgId)?.occupied ?? 0,
    standing: () => ({
      running,
      waiting: [...lines.values()].reduce((sum, line) => sum + line.waiting.length, 0),
      organizations: lines.size
    })
  }
}
