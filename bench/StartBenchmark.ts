/**
 * From the start of the process to the first answered request, `GET /me`, of `freehold serve` and of the hand-written
 * server; and of `freehold --help`, which answers without a database.
 */
import { Effect, Redacted, Schedule } from "effect"
import { chmodSync, mkdirSync, rmSync } from "node:fs"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle } from "./Postgres.ts"
import { decimal, type Report, spread, whole } from "./Report.ts"

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

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const begun = performance.now()
    return Effect.map(effect, () => performance.now() - begun)
  })

export const measure = Effect.fn("StartBenchmark.measure")(function*({ rounds }: Sizes) {
  const { database, folder } = yield* Postgres
  const url = yield* database("bench_start")
  const { searcher } = Customers
  yield* Customers.apply(url, 0)
  const statements = yield* Baseline.capture(url, searcher, [])
  yield* settle(url)

  const started = (env: Readonly<Record<string, string>>, secret: string, status: number) =>
    Effect.scoped(timed(Effect.flatMap(Freehold.serve(env), ({ root }) => answers(root, secret, status))))
  const onRunningDatabase = started({ DATABASE_URL: Redacted.value(url) }, searcher.secret, 200)
  const baseline = Effect.scoped(timed(
    Effect.flatMap(Baseline.serve(url, statements, folder), ({ root }) => answers(root, searcher.secret, 200))
  ))
  const help = Effect.map(Child.run(Freehold.program(["--help"], {})), ({ millis }) => millis)
  const node = Effect.map(Child.run({ command: process.execPath, args: ["--eval", "0"] }), ({ millis }) => millis)

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
    Effect.flatMap(emptyFolder("first"), (path) => started({ FREEHOLD_DATA_DIR: path }, searcher.secret, 401))
  )
  const existing = yield* emptyFolder("existing")
  yield* Child.run(
    Freehold.program(["apply", "-"], { FREEHOLD_DATA_DIR: existing }),
    JSON.stringify(Customers.documentOf([searcher]))
  )
  const laterStart = started({ FREEHOLD_DATA_DIR: existing }, searcher.secret, 200)

  // Fills the caches of the file system and Node's of compiled code.
  yield* onRunningDatabase
  yield* baseline
  const samples = yield* alternately(rounds, { onRunningDatabase, baseline, help, node, laterStart, firstStart })

  const row = (title: string, values: ReadonlyArray<number>) => [
    title,
    whole(median(values)),
    decimal(medianRatio(values, samples.baseline), 2)
  ]
  const report: Report = {
    title: "Start to first answer",
    columns: ["", "ms", "of Fastify"],
    rows: [
      row("freehold serve, running database", samples.onRunningDatabase),
      row("Fastify + pg, running database", samples.baseline),
      row("freehold serve, existing data directory (starts PostgreSQL)", samples.laterStart),
      row("freehold serve, first start (makes the cluster, migrates)", samples.firstStart),
      row("freehold --help", samples.help),
      row("node, an empty program", samples.node)
    ],
    notes: [
      "The first start is measured to the 401 that a key gets which its new database does not know.",
      spread("freehold, running database", samples.onRunningDatabase, whole),
      spread("Fastify", samples.baseline, whole)
    ]
  }
  return report
})
