/**
 * How long each shape of a search and a browse takes over data as large as the country's, one request at a time, against
 * the plain form: the same server with the same statements, to whose database connections no index is open. Both
 * must answer the same.
 *
 * Over data that stand already the plain form is left out: it would read all of them for each answer.
 */
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import { Effect, Redacted, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { alternately, median, quantile } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as NationalData from "./national/NationalData.ts"
import { Postgres, serverCpuSeconds, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, whole } from "./Report.ts"
import { seed, type Shape, shapes } from "./SearchShapes.ts"

export interface Sizes {
  readonly properties: number
  readonly rounds: number
  /** How often the plain form is asked. */
  readonly plainRounds: number
  /** The data directory of an embedded PostgreSQL that `pnpm bench:data` filled; null: the data are made, and vanish. */
  readonly dataDirectory: string | null
}

const role = "bench_plain"

/** The same database by way of a role that uses no index. */
const withoutIndexes = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const scans = ["enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"]
  const password = "bench"
  yield* withClient(url, (sql) =>
    Effect.gen(function*() {
      yield* sql.unsafe(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${password}'`)
      for (const scan of scans) yield* sql.unsafe(`ALTER ROLE ${role} SET ${scan} = off`)
    }))
  const plain = new URL(Redacted.value(url))
  plain.username = role
  plain.password = password
  return plain.href
})

const Answer = Schema.Struct({ data: Schema.Record(Schema.String, Schema.Unknown) })
const Total = Schema.Struct({ total_matching: Schema.Finite })

interface Asked {
  readonly millis: number
  readonly status: number
  readonly text: string
}

/** The milliseconds until the whole answer is there. */
const ask = (root: string, { body, path }: Shape): Effect.Effect<Asked> =>
  Effect.promise(async () => {
    const start = performance.now()
    const response = await fetch(`${root}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${Customers.national.secret}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    return { millis: performance.now() - start, status: response.status, text }
  })

const contentOf = Effect.fnUntraced(function*(name: string, { status, text }: Asked) {
  if (status !== 200) return yield* new Child.ChildFailed({ program: name, detail: `${status} ${text.slice(0, 500)}` })
  const { data } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))(text)
  // A cursor is sealed with the time of day.
  return { ...data, next_cursor: null }
})

/** The data, and the server of the plain form where there is one. */
const made = Effect.fnUntraced(function*({ properties }: Sizes) {
  const { database } = yield* Postgres
  const url = yield* database("bench_shapes")
  yield* NationalData.load(url, { properties, seed })
  yield* Customers.apply(url, 0)
  yield* settle(url)
  const plain = yield* Freehold.serve({ DATABASE_URL: yield* withoutIndexes(url) })
  yield* Effect.addFinalizer(() => Effect.orDie(withClient(url, (sql) => sql.unsafe(`ALTER ROLE ${role} NOLOGIN`))))
  return { url, plain: plain.root }
})

const standing = Effect.fnUntraced(function*(dataDirectory: string) {
  const { url } = yield* EmbeddedPostgres.start({ dataDirectory })
  yield* Customers.apply(url, 0)
  yield* settle(url)
  return { url, plain: null }
})

export const measure = Effect.fn("ShapesBenchmark.measure")(function*(sizes: Sizes) {
  const { plain, url } = yield* (sizes.dataDirectory === null ? made(sizes) : standing(sizes.dataDirectory))
  const server = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) })
  const { root } = server
  /** Processor milliseconds of the database and of the server so far. */
  const spent = Effect.zipWith(
    serverCpuSeconds(url),
    server.cpuSeconds,
    (database, process) => ({ database: database * 1000, process: (process ?? Number.NaN) * 1000 })
  )
  const rows: Array<ReadonlyArray<string>> = []
  const times: Array<number> = []
  for (const shape of shapes) {
    const content = yield* contentOf(shape.name, yield* ask(root, shape))
    const slow = plain === null ? null : yield* ask(plain, shape)
    // Some take longer than a statement may.
    const isMeasured = slow?.status === 200
    if (isMeasured && !isDeepStrictEqual(content, yield* contentOf(shape.name, slow))) {
      return yield* new Child.ChildFailed({ program: shape.name, detail: "answers differently without an index" })
    }
    const before = yield* spent
    const { ours } = yield* alternately(sizes.rounds, { ours: ask(root, shape) })
    const after = yield* spent
    const { theirs } = plain === null || !isMeasured
      ? { theirs: [] }
      : yield* alternately(sizes.plainRounds, { theirs: ask(plain, shape) })
    const millis = ours.map((each) => each.millis)
    const theirMillis = theirs.map((each) => each.millis)
    if (isMeasured) times.push(median(millis) / median(theirMillis))
    const total = Schema.is(Total)(content) ? whole(content.total_matching) : "-"
    rows.push([
      shape.name,
      decimal(median(millis)),
      decimal(quantile(millis, 0.95)),
      decimal((after.database - before.database) / sizes.rounds),
      decimal((after.process - before.process) / sizes.rounds),
      total,
      ...slow === null
        ? []
        : [
          isMeasured ? whole(median(theirMillis)) : "> 10 s",
          isMeasured ? decimal(median(theirMillis) / median(millis)) : "-"
        ]
    ])
  }
  const report: Comparison = {
    title: sizes.dataDirectory === null
      ? `Each shape of a search over ${whole(sizes.properties)} properties, one request at a time`
      : `Each shape of a search over the properties in ${sizes.dataDirectory}, one request at a time`,
    columns: [
      "",
      "p50 ms",
      "p95 ms",
      "PostgreSQL CPU ms",
      "server CPU ms",
      "matches",
      ...plain === null ? [] : ["without an index, p50 ms", "times"]
    ],
    rows,
    notes: [],
    ratios: plain === null ? [] : [{
      what: "each shape of a search, the middle one, of the same without an index",
      value: median(times),
      goal: null
    }]
  }
  return report
})
