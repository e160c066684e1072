/**
 * The clients of an HTTP benchmark, in a process of their own: reads one order a line from standard input, runs it and
 * writes the outcome as one line.
 *
 * Every client has one connection and sends its next request when the last was answered. Requests are taken from one
 * list by all clients, and each names another client address, because an address has a limit of its own.
 */
import autocannon from "autocannon"
import { createInterface } from "node:readline"

/** What is to be run. */
export interface Order {
  /** Below it are the paths. */
  readonly root: string
  readonly clients: number
  /** Exactly so many requests (those given, from the first), or as many as there is time for (over and over again). */
  readonly until: { readonly requests: number } | { readonly seconds: number }
  readonly method: "GET" | "POST"
  readonly requests: ReadonlyArray<{ readonly path: string; readonly body: string; readonly secret: string }>
}

/** What came of it; times in milliseconds. */
export interface Outcome {
  readonly answered: number
  /** Answers that were not 200, by status. */
  readonly refused: Readonly<Record<string, number>>
  readonly failed: number
  readonly millis: number
  readonly latencies: ReadonlyArray<number>
}

const addresses = 4096

/** 10.0.x.y */
const addressOf = (n: number): string => `10.0.${(n % addresses) >> 8}.${n & 255}`

let requestsSoFar = 0

const run = ({ clients, method, requests, root, until }: Order): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const base = new URL(root)
    const latencies: Array<number> = []
    const refused: Record<string, number> = {}
    let failed = 0
    let next = 0
    let begun = performance.now()
    let last = begun
    const instance = autocannon({
      url: base.origin,
      connections: clients,
      timeout: 30,
      sampleInt: 100,
      ...("requests" in until ? { amount: until.requests } : { duration: until.seconds }),
      requests: [{
        setupRequest: (request) => {
          const { body, path, secret } = requests[next++ % requests.length] ?? { body: "", path: "", secret: "" }
          return {
            ...request,
            method,
            path: `${base.pathname.replace(/\/$/, "")}${path}`,
            body,
            headers: {
              authorization: `Bearer ${secret}`,
              ...(body === "" ? {} : { "content-type": "application/json" }),
              "x-forwarded-for": addressOf(requestsSoFar++)
            }
          }
        }
      }]
    }, (error) => {
      if (error) reject(error)
      else resolve({ answered: latencies.length, refused, failed, millis: last - begun, latencies })
    })
    instance.on("start", () => {
      begun = performance.now()
    })
    instance.on("reqError", () => failed++)
    instance.on("response", (_client, status, _bytes, millis) => {
      last = performance.now()
      if (status === 200) latencies.push(millis)
      else refused[status] = (refused[status] ?? 0) + 1
    })
  })

createInterface({ input: process.stdin }).on("line", (line) => {
  const order: Order = JSON.parse(line)
  run(order).then(
    (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    }
  )
})
