/**
 * The law of availability from outside, in short: every attack for a moment beside the probe of another organization,
 * against a server in a process of its own on a PostgreSQL of its own. What no busy machine can change is asserted: the
 * probe is answered rightly and never refused (V1), every bound is kept (V2), everything is given back (V3), and the money is
 * right (V4). How fast the probe is answered is measured by `pnpm bench availability`.
 *
 * *Gotchas.* Attackers come from many addresses of loopback, which Linux alone has: `vitest.config.ts` leaves files with
 * `.linux.` in their names out elsewhere.
 */
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import * as SyntheticChanges from "@freehold/adapters-pg/testing/SyntheticChanges"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { carryOut, type Tally, type World } from "@freehold/cli/testing/availability/Attack"
import { attacks } from "@freehold/cli/testing/availability/Attacks"
import * as Bounds from "@freehold/cli/testing/availability/Bounds"
import * as Census from "@freehold/cli/testing/availability/Census"
import { faultsOf } from "@freehold/cli/testing/availability/Judge"
import * as Probe from "@freehold/cli/testing/availability/Probe"
import * as Scene from "@freehold/cli/testing/availability/Scene"
import * as TokenIssuer from "@freehold/cli/testing/availability/TokenIssuer"
import { Auditor } from "@freehold/core/credit/Auditor"
import { Deferred, Effect, Exit, Redacted, Schedule, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, runJson, serve, type Server } from "../Freehold.ts"

const publicUrl = "http://service.example"

/** Enough that a statement without bounds is felt, and few enough to be made in seconds. */
const properties = 8000
const changes = 16_000

/** What one attack has. */
const size = { requests: 150, millis: 250 }

/** So many answers of the probe while the database does not answer the attacker. */
const enoughAnswers = 20

const table = (name: string): string => `LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`

/**
 * What the statements of an attack need, and neither those of the probe nor those of the workers in quiet: with it locked
 * every request of the attack is as slow as can be, on any machine. Reads of single records and the ledger are not among
 * them: `Shares` has those whose organization is locked.
 */
const stalls: ReadonlyArray<{ readonly name: string; readonly lock: string }> = [
  { name: "changes of ten years, most of them elsewhere", lock: table("property_change") },
  { name: "properties that changed", lock: table("property_change") },
  { name: "access of 500 contacts", lock: table("property_contact") },
  { name: "people browsed", lock: table("property_contact") },
  { name: "polygon of 1,000 points", lock: table("customer_account") },
  { name: "500 customers at a time", lock: table("customer_account") },
  { name: "firms browsed", lock: table("property_firm") },
  { name: "lists of 500 at a time", lock: table("list_item") },
  { name: "long answers kept under Idempotency-Key", lock: table("idempotent_answer") }
]

describe("whatever one organization does, or anybody without a key", () => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-availability-"))
  const scope = Scope.makeUnsafe()
  let database: Redacted.Redacted
  let issuer: TokenIssuer.TokenIssuer
  let server: Server
  let port: number
  let pid: number
  let world: World

  const query = <Row extends object>(statement: string): Promise<ReadonlyArray<Row>> =>
    Effect.runPromise(administer(database, (sql) => sql.unsafe<Row>(statement)))
  const ids = async (statement: string) => (await query<{ readonly id: string }>(statement)).map(({ id }) => id)

  beforeAll(async () => {
    chmodSync(folder, 0o711)
    const embedded = EmbeddedPostgres.start({ dataDirectory: folder, durable: false, temporary: true })
    database = (await Effect.runPromise(Scope.provide(embedded, scope))).url
    issuer = await TokenIssuer.start(`${publicUrl}/v1/mcp`)
    const env: Environment = {
      DATABASE_URL: Redacted.value(database),
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      FREEHOLD_PUBLIC_URL: publicUrl,
      FREEHOLD_WEBHOOK_TARGETS: "any",
      FREEHOLD_WEBHOOK_TIMEOUT: "1 second",
      OAUTH_ISSUER: issuer.url,
      LOG_LEVEL: "none"
    }
    await runJson(["apply", "-"], env, JSON.stringify(Scene.documentOf(attacks)))
    await Effect.runPromise(administer(database, () =>
      Effect.andThen(
        SyntheticProperties.load({ count: properties, counties: Scene.counties, contacts: true }),
        SyntheticChanges.load({ count: changes, outside: Scene.attackedCounty })
      )))
    world = {
      county: Scene.attackedCounty,
      properties: await ids(Scene.knowledge.properties),
      researched: await ids(Scene.knowledge.researched),
      contacts: await ids(Scene.knowledge.contacts)
    }
    server = await serve([], env)
    port = Number(new URL(server.url).port)
    pid = server.process.pid ?? 0
  })

  afterAll(async () => {
    await server.stop()
    issuer.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  /** What the service does in the database at this moment, but for what keeps it from doing so. */
  const statements = () =>
    query<{ readonly wait: string | null; readonly query: string }>(
      `SELECT wait_event_type AS wait, left(query, 200) AS query FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle'
        AND application_name <> current_setting('application_name')`
    )

  /** Looks again and again until it is so; a test that waits in vain says what it saw last. */
  const until = <A>(look: () => Promise<A>, isSo: (seen: A) => boolean): Promise<A> =>
    Effect.runPromise(
      Effect.suspend(() => Effect.promise(look)).pipe(
        Effect.filterOrFail(isSo, (seen) => ({ seen })),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 5000 })
      )
    )

  /** Ends when nothing that an attack took is held any more. */
  const givenBack = () =>
    until(
      async () => ({ statements: await statements(), connections: Array.from(Census.connectionsTo(port)) }),
      ({ connections, statements }) => statements.length + connections.length === 0
    )

  /** Carries out an attack beside the probe, and sees that nothing but itself was hurt. `enough`: what its end waits for. */
  const withstand = async (place: number, enough?: (probe: Probe.Probe) => Promise<unknown>): Promise<Tally> => {
    const attack = attacks[place]
    if (attack === undefined) throw new Error(`there is no attack ${place}`)
    const quiet = { resident: Census.residentOf(pid), logs: Census.logBytes(folder) }
    const { origin } = new URL(server.url)
    const { probedCounty: countyFips, probeSecret: secret } = Scene
    const probe = await Probe.start({ origin, secret, countyFips, everyMillis: 25 })
    const watch = Census.watch({ pid, port })
    const order = { ...size, origin, block: 1 + place, bearers: Scene.bearersOf(attack, place, issuer.token), world }
    const tally = await carryOut(attack, order, { enough: enough?.(probe), before: watch.look })
    const samples = await probe.stop()
    const peak = watch.stop()

    assert.strictEqual(tally["500"], undefined)
    assert.isAbove(samples.length, 0)
    assert.deepStrictEqual(faultsOf(samples), {}, `of ${samples.length}`)
    assert.isAtMost(peak.ofAddress, Bounds.connectionsOfAddress, "connections of one address")
    assert.isAtMost(peak.resident - quiet.resident, Bounds.memory, "memory")
    await givenBack()
    assert.isAtMost(Census.logBytes(folder) - quiet.logs, Bounds.logs, "logs of the embedded PostgreSQL")
    assert.strictEqual(server.process.exitCode, null)
    return tally
  }

  it.each(attacks.map(({ name }, place) => ({ name, place })))(
    "$name: another organization is served, bounds are kept, all is given back (V1 V2 V3)",
    async ({ place }) => {
      await givenBack()
      const tally = await withstand(place)
      assert.isAbove(tally[attacks[place]?.meets ?? ""] ?? 0, 0, `no attack: ${JSON.stringify(tally)}`)
    }
  )

  it.each(stalls)(
    "$name, by statements that never end: the same, and they are given up with their callers (V1 V2 V3)",
    async ({ lock, name }) => {
      // What other attacks left to be delivered, some time later, would wait for the lock as well.
      await query(`UPDATE webhook_endpoint SET active = false, disabled_reason = 'disabled' WHERE active`)
      await givenBack()
      const held = Deferred.makeUnsafe<void>()
      const released = Deferred.makeUnsafe<void>()
      const holding = Effect.runPromise(administer(database, (sql) =>
        sql.withTransaction(
          sql.unsafe(lock).pipe(
            Effect.andThen(Deferred.succeed(held, undefined)),
            Effect.andThen(Deferred.await(released))
          )
        )))
      try {
        await Effect.runPromise(Deferred.await(held))
        const place = attacks.findIndex((attack) => attack.name === name)
        await withstand(place, async ({ answered }) => {
          await until(statements, (all) => all.some(({ wait }) => wait === "Lock"))
          const before = answered()
          await until(() => Promise.resolve(answered() - before), (since) => since >= enoughAnswers)
        })
      } finally {
        Deferred.doneUnsafe(released, Effect.void)
        await holding
      }
    }
  )

  it("what is kept of answers is bounded for each credential (V2)", async () => {
    const kept = await query<{ readonly bytes: number }>(
      `SELECT sum(length(answer_sealed))::int AS bytes FROM idempotent_answer GROUP BY credential_id`
    )
    for (const { bytes } of kept) assert.isAtMost(bytes, Bounds.keptAnswers)
  })

  it("the money is right after all of it (V4)", async () => {
    const laws = await Effect.runPromise(
      administer(
        database,
        () => Effect.provide(Effect.flatMap(Auditor, ({ audit }) => audit), AuditorPg.layer, { local: true })
      )
    )
    assert.deepStrictEqual(laws.filter(({ count }) => count > 0), [])
  })
})
