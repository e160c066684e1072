/** How busy the one thread of this process is. */
import { performance } from "node:perf_hooks"

/** Milliseconds of which it is told. */
const moment = 100

let seen = performance.eventLoopUtilization()
let since = performance.now()
let share = 0

/** In which part of the last moment that is over it was busy, or ready and without a processor; 0 to 1. */
export const busy = (): number => {
  const now = performance.now()
  if (now - since < moment) return share
  const current = performance.eventLoopUtilization()
  share = performance.eventLoopUtilization(current, seen).utilization
  seen = current
  since = now
  return share
}
