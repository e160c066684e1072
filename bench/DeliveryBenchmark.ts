/**
 * Webhooks: deliveries a second of one worker, beside a bare loop of the same signed POSTs and two queues over PostgreSQL
 * with the same duties (`delivery/GuardedPost.ts`, `delivery/Attempts.ts`), of what waits, and together with what it takes to
 * write that down; what one endpoint gets, quick or slow; and what the others get beside one that hangs and one that
 * drips; and what a claim costs beside all that waits.
 */
import { Effect, Redacted, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { alternately, median, medianRatio, quantile } from "./Alternation.ts"
import * as Child from "./Child.ts"
import type { Taken } from "./delivery/Orders.ts"
import * as Parked from "./delivery/Parked.ts"
import * as Scene from "./delivery/Scene.ts"
import * as SignedPost from "./delivery/SignedPost.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, serverCpuSeconds, settle, withClient } from "./Postgres.ts"
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

const decodeTaken = Schema.decodeUnknownEffect(Schema.Struct({ making: Schema.Finite, sending: Schema.Finite }))

interface Sample {
  /** Of what waits. */
  readonly perSecond: number
  /** Together with the making of what is to be sent. */
  readonly wholePerSecond: number
  /** Of the sending process. */
  readonly cpuMillis: number
  /** Of the database, with the making of what is to be sent. */
  readonly databaseMillis: number
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

  const start = yield* Freehold.published
  const server = yield* Freehold.serve(env, { start })
  const worker = yield* Child.start(start(["worker"], env))

  const freehold = (count: number, endpoints: number) =>
    withClient(url, (sql) =>
      Effect.gen(function*() {
        const begun = performance.now()
        yield* Scene.change(sql, count / endpoints)
        const told = yield* arrivals(count)
        yield* Scene.quiet(sql)
        return { told, seconds: (performance.now() - begun) / 1000 }
      }))

  /** A turn of a process, and what it and the database spent on it. */
  const sampled = Effect.fnUntraced(function*<E, R>(process: Child.Running, turn: Effect.Effect<Taken, E, R>) {
    const before = yield* serverCpuSeconds(url)
    const { cpuMillis, value: { making, sending } } = yield* Child.withCpu(process, turn)
    const databaseMillis = 1000 * ((yield* serverCpuSeconds(url)) - before)
    const sample: Sample = {
      perSecond: deliveries / sending * 1000,
      wholePerSecond: deliveries / (making + sending) * 1000,
      cpuMillis: cpuMillis / deliveries,
      databaseMillis: databaseMillis / deliveries
    }
    return sample
  })

  const fanOut = yield* Scene.fanningOut(url)
  /** The worker stands still while its deliveries are made, as the queues do. */
  const waiting = withClient(url, (sql) =>
    Effect.gen(function*() {
      process.kill(worker.pid, "SIGSTOP")
      const begun = performance.now()
      yield* Scene.change(sql, deliveries / SignedPost.paths.length)
      yield* fanOut
      const making = performance.now() - begun
      yield* sql`ANALYZE`
      const started = performance.now()
      process.kill(worker.pid, "SIGCONT")
      yield* arrivals(deliveries)
      yield* Scene.quiet(sql)
      return { making, sending: performance.now() - started }
    }))
  const wholeWay = Effect.map(
    freehold(deliveries, SignedPost.paths.length),
    ({ seconds }): Taken => ({ making: 0, sending: seconds * 1000 })
  )

  const contender = Effect.fnUntraced(function*(name: string) {
    const child = yield* Child.start({ command: process.execPath, args: [programOf(name)], env })
    if (name !== "BareLoop") yield* child.line(/^ready$/)
    const turn = Effect.flatMap(child.ask({ root, deliveries }), decodeTaken)
    return sampled(child, Effect.tap(turn, arrivals(deliveries)))
  })

  yield* Scene.subscribe(server, SignedPost.paths.map((path) => `${root}${path}`))
  const contenders = {
    bare: yield* contender("BareLoop"),
    freehold: sampled(worker, waiting),
    whole: sampled(worker, wholeWay),
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

  const names = [
    ["bare", "bare loop"],
    ["freehold", "freehold worker"],
    ["graphile", "graphile-worker, batches"],
    ["boss", "pg-boss, batches"],
    ["whole", "freehold worker, from the change"]
  ] as const
  const ofBare = (name: string, figure: "perSecond" | "cpuMillis") =>
    medianRatio(all(name, figure), all("bare", figure))
  const ofQueue = (name: string, figure: "perSecond" | "wholePerSecond") =>
    medianRatio(all("freehold", figure), all(name, figure))
  const report: Comparison = {
    title: `Webhooks: ${whole(deliveries)} small signed POSTs a turn to ten endpoints, ${rounds} rounds`,
    columns: ["", "a second", "of the bare loop", "with making them", "sender CPU ms each", "database"],
    rows: names.map(([name, words]) => [
      words,
      whole(median(all(name, "perSecond"))),
      decimal(ofBare(name, "perSecond"), 2),
      whole(median(all(name, "wholePerSecond"))),
      decimal(median(all(name, "cpuMillis")), 3),
      decimal(median(all(name, "databaseMillis")), 3)
    ]),
    notes: [
      "Each sends what waits: signed both ways, at most ten at once to an endpoint, its address vetted; it keeps an attempt row and a log row with what was sent.",
      "The worker alone has a lease for each, looks whether it may still be sent and told, meters, and makes what it sends of the change.",
      "The database's time is that of making and sending, and of the statistics of every table that are gathered in between.",
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
      ...([["graphile", "graphile-worker"], ["boss", "pg-boss"]] as const).flatMap(([name, words]) => [
        { what: `deliveries a second, of ${words}`, value: ofQueue(name, "perSecond"), goal: "at least 1" },
        {
          what: `the same with making what is sent, of ${words}`,
          value: ofQueue(name, "wholePerSecond"),
          goal: "at least 1"
        }
      ]),
      { what: "processor time of a delivery, of a bare POST", value: ofBare("freehold", "cpuMillis"), goal: null }
    ]
  }
  return report
})
