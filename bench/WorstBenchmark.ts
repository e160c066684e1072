/**
 * How long the worst permitted requests take at a million properties, one after the other, beside an ordinary search in
 * the same run. Every answer must be a 200.
 */
import { Effect, Redacted } from "effect"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, whole } from "./Report.ts"
import * as WorstData from "./WorstData.ts"
import { usual, worst, type WorstRequest } from "./WorstRequests.ts"

export interface Sizes extends WorstData.Sizes {
  readonly rounds: number
}

/** The milliseconds until the whole answer is there. */
const timed = (root: string, { body, method, name, path }: WorstRequest) =>
  Effect.gen(function*() {
    const start = performance.now()
    const [status, text] = yield* Effect.tryPromise(async () => {
      const response = await fetch(`${root}${path}`, {
        method,
        headers: { authorization: `Bearer ${Customers.searcher.secret}`, "content-type": "application/json" },
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
  const { root } = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) })
  const row = (name: string, samples: ReadonlyArray<number>) => [
    name,
    whole(median(samples)),
    whole(Math.max(...samples))
  ]
  const rows: Array<ReadonlyArray<string>> = []
  const times: Array<number> = []
  for (const request of worst) {
    yield* timed(root, request)
    const samples = yield* alternately(sizes.rounds, { worst: timed(root, request), usual: timed(root, usual) })
    times.push(medianRatio(samples.worst, samples.usual))
    rows.push([...row(request.name, samples.worst), whole(median(samples.usual))])
  }
  const report: Comparison = {
    title: `The worst permitted requests over ${whole(sizes.properties)} properties, one at a time`,
    columns: ["", "p50 ms", "max ms", `${usual.name}, p50 ms`],
    rows,
    notes: [],
    ratios: [{ what: `the slowest permitted request, of ${usual.name}`, value: Math.max(...times), goal: null }]
  }
  return report
})
