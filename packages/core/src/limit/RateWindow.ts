/**
 * Level 1: fixed 60-second windows that start at a key's first request, and the ceiling of a UTC day.
 *
 * A refused request neither lengthens the wait nor counts towards the day. The limit is a fact of the moment: it is
 * given at each request, never stored with the window. service-api "Level 1", decisions section 19.
 *
 * *Gotchas.* Requests of one key arrive with the clocks of several processes, and not quite in their order, so a window may
 * begin a little in a request's future and runs all the same. One that begins further ahead than it is long was begun
 * before a clock was set back, and ends.
 */

export const windowMillis = 60_000

/** One key's running window. `count` is the number of admitted requests. */
export interface RateWindow {
  readonly startedAt: number
  readonly count: number
}

/** What a counter says after a request. Times are milliseconds since the epoch. */
export interface Counted {
  readonly admitted: boolean
  readonly limit: number
  /** Requests counted in this window, this one included when admitted. */
  readonly used: number
  readonly resetsAt: number
}

/** Whether the window has neither ended at `now` nor begins too far ahead of it. */
export const runs = ({ startedAt }: RateWindow, now: number): boolean =>
  now < startedAt + windowMillis && now >= startedAt - windowMillis

/** Counts one request at `now`. */
export const count = (
  window: RateWindow | undefined,
  limit: number,
  now: number
): { readonly window: RateWindow; readonly counted: Counted } => {
  const running = window !== undefined && runs(window, now) ? window : { startedAt: now, count: 0 }
  const admitted = running.count < limit
  const next = admitted ? { ...running, count: running.count + 1 } : running
  return {
    window: next,
    counted: { admitted, limit, used: next.count, resetsAt: running.startedAt + windowMillis }
  }
}

/** The next midnight UTC after `now`. */
export const nextMidnight = (now: number): number => (Math.floor(now / 86_400_000) + 1) * 86_400_000

/** Whole seconds to wait until `resetsAt`, at least one. */
export const secondsUntil = (resetsAt: number, now: number): number => Math.max(1, Math.ceil((resetsAt - now) / 1000))
