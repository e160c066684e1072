/** What is kept of vetted targets: one for each origin and its addresses, so that no connection leads anywhere else. */
import { Clock, Effect } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { isIPv6, type LookupFunction, type OnReadOpts, type Socket } from "node:net"
import type { VettedTarget } from "./AddressGuard.ts"

interface Pool<Kept> {
  readonly kept: Kept
  inFlight: number
  usedAt: number
}

const connectDeadline = 2_000
const socketIdle = 30_000
const poolIdle = 60_000
const poolLimit = 1_024
const pieceBytes = 4_096

const pinned = (addresses: ReadonlyArray<string>): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_hostname, _options, done) => done(null, found)
}

/**
 * Answers are read in small pieces. Node parses a whole piece before anybody can hang up, and one of 64 KiB has room for a
 * thousand informational responses.
 */
const inPieces: OnReadOpts = {
  buffer: () => Buffer.allocUnsafe(pieceBytes),
  callback(this: Socket, length, piece) {
    return this.push(piece.subarray(0, length))
  }
}

/** An agent whose connections lead to the target's vetted addresses and nowhere else. */
export const agentFor = (
  target: VettedTarget,
  ca: ReadonlyArray<string> | undefined,
  keepAlive: boolean
): Http.Agent => {
  const options = {
    keepAlive,
    // Closing one costs more than keeping it, and one origin may be that of many endpoints.
    maxFreeSockets: 256,
    timeout: socketIdle,
    onread: inPieces,
    lookup: pinned(target.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectDeadline
  }
  return target.secure
    ? new Https.Agent({ ...options, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) })
    : new Http.Agent(options)
}

/** Kept until the scope closes, or until nobody has used it for a minute. */
export const make = Effect.fnUntraced(
  function*<Kept>(open: (target: VettedTarget) => Kept, close: (kept: Kept) => void) {
    const pools = new Map<string, Pool<Kept>>()
    yield* Effect.addFinalizer(() => Effect.sync(() => pools.forEach(({ kept }) => close(kept))))

    // The map keeps the order of last use, so what may go is at its front.
    const evict = (now: number) => {
      for (const [key, pool] of pools) {
        if (pools.size <= poolLimit && now - pool.usedAt <= poolIdle) return
        if (pool.inFlight === 0) {
          pools.delete(key)
          close(pool.kept)
        }
      }
    }
    const acquire = (target: VettedTarget) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const origin = `${target.secure ? "https" : "http"}://${target.hostname}:${target.port}`
        const key = [origin, ...target.addresses.toSorted()].join(" ")
        const pool = pools.get(key) ?? { kept: open(target), inFlight: 0, usedAt: now }
        pools.delete(key)
        pool.inFlight += 1
        pool.usedAt = now
        pools.set(key, pool)
        evict(now)
        return pool
      })
    const release = (pool: Pool<Kept>) =>
      Effect.sync(() => {
        pool.inFlight -= 1
      })
    return {
      use: <A, E>(target: VettedTarget, body: (kept: Kept) => Effect.Effect<A, E>) =>
        Effect.acquireUseRelease(acquire(target), ({ kept }) => body(kept), release)
    }
  }
)
