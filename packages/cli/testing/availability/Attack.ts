/**
 * What an attack on the availability of a server is, and how one is carried out.
 *
 * An attack stays within the limits of whoever attacks: 300 requests a minute for a key, 1,000 for an address, one
 * organization's ten keys. It has as many requests as it is given and never more, and as much time, or what it takes until
 * it was met as it should be. Then everything that it held is let go at once, as by an attacker who is gone.
 *
 * *Gotchas.* The address of a client is one of loopback (127.0.0.0/8), of which Linux lets a client choose any. Each attack
 * has a block of its own, so that none uses up the window of another.
 */
import { setMaxListeners } from "node:events"
import { Agent } from "node:http"
import { setTimeout as after } from "node:timers/promises"

/** Who attacks: somebody without a key, an organization with its ten keys, or one of its members. */
export type Attacker = "nobody" | "organization" | "member"

/** What an attacker may know of the records; all of it lies in the attacker's area. */
export interface World {
  readonly county: string
  readonly properties: ReadonlyArray<string>
  /** Of these the unlock opens something. */
  readonly researched: ReadonlyArray<string>
  readonly contacts: ReadonlyArray<string>
}

/** What one run of an attack gets. It can be sent to another process. */
export interface Order {
  /** Of the server, such as `http://127.0.0.1:40123`. */
  readonly origin: string
  /** Distinguishes the addresses of attackers: 127.`block`.x.y. */
  readonly block: number
  /** Bearers: an organization's keys, or a member's tokens. */
  readonly bearers: ReadonlyArray<string>
  readonly world: World
  /** At most so many requests or connections. */
  readonly requests: number
  readonly millis: number
}

/** How often what was met: the status of an answer, or in words what became of a connection. */
export type Tally = Readonly<Record<string, number>>

/** What must be let go when the attack is over. */
export interface Held {
  destroy(): void
}

/** An order under way. */
export interface Force extends Order {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  readonly address: (n: number) => string
  readonly count: (met: string) => void
  readonly hold: <A extends Held>(held: A) => A
  /** Connections of the n-th address. */
  readonly agent: (n: number) => Agent
}

export interface Attack {
  /** As the table of docs/laws.md names it. */
  readonly name: string
  readonly by: Attacker
  /** What is met at least once where the attack is one: else it would prove nothing. */
  readonly meets: string
  /** Settings of the attacking organization beside those that all have. */
  readonly organization?: Readonly<Record<string, unknown>>
  readonly run: (force: Force) => Promise<void>
}

/** 127.`block`.x.y, never one that ends in 0 or 255. */
const addressOf = (block: number, n: number): string => `127.${block}.${Math.trunc(n / 250) % 250}.${1 + n % 250}`

/** Ends when the attack does. */
const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Waits, or until the attack is over. */
export const pause = (force: Force, millis: number): Promise<void> =>
  after(Math.max(0, millis), undefined, { signal: force.signal }).catch(() => {})

/**
 * Does `act` with the numbers from 0, spread evenly over the time of the attack, as often as it has requests, and so many
 * at once. Ends with the last, or when the attack is over.
 */
export const spread = async (force: Force, atOnce: number, act: (n: number) => Promise<unknown>): Promise<void> => {
  const begun = performance.now()
  // The last begin before the end, so that they are attended to.
  const every = force.millis * 0.8 / force.requests
  let next = 0
  const sender = async () => {
    while (next < force.requests && !force.signal.aborted) {
      const n = next++
      await pause(force, begun + n * every - performance.now())
      if (!force.signal.aborted) await act(n)
    }
  }
  await Promise.race([
    Promise.all(Array.from({ length: Math.min(atOnce, force.requests) }, sender)),
    over(force.signal)
  ])
}

/** Stays with what is held until the time is over. */
export const stay = (force: Force): Promise<void> => over(force.signal)

export interface End {
  /** What the end waits for. Not given: that the attack meets what it should for the first time. */
  readonly enough?: Promise<unknown> | undefined
  /** Runs while everything is still held. */
  readonly before?: () => void
}

/** Carries an attack out until its time is over and it was enough. */
export const carryOut = async (attack: Attack, order: Order, { before, enough }: End = {}): Promise<Tally> => {
  const met = new Map<string, number>()
  const held = new Set<Held>()
  const agents = new Map<number, Agent>()
  const ending = new AbortController()
  // Every request listens for the end.
  setMaxListeners(0, ending.signal)
  const lacking = new Set(["time", "effect"])
  const has = (what: string) => {
    lacking.delete(what)
    if (lacking.size === 0) ending.abort()
  }
  const timer = setTimeout(() => has("time"), order.millis)
  const hold = <A extends Held>(each: A): A => {
    held.add(each)
    return each
  }
  const force: Force = {
    ...order,
    signal: ending.signal,
    address: (n) => addressOf(order.block, n),
    count: (each) => {
      if (ending.signal.aborted) return
      met.set(each, (met.get(each) ?? 0) + 1)
      if (enough === undefined && each === attack.meets) has("effect")
    },
    hold,
    agent: (n) => {
      const known = agents.get(n)
      if (known !== undefined) return known
      const agent = hold(new Agent({ keepAlive: true, localAddress: addressOf(order.block, n) }))
      agents.set(n, agent)
      return agent
    }
  }
  try {
    await Promise.all([attack.run(force), enough?.then(() => has("effect"))])
  } finally {
    clearTimeout(timer)
    before?.()
    ending.abort()
    for (const each of held) each.destroy()
  }
  return Object.fromEntries(met)
}
