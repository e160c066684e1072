/**
 * The windows of this process, by whatever they count. The table is bounded: when it is full the oldest windows are dropped first,
 * which can only let a request through.
 */
import { count, type Counted, type RateWindow, runs } from "./RateWindow.ts"

export interface WindowTable {
  /** Counts one request at `now`. */
  readonly count: (key: string, limit: number, now: number) => Counted
}

/** Remembers so many at once. */
export const make = (maximum: number): WindowTable => {
  const windows = new Map<string, RateWindow>()
  const makeRoom = (now: number) => {
    if (windows.size < maximum) return
    for (const [key, window] of windows) {
      if (windows.size < maximum && runs(window, now)) return
      windows.delete(key)
    }
  }
  return {
    count: (key, limit, now) => {
      const previous = windows.get(key)
      const { counted, window } = count(previous, limit, now)
      if (previous === undefined) makeRoom(now)
      if (previous === undefined || previous.startedAt !== window.startedAt) windows.delete(key)
      windows.set(key, window)
      return counted
    }
  }
}
