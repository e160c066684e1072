/**
 * What another organization meets while one attacks: p50 and p99 of `GET /v1/me` and of the search of one county, in quiet
 * and under each attack, and how soon everything is normal again. The law of availability in docs/laws.md.
 *
 * Each attack has a quarter of its time for the quiet before it, half for itself, and a quarter for what comes after it. Its
 * quiet values are of what was sent before it and from two seconds after its end, and of the same around its neighbours:
 * p99 of some seconds alone would be the second largest of them.
 *
 * Server, database, probe and attackers are processes and sessions of their own; the attackers have what the others leave of the processors.
 */
import * as SyntheticChanges from "@freehold/adapters-pg/testing/SyntheticChanges"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import type { Attack, Tally, World } from "@freehold/cli/testing/availability/Attack"
import { attacks } from "@freehold/cli/testing/availability/Attacks"
import * as Census from "@freehold/cli/testing/availability/Census"
import { faultsOf, figuresOf, isSlow, secondsUntilNormal, tolerated } from "@freehold/cli/testing/availability/Judge"
import type * as Probe from "@freehold/cli/testing/availability/Probe"
import * as Scene from "@freehold/cli/testing/availability/Scene"
import * as TokenIssuer from "@freehold/cli/testing/availability/TokenIssuer"
import { Console, Effect, Redacted, Schedule, Schema } from "effect"
import { fileURLToPath } from "node:url"
import type { Command } from "./Attackers.ts"
import * as Child from "./Child.ts"
import * as Freehold from "./Freehold.ts"
import { idleGroup } from "./IdleGroup.ts"
import * as Machine from "./Machine.ts"
import { Postgres, settle, withClient } from "./Postgres.ts"
import { type Comparison, decimal, whole } from "./Report.ts"

export interface Sizes {
  readonly properties: number
  readonly changes: number
  /** Of each attack. */
  readonly requests: number
  /** For all attacks together, without the making of the data. */
  readonly minutes: number
  /** Words of the names of the attacks that are tried; "": all. */
  readonly only: string
}

const publicUrl = "http://service.example"

/** A key may send 300 requests a minute, an organization has ten. */
const mostRequests = 3000

/** Of each kind. */
const probesPerSecond = 40

/** How low the attackers come where there is no idle group for them; see the notes of the report. */
const niceness = 19

/** Milliseconds after the end of an attack from which everything is to be normal. */
const aftermath = 2000

/** So many attacks before and after one tell its quiet values too. */
const neighbours = 3

const programOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const decodeTally = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Int))

const decodeSamples = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  kind: Schema.Literals(["me", "search"]),
  at: Schema.Number,
  millis: Schema.Number,
  status: Schema.Int,
  right: Schema.Boolean
})))

/** Of the clock that all processes share. */
const now = (): number => performance.timeOrigin + performance.now()

interface Peak {
  readonly connections: number
  readonly resident: number
}

/** The most that the server holds while the effect runs, beside what it holds now. */
const watching = <A, E, R>(pid: number, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const files = Census.filesOf(pid)
    let peak: Peak = { connections: 0, resident: 0 }
    const look = Effect.sync(() => {
      peak = {
        connections: Math.max(peak.connections, Census.filesOf(pid) - files),
        resident: Math.max(peak.resident, Census.residentOf(pid))
      }
    })
    return effect.pipe(
      Effect.raceFirst(Effect.forever(Effect.andThen(look, Effect.sleep("250 millis")))),
      Effect.tap(() => look),
      Effect.map((value) => ({ value, peak }))
    )
  })

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
  readonly peak: Peak
  readonly began: number
  readonly ended: number
  /** Milliseconds that the host took from the processors while it was attacked; null: not known. */
  readonly taken: number | null
}

const quietOf = ({ began, ended, samples }: Measured): ReadonlyArray<Probe.Sample> =>
  samples.filter(({ at }) => at < began || at >= ended + aftermath)

const text = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).map(([met, count]) => `${whole(count)} × ${met}`)
  return parts.length === 0 ? "none" : parts.join(", ")
}

const rowOf = (
  { attack, began, ended, peak, samples, taken, tally }: Measured,
  place: number,
  all: ReadonlyArray<Measured>
) => {
  const quiet = all.slice(Math.max(0, place - neighbours), place + neighbours + 1).flatMap(quietOf)
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
  const slowOf = (sent: ReadonlyArray<Probe.Sample>) => ({
    sent: sent.length,
    slow: sent.filter(isSlow(quietFigures)).length
  })
  const after = secondsUntilNormal(samples, quietFigures, ended)
  const kept = Math.max(ratios.me, ratios.search) < tolerated && after < aftermath / 1000 &&
    Object.keys(faults).length === 0
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
      taken === null ? "" : whole(taken),
      kept ? "yes" : "no"
    ],
    kept,
    slower: Math.max(ratios.me, ratios.search),
    slow: {
      before: slowOf(samples.filter(({ at }) => at < began)),
      after: slowOf(samples.filter(({ at }) => at >= ended + aftermath))
    }
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
  }, { worker: true, ownSession: true })
  const { origin, port } = new URL(server.root)
  const leaveTheRest = yield* idleGroup
  const force = yield* Child.start({
    command: "nice",
    args: ["-n", String(niceness), process.execPath, programOf("./Attackers.ts")],
    ownSession: true
  })
  leaveTheRest?.(force.pid)
  const prober = yield* Child.start({
    command: process.execPath,
    args: [programOf("./Prober.ts")],
    ownSession: true
  })
  const options: Probe.Options = {
    origin,
    secret: Scene.probeSecret,
    countyFips: Scene.probedCounty,
    everyMillis: 1000 / probesPerSecond
  }

  const tried = attacks.flatMap((attack, place) => attack.name.includes(sizes.only) ? [{ attack, place }] : [])
  const share = sizes.minutes * 60_000 / tried.length / 4
  const run = Effect.fnUntraced(function*({ attack, place }: { readonly attack: Attack; readonly place: number }) {
    yield* Console.error(`  ${attack.name} ...`)
    yield* quietened(url, Number(port))
    yield* prober.ask(options)
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
    const before = Machine.taken()
    const began = now()
    const { peak, value: tally } = yield* watching(server.pid, Effect.flatMap(force.ask(command), decodeTally))
    const ended = now()
    const after = Machine.taken()
    const taken = before === null || after === null ? null : after - before
    yield* Effect.sleep(Math.max(share, aftermath + 1000))
    const samples = yield* Effect.flatMap(prober.ask("stop"), decodeSamples)
    const measured: Measured = { attack, tally, samples, peak, began, ended, taken }
    return measured
  })
  // What is loaded at the first request is not the first attack's doing.
  yield* prober.ask(options)
  yield* Effect.sleep(5000)
  yield* prober.ask("stop")
  const rows = (yield* Effect.forEach(tried, run)).map(rowOf)

  const broken = rows.filter(({ kept }) => !kept).length
  const slowIn = (time: "before" | "after") => {
    const sum = (of: "sent" | "slow") => rows.reduce((total, { slow }) => total + slow[time][of], 0)
    return `${whole(sum("slow"))} of ${whole(sum("sent"))}`
  }
  const report: Comparison = {
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
      "taken ms",
      "law kept"
    ],
    rows: rows.map(({ cells }) => cells),
    notes: [
      `${rows.length - broken} of ${rows.length} attacks kept the law: both ratios of p99 below ${tolerated}, nothing`
      + " refused, everything normal within 2 s.",
      `Each attack had ${decimal(2 * share / 1000)} s and up to ${whole(sizes.requests)} requests (connections:`
      + ` ${
        whole(4 * sizes.requests)
      }); the probe sent ${probesPerSecond} of each kind a second. Quiet values are of the`
      + ` seconds before and after it and ${neighbours} attacks on either side.`,
      `Single requests are slow in quiet too: beyond ${tolerated} times p99 were ${
        slowIn("before")
      } before attacks, and`
      + ` ${slowIn("after")} from 2 s after their end.`,
      "Taken: by the host of the machine from its processors during the attack, for others. It makes everything late, the probe too.",
      "The attackers stand for machines elsewhere. So their process has what processors nobody else wants"
      + ` (${leaveTheRest === null ? `nice ${niceness}` : "cpu.idle"}): what is measured is the service, not the`
      + " processor time that attacking takes."
    ],
    ratios: [{
      what: "p99 of a request under the worst attack, of the same in quiet",
      value: Math.max(...rows.map(({ slower }) => slower)),
      goal: `below ${tolerated}`
    }]
  }
  return report
})
