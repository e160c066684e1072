/**
 * Webhooks: deliveries a second of one worker, beside a bare loop of the same signed POSTs and two queues over PostgreSQL
 * with the same duties; what one endpoint gets, quick or slow; and what the others get beside one that hangs and one that
 * drips; and what a claim costs beside all that waits.
 */
import { Effect, Redacted, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { alternately, median, medianRatio, quantile } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Parked from "./delivery/Parked.ts"
import * as Scene from "./delivery/Scene.ts"
import * as SignedPost from "./delivery/SignedPost.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, spread, whole } from "./Report.ts"

export interface Sizes {
  /** Of one turn; a multiple of ten. */
  readonly deliveries: number
  readonly rounds: number
  /** To the endpoint that answers after 5 ms; that of 500 ms gets a twentieth. */
  readonly single: number
  /** Of events, beside slow neighbours. */
  readonly seconds: number
  /** What waits while a claim is measured. */
  readonly parked: { readonly endpoints: number; readonly retries: number }
}

const programOf = (name: string): string => fileURLToPath(new URL(`./delivery/${name}.ts`, import.meta.url))

const decodeArrivals = Schema.decodeUnknownEffect(Schema.Struct({
  lastAt: Schema.Finite,
  paths: Schema.Record(
    Schema.String,
    Schema.Struct({ requests: Schema.Int, atOnce: Schema.Int, delays: Schema.Array(Schema.Finite) })
  )
}))

interface Sample {
  readonly perSecond: number
  /** Of the sending process. */
  readonly cpuMillis: number
}

/** What is sent to the slow neighbours' sound ones. */
const eventsPerSecond = 200

export const measure = Effect.fn("DeliveryBenchmark.measure")(function*(sizes: Sizes) {
  const { database } = yield* Postgres
  const { deliveries, rounds, seconds, single } = sizes
  const url = yield* database("bench_delivery")
  const env = { DATABASE_URL: Redacted.value(url), ...Scene.settings }
  yield* Scene.prepare(url)

  const receiver = yield* Child.start({ command: process.execPath, args: [programOf("Receiver")] })
  const [, port = ""] = yield* receiver.line(/^port (\d+)$/)
  const root = `http://127.0.0.1:${port}`
  const arrivals = (count: number) => Effect.flatMap(receiver.ask({ arrivals: count }), decodeArrivals)

  const server = yield* Freehold.serve(env)
  const worker = yield* Child.start(Freehold.program(["worker"], env))

  const freehold = (count: number, endpoints: number) =>
    withClient(url, (sql) =>
      Effect.gen(function*() {
        const begun = performance.now()
        yield* Scene.change(sql, count / endpoints)
        const told = yield* arrivals(count)
        yield* Scene.quiet(sql)
        return { told, seconds: (performance.now() - begun) / 1000 }
      }))

  const product = Effect.gen(function*() {
    const { cpuMillis, value } = yield* Child.withCpu(worker, freehold(deliveries, SignedPost.paths.length))
    return { perSecond: deliveries / value.seconds, cpuMillis: cpuMillis / deliveries }
  })

  const contender = Effect.fnUntraced(function*(name: string) {
    const child = yield* Child.start({ command: process.execPath, args: [programOf(name)], env })
    if (name !== "BareLoop") yield* child.line(/^ready$/)
    return Effect.gen(function*() {
      const { cpuMillis, value } = yield* Child.withCpu(child, child.ask({ root, deliveries }))
      const millis = yield* Schema.decodeUnknownEffect(Schema.Finite)(value)
      yield* arrivals(deliveries)
      return { perSecond: deliveries / millis * 1000, cpuMillis: cpuMillis / deliveries }
    })
  })

  yield* Scene.subscribe(server, SignedPost.paths.map((path) => `${root}${path}`))
  const contenders = {
    bare: yield* contender("BareLoop"),
    freehold: product,
    graphile: yield* contender("GraphileJobs"),
    boss: yield* contender("PgBossJobs")
  }
  // Statements are prepared, connections made and code compiled.
  yield* Effect.forEach(Object.values(contenders), (each) => each)
  yield* settle(url)
  const samples: { readonly [name: string]: ReadonlyArray<Sample> } = yield* alternately(rounds, contenders)
  const all = (name: string, figure: keyof Sample) => (samples[name] ?? []).map((sample) => sample[figure])

  const alone = Effect.fnUntraced(function*(path: string, count: number) {
    yield* Scene.subscribe(server, [`${root}${path}`])
    const { told, seconds } = yield* freehold(count, 1)
    return [path, whole(count / seconds), whole(told.paths[path]?.atOnce ?? Number.NaN)]
  })
  yield* alone("/after/5/warm", single / 2)
  const quick = yield* alone("/after/5/alone", single)
  const slow = yield* alone("/after/500/alone", single / 20)

  const beside = Effect.fnUntraced(function*(title: string, neighbours: ReadonlyArray<string>) {
    const sound = ["/told/0", "/told/1"]
    yield* Scene.subscribe(server, [...neighbours, ...sound].map((path) => `${root}${path}`))
    const events = eventsPerSecond * seconds
    yield* withClient(url, (sql) =>
      Effect.forEach(
        Array.from({ length: seconds * 10 }),
        () => Effect.andThen(Effect.forkChild(Scene.change(sql, eventsPerSecond / 10)), Effect.sleep("100 millis")),
        { discard: true }
      ))
    const told = yield* arrivals(sound.length * events)
    const delays = sound.flatMap((path) => told.paths[path]?.delays ?? [])
    return [title, ...[0.5, 0.99, 1].map((share) => whole(quantile(delays, share)))]
  })
  const without = yield* beside("two endpoints alone", [])
  const hanging = yield* beside("beside one that hangs and one that drips", ["/never/0", "/drip/0"])
  yield* Scene.subscribe(server, [])

  const claim = yield* Parked.measure(yield* database("bench_claims"), sizes.parked)

  const names = [["bare", "bare loop"], ["freehold", "freehold worker"], ["graphile", "graphile-worker, batches"], [
    "boss",
    "pg-boss, batches"
  ]] as const
  const ofBare = (name: string, figure: "perSecond" | "cpuMillis") =>
    medianRatio(all(name, figure), all("bare", figure))
  const report: Comparison = {
    title: `Webhooks: ${whole(deliveries)} small signed POSTs a turn to ten endpoints, ${rounds} rounds`,
    columns: ["", "a second", "of the bare loop", "sender CPU ms each"],
    rows: names.map(([name, words]) => [
      words,
      whole(median(all(name, "perSecond"))),
      decimal(ofBare(name, "perSecond"), 2),
      decimal(median(all(name, "cpuMillis")), 3)
    ]),
    notes: [
      ...names.map(([name, words]) => spread(words, all(name, "perSecond"), whole)),
      ...[quick, slow].map(([path, perSecond, atOnce]) =>
        `One endpoint that answers after ${path?.split("/")[2]} ms: ${perSecond} a second, at most ${atOnce} at once`
      ),
      ...[without, hanging].map(([title, p50, p99, most]) =>
        `${eventsPerSecond} events a second, ${title}: ${p50} ms from the change to its arrival, p99 ${p99} ms, at most ${most} ms`
      ),
      ...([["alone", claim.alone], [
        `beside ${whole(sizes.parked.endpoints)} endpoints with ${whole(sizes.parked.retries)} retries that wait`,
        claim.among
      ]] as const).map(([title, { blocks, millis }]) =>
        `A claim of 100 deliveries, ${title}: ${decimal(millis)} ms, ${whole(blocks)} blocks`
      )
    ],
    ratios: [
      {
        what: "deliveries a second, of a bare loop of POSTs",
        value: ofBare("freehold", "perSecond"),
        goal: "at least 0.4"
      },
      { what: "processor time of a delivery, of a bare POST", value: ofBare("freehold", "cpuMillis"), goal: null }
    ]
  }
  return report
})
