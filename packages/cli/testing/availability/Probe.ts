/**
 * What another organization meets meanwhile: `GET /v1/me` and the search of one county, at a fixed pace.
 *
 * Every request begins when its time has come, whether those before it were answered or not: a server that stands still
 * does not keep the probe from noticing.
 */
import { Agent, request } from "node:http"

export type Kind = "me" | "search"

export interface Sample {
  readonly kind: Kind
  /** When it was sent, on the clock of `performance.now`. */
  readonly at: number
  readonly millis: number
  /** 0: no answer. */
  readonly status: number
  /** Whether the data is that of the first answer. */
  readonly right: boolean
}

export interface Options {
  readonly origin: string
  readonly secret: string
  readonly countyFips: string
  /** Between one request of a kind and the next. */
  readonly everyMillis: number
}

export interface Probe {
  /** How many requests were answered so far. */
  readonly answered: () => number
  /** Ends when every request was answered. */
  readonly stop: () => Promise<ReadonlyArray<Sample>>
}

/** The block of addresses that the probe comes from. */
export const block = 250

/** An address may send 1,000 requests a minute. */
const addresses = 8

/** Milliseconds after which an answer does not come any more. */
const patience = 30_000

interface Told {
  readonly status: number
  readonly data: string
}

/** A cursor holds the hour in which it was made, so that the same page has another one in the next. */
const dataOf = (text: string): string => {
  const body: unknown = JSON.parse(text)
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : null
  return JSON.stringify(data, (name, value: unknown) => name === "next_cursor" ? typeof value : value)
}

/** Begins to probe; the first answers are those that all later ones are compared with. */
export const start = async ({ countyFips, everyMillis, origin, secret }: Options): Promise<Probe> => {
  const agents = Array.from(
    { length: addresses },
    (_, n) => new Agent({ keepAlive: true, localAddress: `127.${block}.0.${1 + n}` })
  )
  const calls = {
    me: { method: "GET", path: "/v1/me", body: "" },
    search: {
      method: "POST",
      path: "/v1/properties/search",
      body: JSON.stringify({ filters: { countyFips: [countyFips] }, limit: 20 })
    }
  }
  let sent = 0
  const ask = (kind: Kind): Promise<Told> =>
    new Promise((resolve) => {
      const { body, method, path } = calls[kind]
      const lost = () => resolve({ status: 0, data: "" })
      const outgoing = request(new URL(path, origin), {
        agent: agents[sent++ % addresses],
        method,
        signal: AbortSignal.timeout(patience),
        headers: { authorization: `Bearer ${secret}`, ...body === "" ? {} : { "content-type": "application/json" } }
      }, (incoming) => {
        let text = ""
        incoming.setEncoding("utf8")
        incoming.on("data", (chunk: string) => text += chunk)
        incoming.once("error", lost)
        incoming.once("end", () => {
          const status = incoming.statusCode ?? 0
          resolve({ status, data: status === 200 ? dataOf(text) : "" })
        })
      })
      outgoing.once("error", lost)
      outgoing.end(body)
    })

  const expected = { me: await ask("me"), search: await ask("search") }
  const samples: Array<Sample> = []
  const pending = new Set<Promise<void>>()
  const sample = async (kind: Kind) => {
    const at = performance.now()
    const { data, status } = await ask(kind)
    samples.push({
      kind,
      at,
      millis: performance.now() - at,
      status,
      right: status === 200 && data === expected[kind].data
    })
  }
  const timer = setInterval(() => {
    for (const kind of ["me", "search"] as const) {
      const asked = sample(kind)
      pending.add(asked)
      void asked.then(() => pending.delete(asked))
    }
  }, everyMillis)
  return {
    answered: () => samples.length,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(pending)
      for (const agent of agents) agent.destroy()
      return samples
    }
  }
}
