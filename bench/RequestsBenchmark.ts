/**
 * What each of the usual requests costs `freehold serve`: a search and `GET /me` against the hand-written server
 * (`FastifyBaseline.ts`), and all of them against a bare one that answers the same bytes behind the same admission
 * (`RestBaseline.ts`). Before anything is measured, the answers are compared.
 */
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect, Redacted, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { ask, dataOf } from "./Answers.ts"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import * as Contest from "./Contest.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as Load from "./Load.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, whole } from "./Report.ts"
import type { BaselineFile } from "./RestBaseline.ts"
import * as SearchRequests from "./SearchRequests.ts"
import type { Captured } from "./StatementCapture.ts"

export interface Sizes {
  readonly properties: number
  /** Distinct searches. */
  readonly searches: number
  readonly clients: number
  readonly seconds: number
  readonly rounds: number
}

interface Kind {
  readonly title: string
  readonly asked: Contest.Asked
  /** The hand-written server answers it too. */
  readonly byHand: boolean
}

const main = fileURLToPath(new URL("./RestBaseline.ts", import.meta.url))

const { orgId, secret } = Customers.searcher

const one = (path: string, body = "") => [{ path, body }]

/** Leads for the feed, of properties that are researched, so that they have people and can be unlocked. */
const prepare = (count: number) => `
  WITH chosen AS (SELECT property_id AS id FROM property_research ORDER BY property_id LIMIT ${count})
  INSERT INTO event (org_id, id, type, property_id, by_agent, occurred_at)
  SELECT '${orgId}', gen_random_uuid(), 'lead.qualified', id, false, now() FROM chosen
  RETURNING property_id`

const Prepared = Schema.NonEmptyArray(Schema.Struct({ property_id: Schema.String }))

const kindsOf = (id: string, searches: ReadonlyArray<string>): ReadonlyArray<Kind> => [
  { title: "GET /me", asked: { method: "GET", requests: one("/me") }, byHand: true },
  {
    title: "search, 50 rows",
    asked: { method: "POST", requests: searches.map((body) => ({ path: "/properties/search", body })) },
    byHand: true
  },
  {
    title: "browse people, 50 rows",
    asked: { method: "POST", requests: one("/contacts/browse", JSON.stringify({ limit: 50 })) },
    byHand: false
  },
  { title: "detail", asked: { method: "GET", requests: one(`/properties/${id}/detail`) }, byHand: false },
  { title: "feed, 100 leads", asked: { method: "GET", requests: one("/leads") }, byHand: false },
  {
    title: "unlock, unlocked before",
    asked: { method: "POST", requests: one(`/properties/${id}/unlock`) },
    byHand: false
  }
]

/** The bare server, which has the product's own answers ready. */
const bare = Effect.fnUntraced(function*(
  url: Redacted.Redacted,
  folder: string,
  authorize: Captured,
  product: string,
  kinds: ReadonlyArray<Kind>
) {
  const { pathname } = new URL(product)
  const answers: Record<string, string> = {}
  for (const { asked: { method, requests } } of kinds) {
    for (const request of requests) {
      const parsed: unknown = request.body === "" ? null : JSON.parse(request.body)
      answers[`${method} ${pathname}${request.path} ${JSON.stringify(parsed)}`] = yield* ask(product, {
        method,
        ...request
      })
    }
  }
  const content: BaselineFile = { authorize, answers }
  const { root, ...child } = yield* Baseline.start(main, url, `${folder}/rest-baseline.json`, content)
  return { ...child, root: `${root}${pathname}` }
})

const compare = Effect.fnUntraced(function*(product: string, other: string, { asked, title }: Kind) {
  for (const request of asked.requests) {
    const both = { method: asked.method, ...request }
    const [ours, theirs] = yield* Effect.all([dataOf(product, both), dataOf(other, both)])
    if (!isDeepStrictEqual(ours, theirs)) {
      return yield* new Child.ChildFailed({ program: other, detail: `answers differently: ${title} ${request.body}` })
    }
  }
})

/** A database with properties and the customer who asks, and what is to be known of it. */
export const scene = Effect.fn("RequestsBenchmark.scene")(function*(sizes: Pick<Sizes, "properties" | "searches">) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_requests")
  yield* withClient(
    url,
    () => SyntheticProperties.load({ count: sizes.properties, counties: SearchRequests.counties, contacts: true })
  )
  yield* Customers.apply(url, 0)
  const [{ property_id: id }] = yield* withClient(url, (sql) => sql.unsafe(prepare(100))).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Prepared))
  )
  const statements = yield* Baseline.capture(url, Customers.searcher, SearchRequests.make(sizes.searches))
  yield* settle(url)
  // One organization asks for everything, so that its share of the places would be what is measured.
  const env = { DATABASE_URL: Redacted.value(url), FREEHOLD_PLACES: "read=6/6" }
  return { env, folder, statements, url, kinds: kindsOf(id, Object.keys(statements.searches)), id }
})

export const measure = Effect.fn("RequestsBenchmark.measure")(function*(sizes: Sizes) {
  const { env, folder, id, kinds, statements, url } = yield* scene(sizes)
  const product = yield* Freehold.serve(env)
  yield* ask(product.root, { method: "POST", path: `/properties/${id}/unlock`, body: "" })
  const byHand = yield* Baseline.serve(url, statements, folder)
  const bareServer = yield* bare(url, folder, statements.authorize, product.root, kinds)
  for (const kind of kinds) {
    yield* compare(product.root, bareServer.root, kind)
    if (kind.byHand) yield* compare(product.root, byHand.root, kind)
  }

  const terms = { ...sizes, load: yield* Load.make, secret }
  const found = yield* Effect.forEach(
    kinds,
    ({ asked, byHand: isByHand, title }) =>
      Contest.compare(terms, title, { server: product, asked }, {
        ...isByHand ? { "Fastify + pg, same SQL": { server: byHand, asked, goal: 1.2 } } : {},
        "node:http + pg, same bytes": { server: bareServer, asked }
      })
  )
  const report: Comparison = {
    title: `Requests over ${whole(sizes.properties)} properties, ${sizes.clients} clients`,
    columns: ["", ...Contest.columns],
    rows: found.flatMap(({ rows }) => rows),
    notes: ["All answers were equal.", ...found.flatMap(({ notes }) => notes)],
    ratios: found.flatMap(({ ratios }) => ratios)
  }
  return report
})
