/**
 * Ends work that takes longer than its time. It means what `Effect.timeoutOrElse` means, and costs less where every request
 * has a limit and hardly any comes to it: the work has a fiber and its time has none. What may take equally long stands in
 * one line, in the order in which it will be late, and only the first one is watched.
 */
import { Clock, Context, Effect, Fiber } from "effect"
import * as Fork from "./Fork.ts"
import * as MonotonicTime from "./MonotonicTime.ts"

/**
 * Milliseconds after which a watch looks again. It goes on while its line is empty for a moment, which under load is the case
 * again and again, and it keeps a process from ending for no longer.
 */
const longestSleep = 100

interface Entry {
  /** In milliseconds of the clock that nobody sets. */
  readonly due: number
  readonly ring: () => void
}

/** What may take equally long. */
class Line {
  readonly #clock: Clock.Clock
  readonly #millis: number
  /** Who came first is late first. */
  readonly #entries = new Set<Entry>()
  #isWatched = false

  constructor(clock: Clock.Clock, millis: number) {
    this.#clock = clock
    this.#millis = millis
  }

  /** Rings once the time is over; the function that it answers with takes it back. */
  add(ring: () => void): () => void {
    const entry: Entry = { due: this.#now() + this.#millis, ring }
    this.#entries.add(entry)
    if (!this.#isWatched) {
      this.#isWatched = true
      Effect.runForkWith(Context.make(Clock.Clock, this.#clock))(this.#watch)
    }
    return () => void this.#entries.delete(entry)
  }

  #now(): number {
    return MonotonicTime.millisOf(this.#clock)
  }

  /** Until the first one is late; null: there is none. */
  #remaining(): number | null {
    for (const { due } of this.#entries) return Math.ceil(due - this.#now())
    return null
  }

  readonly #watch: Effect.Effect<void> = Effect.suspend(() => {
    const remaining = this.#remaining()
    if (remaining === null) {
      this.#isWatched = false
      return Effect.void
    }
    if (remaining > 0) return Effect.andThen(Effect.sleep(Math.min(remaining, longestSleep)), this.#watch)
    for (const entry of this.#entries) {
      this.#entries.delete(entry)
      entry.ring()
      break
    }
    return this.#watch
  })
}

/** By clock, since a test has one of its own, and by milliseconds. */
const lines = new WeakMap<Clock.Clock, Map<number, Line>>()

const lineOf = (clock: Clock.Clock, millis: number): Line => {
  const ofClock = lines.get(clock) ?? new Map<number, Line>()
  lines.set(clock, ofClock)
  const line = ofClock.get(millis) ?? new Line(clock, millis)
  ofClock.set(millis, line)
  return line
}

/**
 * Rings once the milliseconds of the clock are over; the function that it answers with takes it back. For work that somebody else
 * does.
 */
export const alarm = (clock: Clock.Clock, millis: number, ring: () => void): () => void =>
  lineOf(clock, millis).add(ring)

export interface Limit<A, E, R> {
  readonly millis: number
  /** Asked when the time is over: what is answered in the place of the work, or how many milliseconds more it has. */
  readonly late: () => Effect.Effect<A, E, R> | number
}

/** Runs the effect within its time. What is late is interrupted, and has ended before anything is answered. */
export const within = <A, E, R, A2, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  { late, millis }: Limit<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  Effect.contextWith((context: Context.Context<R | R2>) =>
    Effect.callback<A | A2, E | E2, R | R2>((resume) => {
      const clock = Context.get(context, Clock.Clock)
      let cancel = (): void => {}
      const work = Fork.telling(context)(effect, (exit) => {
        cancel()
        resume(exit)
      })
      if (work.pollUnsafe() !== undefined) return
      const ring = (): void => {
        const instead = late()
        if (typeof instead === "number") cancel = alarm(clock, instead, ring)
        else resume(Effect.andThen(Fiber.interrupt(work), instead))
      }
      cancel = alarm(clock, millis, ring)
      return Effect.suspend(() => {
        cancel()
        return Fiber.interrupt(work)
      })
    })
  )
