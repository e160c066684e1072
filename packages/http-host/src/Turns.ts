/**
 * The one thread of a process, shared between its clients: in each turn of the event loop a piece of what each of them has to
 * be done, and some more while there is time.
 *
 * Node hands over everything that arrived since the last turn at once, and whatever arrives meanwhile waits until all of it
 * is done. With a line for each client, who sends much waits behind itself, and who comes anew is read within some
 * milliseconds and comes next.
 *
 * *Gotchas.* What has begun is not interrupted: a piece of work that is longer than a turn should take more than one.
 */
import { Effect } from "effect"

/** For so long work is begun within a turn of the event loop, whoever's it is. */
const turnMillis = 1

/** For so long the work of clients is begun of whom none was begun in this turn. */
const roundMillis = 2

/** Work that waits in a line; null: it left. */
interface Waiting {
  run: (() => void) | null
}

export interface Turns {
  /** Whether nothing waits and there is time, so that whoever asks goes on at once. */
  readonly isFree: () => boolean
  /** Runs the work of the client, at once or in a later turn; the function that it answers with takes it out of the line. */
  readonly take: (client: string, work: () => void) => () => void
}

export const make = (): Turns => {
  /** Of every client that has work in line; whose turn is next stands first. */
  const lines = new Map<string, Array<Waiting>>()
  /** When the first work of this turn of the event loop began; null: none did yet. */
  let began: number | null = null

  const hasTime = (millis: number): boolean => {
    const now = performance.now()
    if (began === null) {
      began = now
      setImmediate(nextTurn)
    }
    return now < began + millis
  }

  const runNext = (): void => {
    for (const [client, line] of lines) {
      const waiting = line.shift()
      // It goes to the end of the line of clients.
      lines.delete(client)
      if (line.length > 0) lines.set(client, line)
      return waiting?.run?.()
    }
  }

  const nextTurn = (): void => {
    began = null
    for (let left = lines.size; lines.size > 0 && hasTime(left > 0 ? roundMillis : turnMillis); left--) runNext()
  }

  const isFree = (): boolean => lines.size === 0 && hasTime(turnMillis)

  return {
    isFree,
    take: (client, work) => {
      if (isFree()) {
        work()
        return () => {}
      }
      const waiting: Waiting = { run: work }
      const line = lines.get(client)
      if (line === undefined) lines.set(client, [waiting])
      else line.push(waiting)
      return () => {
        waiting.run = null
      }
    }
  }
}

/** Those of this process. */
export const ofProcess: Turns = make()

/** Goes on when it is the client's turn. */
export const next = (client: string): Effect.Effect<void> =>
  Effect.suspend(() => ofProcess.isFree() ? Effect.void : waited(client))

const waited = (client: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const leave = ofProcess.take(client, () => resume(Effect.void))
    return Effect.sync(leave)
  })
