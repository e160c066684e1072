/**
 * The places of endpoints: of those that share one, one is sent at a time, the others wait for it in their order.
 *
 * Who waits too long is turned away, so that an endpoint that hangs all of a sudden keeps nothing waiting that others, or
 * another place, could send.
 */
import { type Duration, Effect, Schedule } from "effect"

interface Waiting {
  readonly since: number
  readonly enter: (mayEnter: boolean) => void
}

export const make = Effect.fnUntraced(function*(patience: Duration.Duration) {
  /** By place, for as long as somebody is there. */
  const lines = new Map<string, Array<Waiting>>()
  let closed = false
  let rounds = 0

  const turnAway = (isDue: (waiting: Waiting) => boolean) => {
    for (const line of lines.values()) {
      const due = line.filter(isDue)
      if (due.length === 0) continue
      line.splice(0, line.length, ...line.filter((waiting) => !isDue(waiting)))
      for (const { enter } of due) enter(false)
    }
  }

  // Whoever came after the round before the last has waited one round at least, and two at most.
  yield* Effect.sync(() => {
    rounds += 1
    turnAway(({ since }) => since < rounds - 1)
  }).pipe(Effect.repeat(Schedule.spaced(patience)), Effect.forkScoped)

  const enter = (place: string): Effect.Effect<boolean> =>
    Effect.callback<boolean>((resume) => {
      const line = lines.get(place)
      if (closed || line === undefined) {
        if (!closed) lines.set(place, [])
        return resume(Effect.succeed(!closed))
      }
      const waiting = { since: rounds, enter: (mayEnter: boolean) => resume(Effect.succeed(mayEnter)) }
      line.push(waiting)
      return Effect.sync(() => void line.splice(line.indexOf(waiting), line.includes(waiting) ? 1 : 0))
    })

  const leave = (place: string) =>
    Effect.sync(() => {
      const next = lines.get(place)?.shift()
      if (next === undefined) lines.delete(place)
      else next.enter(true)
    })

  return {
    /** Runs the effect at the place; `otherwise` when that was not free in time, or nothing is to begin any more. */
    at: <A, E, R>(place: string, effect: Effect.Effect<A, E, R>, otherwise: Effect.Effect<A, E, R>) =>
      Effect.flatMap(enter(place), (mayEnter) => mayEnter ? Effect.ensuring(effect, leave(place)) : otherwise),
    /** Turns away everybody who waits, and who comes from now on. */
    close: Effect.sync(() => {
      closed = true
      turnAway(() => true)
    })
  }
})
