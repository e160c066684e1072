/**
 * What an assistant's requests cost `freehold serve`: the list of tools, and a call that asks the database nothing, against a
 * bare server that answers the same bytes behind the same admission (`AssistantBaseline.ts`); and calls against REST with the
 * same operation and the same input. Before anything is measured, the answers are compared.
 */
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect, Redacted, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { ask, comparable, dataOf, type Request } from "./Answers.ts"
import type { BaselineFile } from "./AssistantBaseline.ts"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import * as Contest from "./Contest.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as Load from "./Load.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, whole } from "./Report.ts"

export interface Sizes {
  readonly properties: number
  readonly clients: number
  readonly seconds: number
  readonly rounds: number
}

const main = fileURLToPath(new URL("./AssistantBaseline.ts", import.meta.url))

const { secret } = Customers.searcher

const rpc = (method: string, params: object): Request => ({
  method: "POST",
  path: "/mcp",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
})
const call = (name: string, input: object): Request => rpc("tools/call", { name, arguments: input })

/** What asks the database nothing beyond admission. */
const standing = [
  { title: "tools/list", method: "tools/list", params: {}, goal: 0.6 },
  {
    title: "tools/call, role types",
    method: "tools/call",
    params: { name: "service_lookup", arguments: { kind: "role_types" } },
    goal: 0.5
  }
]

const searchOf = (limit: number) => ({
  filters: { countyFips: [SyntheticProperties.countyFips(2)] },
  verbosity: "compact",
  limit
})

/** The same operation with the same input, as a tool and over REST. */
const twins = [
  {
    title: "account",
    tool: call("service_get_account", {}),
    rest: { method: "GET" as const, path: "/account", body: "" }
  },
  ...[10, 50].map((limit) => ({
    title: `search, ${limit} rows`,
    tool: call("service_search_properties", searchOf(limit)),
    rest: { method: "POST" as const, path: "/properties/search", body: JSON.stringify(searchOf(limit)) }
  }))
]

const Answer = Schema.fromJsonString(Schema.Struct({ jsonrpc: Schema.Literal("2.0"), result: Schema.Unknown }))
const Told = Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown) })
const Called = Schema.fromJsonString(Schema.Struct({ result: Told }))

const differs = (what: string) => new Child.ChildFailed({ program: what, detail: "the answers are not the same" })

/** The bare server, which has the product's own results ready. */
const bare = Effect.fnUntraced(function*(url: Redacted.Redacted, folder: string, product: string) {
  const { authorize } = yield* Baseline.capture(url, Customers.searcher, [])
  const results: Record<string, string> = {}
  for (const { method, params } of standing) {
    const answered = yield* ask(product, rpc(method, params))
    const { result } = yield* Schema.decodeEffect(Answer)(answered)
    results[`${method} ${JSON.stringify(params)}`] = JSON.stringify(result)
  }
  const content: BaselineFile = { authorize, results }
  const child = yield* Baseline.start(main, url, `${folder}/assistant-baseline.json`, content)
  for (const { method, params, title } of standing) {
    const asked = rpc(method, params)
    if ((yield* ask(child.root, asked)) !== (yield* ask(product, asked))) return yield* differs(title)
  }
  return child
})

const sameTwins = Effect.fnUntraced(function*(root: string) {
  for (const { rest, title, tool } of twins) {
    const called = yield* Effect.flatMap(ask(root, tool), Schema.decodeEffect(Called))
    const told = comparable(called.result.structuredContent)
    if (!isDeepStrictEqual(told, yield* dataOf(root, rest))) return yield* differs(title)
  }
})

export const measure = Effect.fn("AssistantsBenchmark.measure")(function*(sizes: Sizes) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_assistants")
  yield* withClient(url, () => SyntheticProperties.load({ count: sizes.properties, counties: 10, contacts: true }))
  yield* Customers.apply(url, 0)
  yield* settle(url)
  const product = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) })
  const baseline = yield* bare(url, folder, product.root)
  yield* sameTwins(product.root)

  const terms = { ...sizes, load: yield* Load.make, secret }
  const contender = (
    server: Contest.Contender["server"],
    { method, ...request }: Request,
    goals: Pick<Contest.Contender, "goal" | "cpuGoal"> = {}
  ): Contest.Contender => ({
    server,
    asked: { method, requests: [request] },
    ...goals
  })
  const found = [
    ...yield* Effect.forEach(standing, ({ goal, method, params, title }) => {
      const asked = rpc(method, params)
      return Contest.compare(terms, title, contender(product, asked), {
        "node:http + pg, same bytes": contender(baseline, asked, { goal })
      })
    }),
    ...yield* Effect.forEach(
      twins,
      ({ rest, title, tool }) =>
        Contest.compare(terms, `tools/call, ${title}`, contender(product, tool), {
          "REST, same operation and input": contender(product, rest, { goal: 0.95, cpuGoal: 1 })
        })
    )
  ]
  const report: Comparison = {
    title: `Assistants: ${sizes.clients} clients, ${whole(sizes.properties)} properties`,
    columns: ["", ...Contest.columns],
    rows: found.flatMap(({ rows }) => rows),
    notes: ["All answers were equal.", ...found.flatMap(({ notes }) => notes)],
    ratios: found.flatMap(({ ratios }) => ratios)
  }
  return report
})
