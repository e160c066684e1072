/**
 * How fast large bodies of one client are read: so many bytes at once, and so many a second after them.
 *
 * What is read, parsed and refused leaves memory behind, whose collection stops the one thread for everybody. A client that
 * sends more waits for itself: what it has sent stays in the network's buffers meanwhile.
 */
import { Clock, Effect } from "effect"

export const bytesPerSecond = 8 * 1_048_576

/**
 * What a client that sent nothing large of late may send at once: the largest body. Many at once would take the thread for as long as all
 * of them need, and others meet that in the moment in which somebody begins.
 */
export const bytesAtOnce = 1_048_576

/** Smaller bodies have arrived before anybody reads them. */
const smallest = 65_536

export interface BodyPace {
  /** Waits until the client may send a body of so many bytes. */
  readonly wait: (client: string, bytes: number) => Effect.Effect<void>
}

export const make = (): BodyPace => {
  /** When each client will have been as slow as it may; whose turn was last stands last. */
  const until = new Map<string, number>()

  /** Forgets those who have nothing to wait for. */
  const forget = (now: number): void => {
    for (const [client, moment] of until) {
      if (moment > now) return
      until.delete(client)
    }
  }

  return {
    wait: (client, bytes) =>
      bytes < smallest
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (now) => {
          forget(now)
          const moment = Math.max(now, until.get(client) ?? now) + bytes / bytesPerSecond * 1000
          until.delete(client)
          until.set(client, moment)
          return Effect.sleep(Math.max(0, moment - now - bytesAtOnce / bytesPerSecond * 1000))
        })
  }
}

/** That of this process. */
export const ofProcess: BodyPace = make()
