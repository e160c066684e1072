/** The connections to one target: those that are idle are asked again, the last one first. */
import type { VettedTarget } from "./AddressGuard.ts"
import * as Connection from "./Connection.ts"

/** Closing one costs more than keeping it, and one origin may be that of many endpoints. */
const idleLimit = 256

export interface Connections {
  /** A connection to ask; `isFresh`: one that nobody has asked before. */
  readonly take: (isFresh: boolean) => Connection.Connection
  readonly close: () => void
}

/** `ca`: the authorities to trust instead of the platform's. */
export const make = (target: VettedTarget, ca: ReadonlyArray<string> | undefined): Connections => {
  const idle: Array<Connection.Connection> = []
  const all = new Set<Connection.Connection>()
  const released = (connection: Connection.Connection): void => {
    if (connection.isIdle() && idle.length < idleLimit) return void idle.push(connection)
    const place = idle.indexOf(connection)
    if (place >= 0) idle.splice(place, 1)
    all.delete(connection)
    connection.close()
  }
  return {
    take: (isFresh) => {
      while (!isFresh) {
        const kept = idle.pop()
        if (kept === undefined) break
        // One that ends is released a moment later.
        if (kept.isIdle()) return kept
      }
      const opened = Connection.open(target, ca, released)
      all.add(opened)
      return opened
    },
    close: () => {
      for (const connection of all) connection.close()
    }
  }
}
