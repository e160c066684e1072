/**
 * Paid unlocks a second, each of another property: over HTTP, in process without HTTP, and by `pgbench` with the same
 * statements and as many clients; on one organization, and on many. And on one organization over HTTP by two servers over
 * the same database, against one with as many clients.
 */
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { alternately, median, medianRatio, quantile } from "./Alternation.ts"
import * as Child from "./Child.ts"
import * as Customers from "./Customers.ts"
import * as Freehold from "./Freehold.ts"
import * as Load from "./Load.ts"
import * as PgbenchScripts from "./PgbenchScripts.ts"
import { environmentOf, Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, spread, whole } from "./Report.ts"
import { type Captured, statementsOf } from "./StatementCapture.ts"
import * as UnlockInProcess from "./UnlockInProcess.ts"

export interface Sizes {
  /** Unlocks of one turn; a multiple of 16. */
  readonly unlocks: number
  readonly rounds: number
  readonly organizations: number
}

/** pgbench's scripts count on it. */
const clients = 16

const inProcessProgram = fileURLToPath(new URL("./UnlockInProcess.ts", import.meta.url))

const InProcessOutcome = Schema.Struct({ seconds: Schema.Finite, charged: Schema.Int })

/** Of one turn; what is not known of a contender is NaN. */
interface Sample {
  readonly perSecond: number
  readonly p99: number
  readonly cpuMillis: number
}

const contendersShown = [
  ["http", "HTTP"],
  ["inProcess", "in process, no HTTP"],
  ["same", "pgbench, same statements"],
  ["lockFirst", "pgbench, lock first"],
  ["single", "pgbench, one function"]
] as const

const known = (value: number, digits: number): string => Number.isNaN(value) ? "-" : decimal(value, digits)

/** Those of one unlock that decides before it locks, and of one within a transaction. */
const statementsFrom = (
  first: ReadonlyArray<Captured>,
  inTransaction: ReadonlyArray<Captured>
): PgbenchScripts.UnlockStatements => {
  const [authorize, standing, snapshot, commit, ...others] = first
  const [open, within, ...more] = inTransaction.slice(2)
  const calls = (captured: Captured | undefined, name: string): captured is Captured =>
    captured?.text.includes(`${name}(`) === true
  if (
    !calls(authorize, " authorize") || standing === undefined || !calls(snapshot, " ledger_snapshots")
    || !calls(commit, " ledger_commit_all") || !calls(open, " ledger_open_all") || !calls(within, " ledger_commit_all")
    || others.length > 0 || more.length > 0
  ) {
    const texts = [...first, ...inTransaction].map(({ text }) => text)
    throw new Error(`an unlock sends other statements than expected: ${texts.join(";\n")}`)
  }
  return { authorize, standing, snapshot, commit, open }
}

const processed = /number of transactions actually processed: (\d+)\/(\d+)/
const failed = /number of failed transactions: (\d+)/
const perSecond = /tps = ([\d.]+)/

export const measure = Effect.fn("UnlockBenchmark.measure")(function*(sizes: Sizes) {
  const { database, folder } = yield* Postgres
  const { organizations, rounds, unlocks } = sizes
  const url = yield* database("bench_unlock")
  // Two for the capture; a warm-up of each server and of the driver, every turn of both scenes, and two of processes take
  // new ones.
  const properties = 2 + 3 * unlocks + 2 * (contendersShown.length + 1) * rounds * unlocks
  yield* withClient(url, (sql) =>
    SyntheticProperties.load({ count: properties, counties: 10 }).pipe(
      Effect.andThen(SyntheticProperties.researchAll),
      Effect.andThen(sql.unsafe("VACUUM ANALYZE property_research"))
    ))
  const probe = Customers.buyer(organizations + 1)
  yield* Customers.apply(url, organizations + 1)

  const statements = yield* Effect.gen(function*() {
    const unlock = yield* UnlockInProcess.unlocker
    const sql = yield* SqlClient.SqlClient
    const order = (n: number) => ({ secret: probe.secret, propertyId: SyntheticProperties.propertyId(n) })
    return statementsFrom(
      yield* statementsOf(unlock(order(1))),
      yield* statementsOf(sql.withTransaction(unlock(order(2))))
    )
  }).pipe(Effect.provide(UnlockInProcess.layer(url)))
  const withPgbench = yield* Child.isInstalled("pgbench")
  const [settings] = yield* withClient(
    url,
    (sql) =>
      Effect.forEach(PgbenchScripts.preparation(statements, organizations), (text) => sql.unsafe(text)).pipe(
        Effect.andThen(sql<{ readonly revision: number; readonly now: number }>`
        SELECT max(revision)::int AS revision, to_millis(now())::float8 AS now FROM organization`)
      )
  )
  yield* withClient(
    url,
    (sql) => sql.unsafe("VACUUM ANALYZE organization, credential, credit_account, credit_entry, credit_grant")
  )
  yield* settle(url)

  const start = yield* Freehold.published
  const server = Freehold.serve({ DATABASE_URL: Redacted.value(url) }, { start })
  const product = yield* server
  const second = yield* server
  const inProcess = yield* Child.start({
    command: process.execPath,
    args: [inProcessProgram],
    env: { DATABASE_URL: Redacted.value(url) }
  })
  const load = yield* Load.make
  const secondLoad = yield* Load.make

  let next = 3
  /** The next so many properties, each with the customer that unlocks it. */
  const take = (buyers: number) => {
    const first = next
    next += unlocks
    return Array.from({ length: unlocks }, (_, index) => ({
      propertyId: SyntheticProperties.propertyId(first + index),
      secret: Customers.buyer(1 + (first + index) % buyers).secret
    }))
  }

  /** One turn of a load generator: a request for each of the orders. */
  const unlocking = (
    generator: typeof load,
    { root }: Freehold.Serving,
    clients: number,
    orders: ReturnType<typeof take>
  ) =>
    generator({
      root,
      clients,
      until: { requests: orders.length },
      method: "POST",
      requests: orders.map(({ propertyId, secret }) => ({ path: `/properties/${propertyId}/unlock`, body: "", secret }))
    })
  const overHttp = (buyers: number, server = product) =>
    Effect.gen(function*() {
      const { cpuMillis, value } = yield* Child.withCpu(server, unlocking(load, server, clients, take(buyers)))
      return {
        perSecond: unlocks / value.millis * 1000,
        p99: quantile(value.latencies, 0.99),
        cpuMillis: cpuMillis / unlocks
      }
    })
  /** Both load generators at once on one organization, each on a server of its own or on the same. */
  const shared = (other: Freehold.Serving) =>
    Effect.gen(function*() {
      const orders = take(1)
      const half = unlocks / 2
      const turns = Effect.all([
        unlocking(load, product, clients / 2, orders.slice(0, half)),
        unlocking(secondLoad, other, clients / 2, orders.slice(half))
      ], { concurrency: "unbounded" })
      const { cpuMillis: ofOther, value: { cpuMillis, value } } = yield* Child.withCpu(
        other,
        Child.withCpu(product, turns)
      )
      return {
        perSecond: unlocks / Math.max(...value.map(({ millis }) => millis)) * 1000,
        p99: quantile(value.flatMap(({ latencies }) => latencies), 0.99),
        cpuMillis: (other === product ? cpuMillis : cpuMillis + ofOther) / unlocks
      }
    })
  const withoutHttp = (buyers: number) =>
    Effect.gen(function*() {
      const { cpuMillis, value } = yield* Child.withCpu(inProcess, inProcess.ask({ clients, unlocks: take(buyers) }))
      const { charged, seconds } = yield* Schema.decodeUnknownEffect(InProcessOutcome)(value)
      if (charged !== 10 * unlocks) {
        return yield* new Child.ChildFailed({ program: "unlock in process", detail: `charged ${charged} credits` })
      }
      return { perSecond: unlocks / seconds, p99: Number.NaN, cpuMillis: cpuMillis / unlocks }
    })
  const pgbench = (name: string, script: string) => {
    const file = `${folder}/${name}.sql`
    writeFileSync(file, script)
    return (buyers: number) =>
      Effect.gen(function*() {
        const first = next
        next += unlocks
        const variables = { first, buyers, now: settings?.now ?? 0, revision: settings?.revision ?? 1, i: -1 }
        const { stdout } = yield* Child.run({
          command: "pgbench",
          args: [
            "--no-vacuum",
            "--protocol=prepared",
            `--file=${file}`,
            `--client=${clients}`,
            `--transactions=${unlocks / clients}`,
            ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`)
          ],
          env: environmentOf(url)
        })
        const [, done, asked] = processed.exec(stdout) ?? []
        if (done !== asked || failed.exec(stdout)?.[1] !== "0") {
          return yield* new Child.ChildFailed({ program: "pgbench", detail: stdout })
        }
        return { perSecond: Number(perSecond.exec(stdout)?.[1]), p99: Number.NaN, cpuMillis: Number.NaN }
      })
  }
  const same = pgbench("same", PgbenchScripts.sameStatements(statements))
  const lockFirst = pgbench("lock-first", PgbenchScripts.lockFirst(statements))
  const single = pgbench("single", PgbenchScripts.singleFunction(statements))

  yield* overHttp(organizations)
  yield* overHttp(organizations, second)
  yield* withoutHttp(organizations)

  const scene = Effect.fnUntraced(function*(title: string, buyers: number, goal: string) {
    const product = { http: overHttp(buyers), inProcess: withoutHttp(buyers) }
    const samples: { readonly [name: string]: ReadonlyArray<Sample> } = withPgbench
      ? yield* alternately(rounds, {
        ...product,
        same: same(buyers),
        lockFirst: lockFirst(buyers),
        single: single(buyers)
      })
      : yield* alternately(rounds, product)
    const all = (name: string, figure: keyof Sample) => (samples[name] ?? []).map((sample) => sample[figure])
    const middle = (name: string, figure: keyof Sample) => median(all(name, figure))
    const ofPgbench = (name: string) => medianRatio(all(name, "perSecond"), all("same", "perSecond"))
    const shown = contendersShown.filter(([name]) => samples[name] !== undefined)
    return {
      rows: shown.map(([name, words]) => [
        `${title}: ${words}`,
        whole(middle(name, "perSecond")),
        withPgbench ? decimal(ofPgbench(name), 2) : "-",
        known(middle(name, "p99"), 1),
        known(middle(name, "cpuMillis"), 2)
      ]),
      notes: shown.map(([name, words]) => spread(`${title}, ${words}`, all(name, "perSecond"), whole)),
      ratios: withPgbench
        ? [{ what: `${title}: unlocks a second over HTTP, of pgbench`, value: ofPgbench("http"), goal }]
        : []
    }
  })
  const one = yield* scene("1 organization", 1, "at least 2")
  const many = yield* scene(`${whole(organizations)} organizations`, organizations, "at least 0.9")

  const byProcesses = yield* alternately(rounds, { alone: shared(product), two: shared(second) })
  const ofAlone = medianRatio(
    byProcesses.two.map(({ perSecond }) => perSecond),
    byProcesses.alone.map(({ perSecond }) => perSecond)
  )
  const processesShown = [
    ["1 organization, one process: HTTP, two load generators", byProcesses.alone],
    ["1 organization, two processes: HTTP", byProcesses.two]
  ] as const

  const report: Comparison = {
    title: `Paid unlocks of distinct properties, ${clients} clients, ${whole(unlocks)} a turn`,
    columns: ["", "unlocks/s", "of pgbench", "p99 ms", "server CPU ms an unlock"],
    rows: [
      ...one.rows,
      ...many.rows,
      ...processesShown.map(([title, samples]) => [
        title,
        whole(median(samples.map(({ perSecond }) => perSecond))),
        "-",
        decimal(median(samples.map(({ p99 }) => p99))),
        known(median(samples.map(({ cpuMillis }) => cpuMillis)), 2)
      ])
    ],
    notes: [
      ...one.notes,
      ...many.notes,
      ...processesShown.map(([title, samples]) => spread(title, samples.map(({ perSecond }) => perSecond), whole)),
      ...(withPgbench ? [] : ["pgbench is not on the PATH, so there is no baseline: install postgresql-contrib."])
    ],
    ratios: [
      ...one.ratios,
      ...many.ratios,
      { what: "1 organization: unlocks a second by two processes, of one", value: ofAlone, goal: "at least 0.8" }
    ]
  }
  return report
})
