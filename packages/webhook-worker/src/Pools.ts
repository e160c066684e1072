/** Kept connections to vetted addresses: a pool for each origin and its addresses, so that none leads anywhere else. */
import { Clock, Effect } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { isIPv6, type LookupFunction, type OnReadOpts, type Socket } from "node:net"
import type { VettedTarget } from "./AddressGuard.ts"

interface Pool {
  readonly agent: Http.Agent
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

/** Connections that are kept, until the scope closes; `ca`: the authorities to trust instead of the platform's. */
export const make = Effect.fnUntraced(function*(ca: ReadonlyArray<string> | undefined) {
  const pools = new Map<string, Pool>()
  yield* Effect.addFinalizer(() => Effect.sync(() => pools.forEach(({ agent }) => agent.destroy())))

  // The map keeps the order of last use, so what may go is at its front.
  const evict = (now: number) => {
    for (const [key, pool] of pools) {
      if (pools.size <= poolLimit && now - pool.usedAt <= poolIdle) return
      if (pool.inFlight === 0) {
        pools.delete(key)
        pool.agent.destroy()
      }
    }
  }
  const acquire = (target: VettedTarget) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const origin = `${target.secure ? "https" : "http"}://${target.hostname}:${target.port}`
      const key = [origin, ...target.addresses.toSorted()].join(" ")
      const pool = pools.get(key) ?? { agent: agentFor(target, ca, true), inFlight: 0, usedAt: now }
      pools.delete(key)
      pool.inFlight += 1
      pool.usedAt = now
      pools.set(key, pool)
      evict(now)
      return pool
    })
  const release = (pool: Pool) =>
    Effect.sync(() => {
      pool.inFlight -= 1
    })
  return {
    use: <A, E>(target: VettedTarget, body: (agent: Http.Agent) => Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(acquire(target), ({ agent }) => body(agent), release)
  }
})
