/**
 * Level 1: fixed 60-second windows that start at a key's first request, and the ceiling of a UTC day.
 *
 * A refused request neither lengthens the wait nor counts towards the day. The limit is a fact of the moment: it is
 * given at each request, never stored with the window. service-api "Level 1", decisions section 19.
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

/** Counts one request at `now`. */
export const count = (
  window: RateWindow | undefined,
  limit: number,
  now: number
): { readonly window: RateWindow; readonly counted: Counted } => {
  const running = window === undefined || now >= window.startedAt + windowMillis
    ? { startedAt: now, count: 0 }
    : window
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
