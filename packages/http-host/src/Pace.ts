/**
 * How fast the bytes of a client go: so many at once, and so many a second after them. Who wants more waits for itself.
 *
 * - **Large bodies of an organization.** What is read, parsed and refused leaves memory behind, whose collection stops the one thread
 *   for everybody. What was sent stays in the network's buffers meanwhile, but for its beginning: that of a thousand requests that
 *   wait is memory, too, and whether their senders are still there is not seen before they are read. So few wait. Whoever sends without
 *   a key is one client with all others who do.
 * - **Large files that need no key**, of all who ask for them together, since addresses are easily had by the hundred. To hand a
 *   file of a megabyte to the system takes the thread for as long as half a dozen requests do.
 */
import * as MonotonicTime from "@freehold/core/operation/MonotonicTime"
import { Context, Effect } from "effect"

const mebibyte = 1_048_576

export interface Bounds {
  /** What a client that moved nothing of late may move at once. */
  readonly bytesAtOnce: number
  readonly bytesPerSecond: number
  /** Less costs nothing. */
  readonly smallest: number
  /** In milliseconds: who would wait for longer is told so at once. */
  readonly patience: number
}

/** A client may send the largest body at once. Smaller ones than counted have arrived before anybody reads them. */
export const bodies: Bounds = {
  bytesAtOnce: mebibyte,
  bytesPerSecond: 8 * mebibyte,
  smallest: 65_536,
  patience: 2000
}

/** The largest file of the reference fits into what goes at once. */
export const files: Bounds = {
  bytesAtOnce: 2 * mebibyte,
  bytesPerSecond: 32 * mebibyte,
  smallest: 65_536,
  patience: 2000
}

/** An organization; null: all together who are not told apart. */
export type Client = string | null

/** Whoever asks for files, or sends without a key. No organization has this name. */
export const everybody: Client = null

export interface Pace {
  /** Waits until the client may move so many bytes; false, at once: that would take too long, and nothing is counted. */
  readonly wait: (client: Client, bytes: number) => Effect.Effect<boolean>
}

export const make = ({ bytesAtOnce, bytesPerSecond, patience, smallest }: Bounds): Pace => {
  const millisOf = (bytes: number): number => bytes / bytesPerSecond * 1000
  /** When each client will have been as slow as it may, by the clock that nobody sets; whose turn was last stands last. */
  const until = new Map<Client, number>()

  /** Forgets those who have nothing to wait for. */
  const forget = (now: number): void => {
    for (const [client, moment] of until) {
      if (moment > now) return
      until.delete(client)
    }
  }

  const take = (client: Client, bytes: number, now: number): Effect.Effect<boolean> => {
    forget(now)
    const moment = Math.max(now, until.get(client) ?? now) + millisOf(bytes)
    const millis = Math.max(0, moment - now - millisOf(bytesAtOnce))
    if (millis > patience) return Effect.succeed(false)
    until.delete(client)
    until.set(client, moment)
    return millis === 0 ? Effect.succeed(true) : Effect.as(Effect.sleep(millis), true)
  }

  return {
    wait: (client, bytes) =>
      bytes < smallest
        ? Effect.succeed(true)
        : Effect.flatMap(MonotonicTime.millis, (now) => take(client, bytes, now))
  }
}

/** Of this process: of large bodies, by organization. */
export const ofBodies: Pace = make(bodies)

/** Of large files, everybody together. */
export const OfFiles = Context.Reference<Pace>("@freehold/http-host/Pace/OfFiles", { defaultValue: () => make(files) })
