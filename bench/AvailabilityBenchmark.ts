/**
 * What another organization meets while one attacks: p50 and p99 of `GET /v1/me` and of the search of one county, in quiet
 * and under each attack, and how soon everything is normal again. The law of availability in docs/laws.md.
 *
 * Each attack has a quarter of its time for the quiet values, half for itself, and a quarter for what comes after it.
 */
import * as SyntheticChanges from "@freehold/adapters-pg/testing/SyntheticChanges"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import type { Attack, Tally, World } from "@freehold/cli/testing/availability/Attack"
import { attacks } from "@freehold/cli/testing/availability/Attacks"
import * as Census from "@freehold/cli/testing/availability/Census"
import { faultsOf, figuresOf, secondsUntilNormal, tolerated } from "@freehold/cli/testing/availability/Judge"
import * as Probe from "@freehold/cli/testing/availability/Probe"
import * as Scene from "@freehold/cli/testing/availability/Scene"
import * as TokenIssuer from "@freehold/cli/testing/availability/TokenIssuer"
import { Console, Effect, Redacted, Schedule, Schema } from "effect"
import { fileURLToPath } from "node:url"
import type { Command } from "./Attackers.ts"
import * as Child from "./Child.ts"
import * as Freehold from "./Freehold.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { decimal, type Report, whole } from "./Report.ts"

export interface Sizes {
  readonly properties: number
  readonly changes: number
  /** Of each attack. */
  readonly requests: number
  /** For all attacks together, without the making of the data. */
  readonly minutes: number
}

const publicUrl = "http://service.example"

/** A key may send 300 requests a minute, an organization has ten. */
const mostRequests = 3000

const attackers = fileURLToPath(new URL("./Attackers.ts", import.meta.url))

const decodeTally = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Int))

const makeWorld = Effect.fnUntraced(function*(url: Redacted.Redacted, { changes, properties }: Sizes) {
  yield* Freehold.run(url, ["apply", "-"], JSON.stringify(Scene.documentOf(attacks)))
  return yield* withClient(url, (sql) =>
    Effect.gen(function*() {
      yield* SyntheticProperties.load({ count: properties, counties: Scene.counties, contacts: true })
      yield* SyntheticChanges.load({ count: changes, outside: Scene.attackedCounty })
      const ids = (statement: string) =>
        Effect.map(sql.unsafe<{ readonly id: string }>(statement), (rows) => rows.map(({ id }) => id))
      const world: World = {
        county: Scene.attackedCounty,
        properties: yield* ids(Scene.knowledge.properties),
        researched: yield* ids(Scene.knowledge.researched),
        contacts: yield* ids(Scene.knowledge.contacts)
      }
      return world
    }))
})

/** Until nothing of the last attack is held, at most a minute. */
const quietened = (url: Redacted.Redacted, port: number) =>
  withClient(
    url,
    (sql) =>
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend' AND state <> 'idle'`
  ).pipe(
    Effect.map((busy) => busy.length + Census.connectionsTo(port).size),
    Effect.repeat({ until: (held) => held === 0, schedule: Schedule.spaced("100 millis") }),
    Effect.timeoutOption("1 minute")
  )

interface Measured {
  readonly attack: Attack
  readonly tally: Tally
  readonly samples: ReadonlyArray<Probe.Sample>
  readonly peak: Census.Peak
  readonly began: number
  readonly ended: number
}

const text = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).map(([met, count]) => `${whole(count)} × ${met}`)
  return parts.length === 0 ? "none" : parts.join(", ")
}

const rowOf = ({ attack, began, ended, peak, samples, tally }: Measured) => {
  const quiet = samples.filter(({ at }) => at < began)
  const attacked = samples.filter(({ at }) => at >= began && at < ended)
  const quietFigures = { me: figuresOf(quiet, "me"), search: figuresOf(quiet, "search") }
  const ratios = { me: 0, search: 0 }
  const cells = (["me", "search"] as const).flatMap((kind) => {
    const before = quietFigures[kind]
    const during = figuresOf(attacked, kind)
    ratios[kind] = during.p99 / before.p99
    return [
      `${decimal(before.p50)} → ${decimal(during.p50)}`,
      `${decimal(before.p99)} → ${decimal(during.p99)}`,
      decimal(ratios[kind])
    ]
  })
  const faults = faultsOf(samples)
  const after = secondsUntilNormal(samples, quietFigures, ended)
  const kept = Math.max(ratios.me, ratios.search) < tolerated && after < 2 && Object.keys(faults).length === 0
  return {
    cells: [
      attack.name,
      attack.by,
      text(tally),
      ...cells,
      text(faults),
      decimal(after),
      whole(peak.connections),
      whole(peak.resident / 2 ** 20),
      kept ? "yes" : "no"
    ],
    kept
  }
}

export const measure = Effect.fn("AvailabilityBenchmark.measure")(function*(sizes: Sizes) {
  const { database } = yield* Postgres
  const url = yield* database("bench_availability")
  const world = yield* makeWorld(url, sizes)
  yield* settle(url)
  const issuer = yield* Effect.acquireRelease(
    Effect.promise(() => TokenIssuer.start(`${publicUrl}/v1/mcp`)),
    ({ close }) => Effect.sync(close)
  )
  const server = yield* Freehold.serve({
    DATABASE_URL: Redacted.value(url),
    FREEHOLD_PUBLIC_URL: publicUrl,
    FREEHOLD_WEBHOOK_TARGETS: "any",
    OAUTH_ISSUER: issuer.url,
    LOG_LEVEL: "none"
  }, { worker: true })
  const { origin, port } = new URL(server.root)
  const force = yield* Child.start({ command: process.execPath, args: [attackers] })

  const share = sizes.minutes * 60_000 / attacks.length / 4
  const run = Effect.fnUntraced(function*(attack: Attack, place: number) {
    yield* Console.error(`  ${attack.name} ...`)
    yield* quietened(url, Number(port))
    const probe = yield* Effect.promise(() =>
      Probe.start({ origin, secret: Scene.probeSecret, countyFips: Scene.probedCounty, everyMillis: 25 })
    )
    yield* Effect.sleep(share)
    const command: Command = {
      place,
      order: {
        origin,
        block: 1 + place,
        bearers: Scene.bearersOf(attack, place, issuer.token),
        world,
        requests: Math.min(mostRequests, sizes.requests),
        millis: 2 * share
      }
    }
    const watch = Census.watch({ pid: server.pid, port: Number(port) })
    const began = performance.now()
    const tally = yield* Effect.flatMap(force.ask(command), decodeTally)
    const ended = performance.now()
    const peak = watch.stop()
    yield* Effect.sleep(Math.max(share, 3000))
    const samples = yield* Effect.promise(() => probe.stop())
    return rowOf({ attack, tally, samples, peak, began, ended })
  })
  // What is loaded at the first request is not the first attack's doing.
  const warm = yield* Effect.promise(() =>
    Probe.start({ origin, secret: Scene.probeSecret, countyFips: Scene.probedCounty, everyMillis: 25 })
  )
  yield* Effect.sleep(3000)
  yield* Effect.promise(() => warm.stop())
  const rows = yield* Effect.forEach(attacks, run)

  const broken = rows.filter(({ kept }) => !kept).length
  const report: Report = {
    title: `Another organization under attack, ${whole(sizes.properties)} properties, ${whole(sizes.changes)} changes`,
    columns: [
      "attack",
      "by",
      "what it met",
      "me p50 ms",
      "me p99 ms",
      "ratio",
      "search p50 ms",
      "search p99 ms",
      "ratio",
      "refused",
      "normal after s",
      "connections",
      "memory MiB",
      "law kept"
    ],
    rows: rows.map(({ cells }) => cells),
    notes: [
      `${rows.length - broken} of ${rows.length} attacks kept the law: both ratios of p99 below ${tolerated}, nothing`
      + " refused, everything normal within 2 s.",
      `Each attack had ${decimal(2 * share / 1000)} s and up to ${whole(sizes.requests)} requests; the probe sent 40 of`
      + " each kind a second."
    ]
  }
  return report
})
