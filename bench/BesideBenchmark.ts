/**
 * What imports cost others: a search of one county while properties are imported against the same before and after, and three
 * imports of properties at once against one alone. All into tables that are full already, by the published command.
 */
import { Effect, Fiber, Redacted } from "effect"
import { alternately, median, medianRatio, quantile } from "./Alternation.ts"
import { ask, type Request } from "./Answers.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle } from "./Postgres.ts"
import { type Comparison, decimal, whole } from "./Report.ts"
import * as SampleRows from "./SampleRows.ts"

export interface Sizes {
  /** That are there before. */
  readonly properties: number
  /** Rows of each import. */
  readonly more: number
  /** Searches before, and again after, an import. */
  readonly searches: number
  readonly rounds: number
}

/** How many run at once. */
const together = 3

/** A searcher pauses so long between two requests: somebody who reads the answers, and keeps no core busy. */
const pauseMillis = 20

/** How an answer begins that is what was asked for. */
const success = `{"success":true`

const search: Request = {
  method: "POST",
  path: "/properties/search",
  body: JSON.stringify({ filters: { countyFips: ["48001"] }, limit: 50 })
}

/** The milliseconds until the whole answer is there. */
const millisOf = (root: string) =>
  Effect.gen(function*() {
    const begun = performance.now()
    const answer = yield* ask(root, search)
    const millis = performance.now() - begun
    return answer.startsWith(success)
      ? millis
      : yield* new Child.ChildFailed({ program: "search", detail: answer.slice(0, 500) })
  })

export const measure = Effect.fn("BesideBenchmark.measure")(function*(sizes: Sizes) {
  const { more, properties, rounds, searches } = sizes
  const { database, folder } = yield* Postgres
  const start = yield* Freehold.published
  const url = yield* database("bench_beside")
  let top = 0
  /** A file of properties that are not there yet. */
  const fileOf = (name: string, count: number): string => {
    const file = `${folder}/${name}.ndjson`
    SampleRows.writeNdjson(file, { first: top + 1, last: top + count })
    top += count
    return file
  }
  const load = (file: string) => Freehold.run(url, ["import", "properties", file, "--json"], undefined, start)
  yield* load(fileOf("first", properties))
  yield* Customers.apply(url, 0)
  yield* settle(url)
  const { root } = yield* Freehold.serve({ DATABASE_URL: Redacted.value(url) }, { start })

  const one = Effect.delay(millisOf(root), pauseMillis)
  const some = Effect.all(Array.from({ length: searches }, () => one))
  const searching = Effect.gen(function*() {
    yield* settle(url)
    const before = yield* some
    const importing = yield* Effect.forkChild(load(fileOf("beside", more)))
    const during: Array<number> = []
    while (importing.pollUnsafe() === undefined) during.push(yield* one)
    yield* Fiber.join(importing)
    return { quiet: [...before, ...(yield* some)], during }
  })
  const alone = Effect.gen(function*() {
    yield* settle(url)
    return (yield* load(fileOf("alone", more))).millis
  })
  const atOnce = Effect.gen(function*() {
    yield* settle(url)
    const files = Array.from({ length: together }, (_, n) => fileOf(`together-${n}`, more))
    const done = yield* Effect.forEach(files, load, { concurrency: together })
    return done.map(({ millis }) => millis)
  })

  const turns = yield* alternately(rounds, { searching })
  const loads = yield* alternately(rounds, { alone: Effect.map(alone, (millis) => [millis]), atOnce })
  const quiet = turns.searching.map((turn) => turn.quiet)
  const during = turns.searching.map((turn) => turn.during)
  const row = (name: string, samples: ReadonlyArray<ReadonlyArray<number>>) => [
    name,
    decimal(median(samples.flat())),
    decimal(quantile(samples.flat(), 0.95)),
    whole(samples.flat().length)
  ]
  const slowest = loads.atOnce.map((millis) => Math.max(...millis))
  const single = loads.alone.flat()
  const report: Comparison = {
    title: `Beside imports of ${whole(more)} properties into ${whole(properties)}`,
    columns: ["", "p50 ms", "p95 ms", "samples"],
    rows: [
      row("a search of one county, quiet", quiet),
      row("the same during an import", during),
      row("one import alone", loads.alone),
      row(`each of ${together} imports at once`, loads.atOnce)
    ],
    notes: [],
    ratios: [
      {
        what: "a search during an import, of the same without",
        value: medianRatio(during.map(median), quiet.map(median)),
        goal: "at most 1.5"
      },
      {
        what: `the time of ${together} imports at once, of one after the other`,
        value: medianRatio(slowest, single.map((millis) => together * millis)),
        goal: "at most 1"
      }
    ]
  }
  return report
})
