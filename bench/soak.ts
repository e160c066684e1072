/**
 * Half of the peak for minutes, with everything at once: `node bench/soak.ts [--minutes N]`.
 *
 * REST and tools of several organizations, unlocks, imports, and webhooks to a receiver of its own; PostgreSQL is restarted
 * in the middle. Prints two tables. Exit code 1: something was answered otherwise than as asked for outside the seconds of the
 * restart, a delivery was lost, a law of credits is broken, or memory or a table grew.
 */
import { NodeRuntime } from "@effect/platform-node"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { postmasterOf } from "@freehold/cli/testing/availability/ProcessTree"
import { Console, Effect, Fiber, Redacted, Schedule, Schema } from "effect"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { quantile } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as Machine from "./Machine.ts"
import * as PostgresServer from "./Postgres.ts"
import { decimal, format, whole } from "./Report.ts"
import type { Order } from "./soak/Clients.ts"
import * as Imports from "./soak/Imports.ts"
import { kinds, type Scene, unlockPath } from "./soak/Mix.ts"
import * as Samples from "./soak/Samples.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } })
const minutes = Number(values.minutes)

const programOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const customers = Array.from({ length: 8 }, (_, index) => Customers.buyer(index + 1))

/** Of the customers: those that are told of sales. */
const subscribers = customers.slice(0, 2)

const scene: Scene = {
  secrets: customers.map(({ secret }) => secret),
  properties: 20_000,
  unlocked: 100,
  counties: 10
}

/** How long the peak is measured, in seconds; what is loaded at the first request is loaded then. */
const peakSeconds = Math.max(10, Math.min(60, 6 * minutes))

const seconds = 60 * minutes

/** What is not judged: caches fill, and tables get the size that they work with. */
const warmUp = seconds / 4

/** After the restart everything has to be as before within so many seconds. */
const mostSecondsAway = 15

const sampleEvery = Math.max(1, Math.min(5, seconds / 60))

/** Not more often than what they leave behind is vacuumed, unless there is little time. */
const importEvery = Math.max(10, Math.min(60, seconds / 5))

const Latencies = Schema.Array(Schema.Finite)

const decodeOutcome = Schema.decodeUnknownEffect(Schema.Struct({
  seconds: Schema.Finite,
  latencies: Schema.Struct({
    me: Latencies,
    search: Latencies,
    detail: Latencies,
    feed: Latencies,
    tool: Latencies,
    unlock: Latencies
  }),
  faults: Schema.Array(Schema.Struct({
    sent: Schema.Finite,
    came: Schema.Finite,
    kind: Schema.Literals(kinds),
    status: Schema.Int
  })),
  atOnce: Schema.Int
}))
type Outcome = Effect.Success<ReturnType<typeof decodeOutcome>>

const decodeArrivals = Schema.decodeUnknownEffect(Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Struct({ requests: Schema.Int }))
}))

/** One that nothing listens on at the moment. */
const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const bound = probe.address()
    probe.close(() => resume(Effect.succeed(typeof bound === "object" && bound !== null ? bound.port : 0)))
  })
})

/** Of the clock that all processes share. */
const now = (): number => performance.timeOrigin + performance.now()

const answeredOf = ({ latencies }: Outcome): number => kinds.reduce((sum, kind) => sum + latencies[kind].length, 0)

const post = (root: string, path: string, secret: string, body: object) =>
  Effect.tryPromise(() =>
    fetch(`${root}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  ).pipe(
    Effect.filterOrFail(
      ({ status }) => status === 200,
      ({ status }) => new Child.ChildFailed({ program: `POST ${path}`, detail: `answered ${status}` })
    ),
    Effect.flatMap((response) => Effect.promise(() => response.arrayBuffer()))
  )

/** Stops PostgreSQL, whose guard starts it again; answers when that began and when the server was ready again. */
const restart = Effect.fnUntraced(function*(dataDirectory: string, root: string) {
  const began = now()
  process.kill(postmasterOf(dataDirectory), "SIGINT")
  const ready = Effect.tryPromise(() => fetch(new URL("/readyz", root))).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.orElseSucceed(() => false)
  )
  const until = (expected: boolean) =>
    Effect.repeat(ready, { until: (is) => is === expected, schedule: Schedule.spaced("50 millis") })
  // It is quick enough that nobody may have asked in between.
  yield* Effect.timeoutOption(until(false), "3 seconds")
  yield* Effect.timeoutOption(until(true), `${2 * mostSecondsAway} seconds`)
  return { began, ended: now() + 1000 }
})

const run = Effect.gen(function*() {
  const { database, folder } = yield* PostgresServer.Postgres
  const facts = yield* Machine.facts
  yield* Console.log(`${facts.map((fact) => `- ${fact}`).join("\n")}\n`)
  const url = yield* database("soak")
  const { counties, properties: count } = scene
  yield* PostgresServer.withClient(
    url,
    () => Effect.andThen(SyntheticProperties.load({ count, counties }), SyntheticProperties.researchAll)
  )
  yield* Customers.apply(url, customers.length)
  const imports = Imports.make(url, folder)
  yield* imports.properties(0)

  const receiver = yield* Child.start({ command: process.execPath, args: [programOf("./delivery/Receiver.ts")] })
  const [, port = ""] = yield* receiver.line(/^port (\d+)$/)
  const watched = `127.0.0.1:${yield* freePort}`
  const server = yield* Freehold.serve({
    DATABASE_URL: Redacted.value(url),
    FREEHOLD_WEBHOOK_TARGETS: "any",
    FREEHOLD_WATCH_ADDRESS: watched,
    LOG_LEVEL: "none"
  }, { worker: true })
  for (const [place, { secret }] of subscribers.entries()) {
    const url = `http://127.0.0.1:${port}/at-once/${place}`
    yield* post(server.root, "/webhooks", secret, { url, events: ["signal.sale"] })
  }

  for (let property = 1; property <= scene.unlocked; property++) {
    yield* Effect.forEach(scene.secrets, (secret) => post(server.root, unlockPath(property), secret, {}), {
      concurrency: "unbounded",
      discard: true
    })
  }

  const clients = yield* Child.start({ command: process.execPath, args: [programOf("./soak/Clients.ts")] })
  const ask = (order: Pick<Order, "perSecond" | "seconds">) =>
    Effect.flatMap(clients.ask({ root: server.root, scene, clients: 16, ...order }), decodeOutcome)

  yield* Console.error(`the peak, for ${whole(peakSeconds)} s ...`)
  const peak = yield* ask({ seconds: peakSeconds, perSecond: null })
  const perSecond = Math.max(1, Math.floor(answeredOf(peak) / peak.seconds / 2))

  yield* Console.error(`half of it, ${whole(perSecond)} requests a second, for ${decimal(minutes)} minutes ...`)
  const samples: Array<Samples.Sample> = []
  const sampling = Samples.take(url, {
    dataDirectory: folder,
    metrics: `http://${watched}/metrics`,
    server: server.pid
  }).pipe(
    Effect.tap((sample) => Effect.sync(() => samples.push(sample))),
    // The database is away for a moment in the middle.
    Effect.ignore,
    Effect.repeat(Schedule.spaced(`${sampleEvery} seconds`))
  )
  let rounds = 0
  const brokenImports: Array<number> = []
  const loading = Effect.gen(function*() {
    const round = rounds + 1
    // What the restart broke is run again.
    const again = Effect.retry({ times: 5, schedule: Schedule.spaced("2 seconds") })
    const told = Effect.tapError(() => Effect.sync(() => brokenImports.push(now())))
    yield* again(told(imports.properties(round)))
    yield* again(told(imports.changes(round)))
    rounds = round
    yield* Effect.sleep(`${importEvery} seconds`)
  }).pipe(Effect.forever)
  const begun = performance.now() / 1000
  const answering = yield* Effect.forkChild(ask({ seconds, perSecond }))
  const watching = yield* Effect.forkChild(sampling)
  const importing = yield* Effect.forkChild(loading)
  yield* Effect.sleep(`${seconds / 2} seconds`)
  const away = yield* restart(folder, server.root)
  const outcome = yield* Fiber.join(answering)
  yield* Fiber.interrupt(watching)
  yield* Fiber.interrupt(importing)

  yield* Console.error("what is left to deliver ...")
  const expected = subscribers.length * Imports.sales * rounds
  const arrived = yield* receiver.ask({ arrivals: expected }).pipe(
    Effect.flatMap(decodeArrivals),
    Effect.map(({ paths }) => Object.values(paths).reduce((sum, { requests }) => sum + requests, 0)),
    Effect.timeoutOrElse({ duration: "2 minutes", orElse: () => Effect.succeed(Number.NaN) })
  )
  const laws = yield* Effect.result(Freehold.run(url, ["audit"]))

  const isAway = (at: number): boolean => at >= away.began && at <= away.ended
  const meanwhile = outcome.faults.filter(({ came, sent }) => isAway(sent) || isAway(came))
  const otherwise = outcome.faults.filter((fault) => !meanwhile.includes(fault))
  const secondsAway = (away.ended - away.began) / 1000
  const felt = Math.max(0, ...meanwhile.map(({ came }) => came - away.began)) / 1000
  const trends = Samples.trendsOf(samples.filter(({ at }) => at >= begun + warmUp && at <= begun + seconds))
  const grown = trends.filter(({ flat }) => !flat)

  yield* Console.log(format({
    title: `${decimal(minutes)} minutes at ${whole(perSecond)} requests a second, half of the peak`,
    columns: ["", "answered", "p50 ms", "p99 ms", "otherwise, in the restart", "otherwise, at any other time"],
    rows: kinds.map((kind) => {
      const times = outcome.latencies[kind]
      const count = (faults: Outcome["faults"]) => whole(faults.filter((fault) => fault.kind === kind).length)
      return [
        kind,
        whole(times.length),
        decimal(quantile(times, 0.5)),
        decimal(quantile(times, 0.99)),
        count(meanwhile),
        count(otherwise)
      ]
    }),
    notes: [
      `PostgreSQL was restarted in the middle; the last answer that told of it came ${decimal(felt)} s later. At most`
      + ` ${whole(outcome.atOnce)} requests were under way at once.`,
      `${whole(rounds)} imports of ${whole(Imports.rows)} properties and ${whole(Imports.sales)} sales;`
      + ` ${whole(brokenImports.length)} were broken and run again. ${whole(arrived)} deliveries arrived of at least`
      + ` ${whole(expected)}.`
    ]
  }))
  const mebibytes = (bytes: number) => decimal(bytes / 2 ** 20)
  const shown = trends.filter(({ flat, growth, middle }) => !flat || middle >= 2 ** 20 || growth >= 2 ** 18)
  yield* Console.log(format({
    title: `Growth in the last ${decimal((seconds - warmUp) / 60)} minutes, beyond what new rows of a table take`,
    columns: ["", "middle MiB", "growth MiB", "tolerated MiB", "flat"],
    rows: shown.map(({ flat, growth, middle, name, tolerated }) => [
      name,
      mebibytes(middle),
      mebibytes(growth),
      mebibytes(tolerated),
      flat ? "yes" : "no"
    ]),
    notes: [`${whole(trends.length - shown.length)} smaller tables were flat.`]
  }))

  const first = otherwise[0]
  const broken = [
    ...first === undefined
      ? []
      : [
        `${otherwise.length} requests were answered otherwise than as asked for, the first of ${first.kind}: ${first.status}`
      ],
    ...secondsAway > mostSecondsAway ? [`the restart was felt for ${decimal(secondsAway)} s`] : [],
    ...brokenImports.filter((at) => !isAway(at)).map(() => "an import failed outside the restart"),
    ...arrived >= expected ? [] : [`fewer than ${expected} deliveries arrived`],
    ...laws._tag === "Failure" ? [laws.failure.message] : [],
    ...grown.map(({ name }) => `${name} grew`)
  ]
  for (const fault of broken) yield* Console.error(`broken: ${fault}`)
  if (broken.length > 0) process.exitCode = 1
})

if (minutes >= 0.5 && minutes <= 24 * 60) {
  Effect.scoped(run).pipe(Effect.provide(PostgresServer.layer), NodeRuntime.runMain)
} else {
  console.error("--minutes must be a number from 0.5 to 1440.")
  process.exitCode = 2
}
