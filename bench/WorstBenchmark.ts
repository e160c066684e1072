/**
 * How long the worst permitted requests take at a million properties, one after the other, beside an ordinary search in
 * the same run. Every answer must be a 200. On a busy machine the processor time is what tells: none of them is to need a second.
 */
import { Effect, Redacted } from "effect"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, serverCpuSeconds, settle, withClient } from "./Postgres.ts"
import { type Comparison, whole } from "./Report.ts"
import * as WorstData from "./WorstData.ts"
import { usual, worst, type WorstRequest } from "./WorstRequests.ts"

export interface Sizes extends WorstData.Sizes {
  readonly rounds: number
}

/** No permitted request is to take as many milliseconds. */
const most = 1000

/** The milliseconds until the whole answer is there. */
const timed = (root: string, { body, customer, method, name, path }: WorstRequest) =>
  Effect.gen(function*() {
    const start = performance.now()
    const [status, text] = yield* Effect.tryPromise(async () => {
      const response = await fetch(`${root}${path}`, {
        method,
        headers: { authorization: `Bearer ${customer.secret}`, "content-type": "application/json" },
        ...(body === null ? {} : { body: JSON.stringify(body) })
      })
      return [response.status, await response.text()] as const
    })
    if (status !== 200) {
      return yield* new Child.ChildFailed({ program: name, detail: `${status} ${text.slice(0, 500)}` })
    }
    return performance.now() - start
  })

export const measure = Effect.fn("WorstBenchmark.measure")(function*(sizes: Sizes) {
  const { database } = yield* Postgres
  const url = yield* database("bench_worst")
  yield* Customers.apply(url, 0)
  yield* withClient(url, () => WorstData.load(sizes))
  yield* settle(url)
  const server = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) })
  /** Processor milliseconds so far. */
  const databaseMillis = Effect.map(serverCpuSeconds(url), (seconds) => seconds * 1000)
  const serverMillis = Effect.map(server.cpuSeconds, (seconds = Number.NaN) => seconds * 1000)
  const measured = Effect.fnUntraced(function*(request: WorstRequest) {
    const before = { database: yield* databaseMillis, server: yield* serverMillis }
    const millis = yield* timed(server.root, request)
    const after = { server: yield* serverMillis, database: yield* databaseMillis }
    return { millis, database: after.database - before.database, server: after.server - before.server }
  })
  const rows: Array<ReadonlyArray<string>> = []
  const times: Array<number> = []
  const slow: Array<string> = []
  for (const request of worst) {
    yield* timed(server.root, request)
    const samples = yield* alternately(sizes.rounds, { worst: measured(request), usual: measured(usual) })
    const worstMillis = samples.worst.map(({ millis }) => millis)
    const usualMillis = samples.usual.map(({ millis }) => millis)
    times.push(medianRatio(worstMillis, usualMillis))
    if (median(worstMillis) >= most) slow.push(request.name)
    rows.push([
      request.name,
      whole(median(worstMillis)),
      whole(Math.max(...worstMillis)),
      whole(median(samples.worst.map(({ database }) => database))),
      whole(median(samples.worst.map(({ server }) => server))),
      whole(median(usualMillis))
    ])
  }
  const report: Comparison = {
    title: `The worst permitted requests over ${whole(sizes.properties)} properties, one at a time`,
    columns: ["", "p50 ms", "max ms", "PostgreSQL CPU ms", "server CPU ms", `${usual.name}, p50 ms`],
    rows,
    notes: [
      slow.length === 0 ? "None took a second in the middle." : `A second or more in the middle: ${slow.join("; ")}.`
    ],
    ratios: [{ what: `the slowest permitted request, of ${usual.name}`, value: Math.max(...times), goal: null }]
  }
  return report
})
