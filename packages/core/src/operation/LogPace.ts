/** Lines of one kind that many calls can cause at once: so many a second are logged, and the next one tells of the others. */
import { Clock, Effect } from "effect"

/** Lines a second that a person can still look through. */
const usual = 10

export const make = (most = usual) => {
  let second = 0
  let told = 0
  let leftOut = 0

  return (line: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const current = Math.floor(now / 1000)
      if (current !== second) {
        second = current
        told = 0
      }
      if (told === most) {
        leftOut++
        return Effect.void
      }
      told++
      if (leftOut === 0) return line
      const left_out = leftOut
      leftOut = 0
      return Effect.annotateLogs(line, { left_out })
    })
}
