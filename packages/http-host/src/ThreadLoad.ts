/** How busy the one thread of this process is, and how long it has to do with a piece of work. */
import { performance } from "node:perf_hooks"

/** Milliseconds of which it is told. */
const moment = 25

let seen = performance.eventLoopUtilization()
let since = performance.now()
/** Pieces that began since then. */
let begun = 0
let share = 0
let each = 0

const look = (): void => {
  const now = performance.now()
  if (now - since < moment) return
  const current = performance.eventLoopUtilization()
  share = performance.eventLoopUtilization(current, seen).utilization
  each = share * (now - since) / Math.max(1, begun)
  seen = current
  since = now
  begun = 0
}

/** In which part of the last moment that is over it was busy, or ready and without a processor; 0 to 1. */
export const busy = (): number => {
  look()
  return share
}

/** A piece of a client's work begins. */
export const begin = (): void => {
  begun++
}

/** Milliseconds of the thread for each piece that began in that moment, with all that followed from them. */
export const millisOfPiece = (): number => {
  look()
  return each
}
