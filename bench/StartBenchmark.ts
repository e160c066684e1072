/**
 * How long the command takes to be of use, as it is published: `freehold serve` to the first answered `GET /me`, beside the
 * hand-written server; `freehold mcp` to the list of its tools; `freehold credits show` and `freehold --help` to their end.
 *
 * Contenders take turns. Wall time says little while the machine does something else, so the processor time stands beside it,
 * and the ratio to Node with an empty program in the same round.
 */
import { Effect, Redacted, Schedule } from "effect"
import { chmodSync, mkdirSync, rmSync } from "node:fs"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle } from "./Postgres.ts"
import { type Comparison, decimal, spread, whole } from "./Report.ts"

export interface Sizes {
  readonly rounds: number
}

/** Asks until the status is the expected one. */
const answers = (root: string, secret: string, status: number) =>
  Effect.tryPromise(() => fetch(`${root}/me`, { headers: { authorization: `Bearer ${secret}` } })).pipe(
    Effect.filterOrFail(
      (response) => response.status === status,
      (response) => new Child.ChildFailed({ program: root, detail: `answered ${response.status}` })
    ),
    Effect.retry(Schedule.spaced("5 millis")),
    Effect.timeout("30 seconds")
  )

/** Milliseconds, of the clock and of a processor. */
interface Sample {
  readonly millis: number
  readonly cpuMillis: number
}

/** Until the effect, which starts a process and waits for it, is done; the process lives on until the scope closes. */
const timed = <E, R>(started: Effect.Effect<Pick<Child.Running, "cpuSeconds">, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const begun = performance.now()
    const { cpuSeconds } = yield* started
    const millis = performance.now() - begun
    const sample: Sample = { millis, cpuMillis: 1000 * ((yield* cpuSeconds) ?? Number.NaN) }
    return sample
  }))

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } }
}

const listTools = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }

export const measure = Effect.fn("StartBenchmark.measure")(function*({ rounds }: Sizes) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_start")
  const { searcher } = Customers
  yield* Customers.apply(url, 0)
  const statements = yield* Baseline.capture(url, searcher, [])
  yield* settle(url)
  const start = yield* Freehold.published
  const onDatabase = { DATABASE_URL: Redacted.value(url) }

  const served = (env: Readonly<Record<string, string>>, status: number) =>
    timed(Effect.tap(Freehold.serve(env, { start }), ({ root }) => answers(root, searcher.secret, status)))
  const serve = served(onDatabase, 200)
  const baseline = timed(
    Effect.tap(Baseline.serve(url, statements, folder), ({ root }) => answers(root, searcher.secret, 200))
  )
  const mcp = timed(Effect.gen(function*() {
    const child = yield* Child.start(start(["mcp"], { ...onDatabase, FREEHOLD_API_KEY: searcher.secret }))
    yield* child.ask(initialize)
    yield* child.ask(listTools)
    return child
  }))
  const show = Child.run(start(["credits", "show", "--org", searcher.orgId], onDatabase))
  const help = Child.run(start(["--help"], {}))
  const node = Child.run({ command: process.execPath, args: ["--eval", "0"] })

  // Below a folder that other users may enter, since PostgreSQL does not run as root.
  const emptyFolder = (name: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const path = `${folder}/${name}`
        mkdirSync(path)
        chmodSync(path, 0o711)
        return path
      }),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
  // Nobody has a key yet: the answer to one that the database does not know is as good.
  const firstStart = Effect.scoped(
    Effect.flatMap(emptyFolder("first"), (path) => served({ FREEHOLD_DATA_DIR: path }, 401))
  )
  const existing = yield* emptyFolder("existing")
  yield* Child.run(
    start(["apply", "-"], { FREEHOLD_DATA_DIR: existing }),
    JSON.stringify(Customers.documentOf([searcher]))
  )
  const laterStart = served({ FREEHOLD_DATA_DIR: existing }, 200)

  // Fills the caches of the file system and Node's of compiled code.
  yield* Effect.forEach([serve, baseline, mcp, show, help], (each) => each)
  const samples: Readonly<Record<string, ReadonlyArray<Sample>>> = yield* alternately(rounds, {
    serve,
    baseline,
    mcp,
    show,
    help,
    node,
    laterStart,
    firstStart
  })
  const of = (name: string, figure: keyof Sample) => (samples[name] ?? []).map((sample) => sample[figure])
  const ofNode = (name: string, figure: keyof Sample) => medianRatio(of(name, figure), of("node", figure))
  const row = (title: string, name: string) => [
    title,
    whole(median(of(name, "millis"))),
    whole(median(of(name, "cpuMillis"))),
    decimal(ofNode(name, "millis")),
    decimal(ofNode(name, "cpuMillis"))
  ]
  const report: Comparison = {
    title: "Start to first answer, of the published command",
    columns: ["", "ms", "CPU ms", "ms, of node", "CPU, of node"],
    rows: [
      row("freehold serve, running database", "serve"),
      row("Fastify + pg, running database", "baseline"),
      row("freehold mcp, running database, to its tools", "mcp"),
      row("freehold credits show", "show"),
      row("freehold --help", "help"),
      row("node, an empty program", "node"),
      row("freehold serve, existing data directory (starts PostgreSQL)", "laterStart"),
      row("freehold serve, first start (makes the cluster, migrates)", "firstStart")
    ],
    notes: [
      "The first start is measured to the 401 that a key gets which its new database does not know.",
      ...([["serve", "freehold serve"], ["mcp", "freehold mcp"], ["show", "credits show"], ["node", "node"]] as const)
        .map((
          [name, words]
        ) => spread(words, of(name, "millis"), whole))
    ],
    ratios: ([["serve", "freehold serve"], ["mcp", "freehold mcp"], ["show", "credits show"]] as const).map((
      [name, words]
    ) => ({
      what: `${words} until it is of use, of node with an empty program`,
      value: ofNode(name, "millis"),
      goal: null
    }))
  }
  return report
})
