/**
 * Searches a second and their p99 of `freehold serve`, against a hand-written server that runs the same statements
 * behind the same authentication and answers the same JSON. Before anything is measured, the answers are compared.
 */
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect, Redacted } from "effect"
import { isDeepStrictEqual } from "node:util"
import { alternately, median, medianRatio, quantile } from "./Alternation.ts"
import { dataOf } from "./Answers.ts"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as Load from "./Load.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, spread, whole } from "./Report.ts"
import * as SearchRequests from "./SearchRequests.ts"
import { randomOf } from "./SeededRandom.ts"

export interface Sizes {
  readonly properties: number
  readonly requests: number
  readonly clients: number
  readonly seconds: number
  readonly rounds: number
}

const ask = (root: string, body: string) => dataOf(root, { method: "POST", path: "/properties/search", body })

const compare = Effect.fnUntraced(function*(product: string, baseline: string, bodies: ReadonlyArray<string>) {
  let rows = 0
  for (const body of bodies) {
    const [ours, theirs] = yield* Effect.all([ask(product, body), ask(baseline, body)])
    if (!isDeepStrictEqual(ours, theirs)) {
      return yield* new Child.ChildFailed({ program: "baseline", detail: `answers differently to ${body}` })
    }
    rows += Array.isArray(ours["results"]) ? ours["results"].length : 0
  }
  return rows / bodies.length
})

export const measure = Effect.fn("SearchBenchmark.measure")(function*(sizes: Sizes) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_search")
  yield* withClient(
    url,
    () => SyntheticProperties.load({ count: sizes.properties, counties: SearchRequests.counties, contacts: true })
  )
  yield* Customers.apply(url, 0)
  const statements = yield* Baseline.capture(url, Customers.searcher, SearchRequests.make(sizes.requests))
  const bodies = Object.keys(statements.searches)
  yield* settle(url)

  const product = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) })
  const baseline = yield* Baseline.serve(url, statements, folder)
  const rows = yield* compare(product.root, baseline.root, bodies)

  const load = yield* Load.make
  const requests = randomOf(7).shuffled(bodies).map((body) => ({
    path: "/properties/search",
    body,
    secret: Customers.searcher.secret
  }))
  const order = (root: string, seconds: number) =>
    load({ root, clients: sizes.clients, until: { seconds }, method: "POST" as const, requests })
  const turn = Effect.fnUntraced(function*(server: Child.Running & { readonly root: string }) {
    const { cpuMillis, value } = yield* Child.withCpu(server, order(server.root, sizes.seconds))
    const { answered, latencies, millis } = value
    return {
      perSecond: answered / millis * 1000,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      cpuMillis: cpuMillis / answered
    }
  })
  for (const server of [product, baseline]) yield* order(server.root, Math.min(4, sizes.seconds))
  const samples = yield* alternately(sizes.rounds, { product: turn(product), baseline: turn(baseline) })

  const middle = (name: keyof typeof samples, figure: "perSecond" | "p50" | "p99" | "cpuMillis") =>
    median(samples[name].map((sample) => sample[figure]))
  const row = (title: string, name: keyof typeof samples) => [
    title,
    whole(middle(name, "perSecond")),
    decimal(middle(name, "p50")),
    decimal(middle(name, "p99")),
    decimal(middle(name, "cpuMillis"), 2)
  ]
  const ratio = (figure: "perSecond" | "p50" | "p99" | "cpuMillis") =>
    medianRatio(samples.product.map((each) => each[figure]), samples.baseline.map((each) => each[figure]))
  const report: Comparison = {
    title: `Search over ${
      whole(sizes.properties)
    } properties, ${sizes.clients} clients, ${bodies.length} distinct requests`,
    columns: ["", "requests/s", "p50 ms", "p99 ms", "server CPU ms a request"],
    rows: [
      row("freehold serve", "product"),
      row("Fastify + pg, same SQL", "baseline"),
      [
        "ratio",
        ...(["perSecond", "p50", "p99", "cpuMillis"] as const).map((figure) => decimal(ratio(figure), 2))
      ]
    ],
    notes: [
      `All ${bodies.length} answers were equal; ${decimal(rows)} rows an answer on average.`,
      spread("freehold, requests/s", samples.product.map(({ perSecond }) => perSecond), whole),
      spread("Fastify, requests/s", samples.baseline.map(({ perSecond }) => perSecond), whole)
    ],
    ratios: [
      { what: "searches a second, of Fastify + pg", value: ratio("perSecond"), goal: "at least 1.2" },
      { what: "processor time of a search, of Fastify + pg", value: ratio("cpuMillis"), goal: "at most 1.2" }
    ]
  }
  return report
})
