/**
 * Faults in the middle of the ledger's work: sessions that are killed at each of its writes and at the commit, answers
 * that are lost after the commit, callers that go away.
 *
 * A call that ends so has an unknown outcome: all of it happened or nothing. The same call made again settles it, and
 * nothing stays in progress. `FREEHOLD_LAW_RUNS` is the number of storms.
 *
 * All data is made up.
 */
import { assert, layer } from "@effect/vitest"
import { type Application, application, command, newRequestId, opening } from "@freehold/core/testing/LedgerCommands"
import { canonical } from "@freehold/core/testing/LedgerExplanation"
import { audited, inOrder } from "@freehold/core/testing/LedgerLaws"
import { callOf, type Command, type ModelState, observationOf, step } from "@freehold/core/testing/LedgerModel"
import { Effect, Fiber, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as ContactsPg from "../../src/contact/ContactsPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as BundleSourcePg from "../../src/lead/BundleSourcePg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as PropertiesPg from "../../src/property/PropertiesPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const runs = Number(process.env["FREEHOLD_LAW_RUNS"] ?? 6)

const ports = Layer.mergeAll(
  BundleSourcePg.layer,
  ContactsPg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  PropertiesPg.layer,
  SeederPg.layer
)

/** The application whose sessions are killed, and how the database knows them. */
const victimName = "freehold victim"

const applicationAt = (url: Redacted.Redacted): Effect.Effect<Application, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.orDie(Layer.build(Layer.fresh(
      ports.pipe(Layer.provide(Database.layer({ url, applicationName: victimName, maxConnections: 6 })))
    ))),
    (context) => Effect.provide(application, context)
  )

const victim = Effect.flatMap(TestDatabase.Url, applicationAt)

const attempt = (app: Application, state: ModelState, given: Command) =>
  app.perform(state, callOf(state, given, newRequestId()))

/** Enough for everything, in two buckets. */
const funds: ReadonlyArray<Command> = [
  { _tag: "Grant", ref: 0, bucket: "trial", amount: 14, days: null },
  { _tag: "Grant", ref: 1, bucket: "purchased", amount: 100, days: null }
]

const atLedger: ReadonlySet<Command["_tag"]> = new Set(["Grant", "Refund", "Unlock", "Reveal", "Export"])

const unlock: Command = { _tag: "Unlock", property: 0, door: "id", key: 0, max: null }
const reveal: Command = { _tag: "Reveal", contact: 0, door: "id", key: 0, max: null }
const lead: Command = { _tag: "Export", property: 0, key: 0 }
const more: Command = { _tag: "Grant", ref: 2, bucket: "included", amount: 5, days: null }
const refund: Command = { _tag: "Refund", charge: 0 }

/** Each write of a decision, with a call that makes it. */
const writes: ReadonlyArray<
  { readonly table: string; readonly before: ReadonlyArray<Command>; readonly given: Command }
> = [
  { table: "credit_entry", before: [], given: unlock },
  { table: "credit_grant", before: [], given: unlock },
  { table: "credit_account", before: [], given: unlock },
  { table: "property_access", before: [], given: unlock },
  { table: "contact_access", before: [], given: reveal },
  { table: "export_usage", before: [unlock], given: lead },
  { table: "credit_grant", before: [], given: more },
  { table: "property_access", before: [unlock], given: refund }
]

/** A session of the victim that waits for a lock. */
const waiting = Effect.flatMap(Database.Pipeline, (observer) =>
  Effect.repeat(
    observer<{ readonly pid: number }>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${victimName}::text AND wait_event_type = 'Lock'`,
    { until: ([row]) => row !== undefined }
  ))

/**
 * Makes the call, kills its session where it waits for what `hold` holds, and says that nothing of it happened; then
 * makes it again.
 */
const killedAt = Effect.fnUntraced(function*(
  app: Application,
  state: ModelState,
  given: Command,
  hold: Effect.Effect<unknown, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const cut = yield* sql.withTransaction(Effect.gen(function*() {
    yield* hold
    const call = yield* Effect.forkDetach(attempt(app, state, given))
    const [held] = yield* waiting
    yield* sql`SELECT pg_terminate_backend(${held?.pid ?? 0}::integer)`
    return yield* Fiber.join(call)
  }))
  assert.strictEqual(cut.code, "TEMPORARILY_UNAVAILABLE")
  assert.deepStrictEqual(yield* app.observe(state), observationOf(state))
  const after = yield* inOrder(app, state, [given])
  assert.deepStrictEqual(yield* app.observe(after), observationOf(after))
})

/** The server has committed and waits for the next statement. */
const idle = Buffer.from("Z\0\0\0\u0005I", "latin1")

/** A relay on loopback that, once told to, cuts a connection when the server's word that a decision is committed comes by. */
const relay = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const target = new URL(Redacted.value(url))
      const sockets = new Set<Socket>()
      const state = { armed: false, cut: 0 }
      const server = createServer((client) => {
        const upstream = connect(Number(target.port), target.hostname)
        for (const socket of [client, upstream]) {
          sockets.add(socket)
          socket.on("error", () => socket.destroy())
          socket.on("close", () => {
            client.destroy()
            upstream.destroy()
          })
        }
        let decided = false
        client.on("data", (chunk: Buffer) => {
          decided ||= chunk.includes("\"entries\":[")
          upstream.write(chunk)
        })
        upstream.on("data", (chunk: Buffer) => {
          if (state.armed && decided && chunk.includes(idle)) {
            state.armed = false
            state.cut += 1
            client.destroy()
          } else client.write(chunk)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
      const through = new URL(target)
      through.hostname = "127.0.0.1"
      through.port = String((server.address() as AddressInfo).port)
      return { state, url: Redacted.make(through.href), sockets, server }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )

const live = Layer.mergeAll(ports, AuditorPg.layer).pipe(Layer.provideMerge(TestDatabase.layer))

layer(live, { excludeTestServices: true })("Faults in the middle of the ledger's work", (it) => {
  for (const { before, given, table } of writes) {
    it.effect(`${given._tag}, its session killed when it writes ${table}: nothing of it is there, and again it goes through (L14 I5)`, () =>
      Effect.gen(function*() {
        const app = yield* victim
        const sql = yield* SqlClient.SqlClient
        const state = yield* inOrder(app, yield* app.arrange(), [...funds, ...before])
        // Readers and row locks pass, writers wait.
        yield* killedAt(app, state, given, sql`LOCK TABLE ${sql(table)} IN SHARE MODE`)
        yield* audited
      }))
  }

  it.effect("a session killed at its commit: nothing of the call is there, and again it goes through (L14 I5)", () =>
    Effect.gen(function*() {
      const app = yield* victim
      const sql = yield* SqlClient.SqlClient
      const state = yield* inOrder(app, yield* app.arrange(), funds)
      yield* sql`
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$`
      yield* sql`
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON credit_entry
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`
      yield* killedAt(app, state, unlock, sql`SELECT pg_advisory_xact_lock(4711)`)
      yield* sql`DROP TRIGGER at_commit ON credit_entry`
      yield* audited
    }))

  it.effect("an answer that is lost after the commit: again, the call says what had happened, and nothing is done twice (L14 L6 L9 L10 I2)", () =>
    Effect.gen(function*() {
      const { state: line, url } = yield* relay(yield* TestDatabase.Url)
      const app = yield* applicationAt(url)
      const lost = Effect.fnUntraced(function*(state: ModelState, given: Command) {
        const call = callOf(state, given, newRequestId())
        line.armed = true
        assert.strictEqual((yield* app.perform(state, call)).code, "TEMPORARILY_UNAVAILABLE")
        const [after] = step(state, call)
        assert.deepStrictEqual(yield* app.observe(after), observationOf(after))
        return after
      })
      let state = yield* inOrder(app, yield* app.arrange(), funds)
      for (const given of [reveal, unlock, more]) {
        state = yield* lost(state, given)
        state = yield* inOrder(app, state, [given])
      }
      const refunded: Command = { _tag: "Refund", charge: 1 }
      state = yield* lost(state, refunded)
      state = yield* inOrder(app, state, [refunded, unlock])
      assert.strictEqual(line.cut, 4)
      // Each answer of a bundle is an export of its own.
      const exported = yield* lost(state, lead)
      yield* inOrder(app, exported, [lead])
      yield* audited
    }))

  it.effect(
    "a caller that goes away at any moment leaves all of its call or nothing (L14 I5)",
    () =>
      Effect.gen(function*() {
        const app = yield* victim
        const run = Effect.runPromise
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              opening,
              fc.array(fc.tuple(command, fc.nat({ max: 60 })), { minLength: 6, maxLength: 12 }),
              (
                grants,
                calls
              ) =>
                run(Effect.gen(function*() {
                  let state = yield* inOrder(app, yield* app.arrange(), grants)
                  for (const [given, steps] of calls) {
                    if (!atLedger.has(given._tag)) {
                      state = yield* inOrder(app, state, [given])
                      continue
                    }
                    const call = callOf(state, given, newRequestId())
                    const inFlight = yield* Effect.forkChild(app.perform(state, call))
                    for (let each = 0; each < steps; each++) yield* Effect.yieldNow
                    yield* Fiber.interrupt(inFlight)
                    const found = canonical(yield* app.observe(state))
                    const [after] = step(state, call)
                    const left = [state, after].find((each) => canonical(observationOf(each)) === found)
                    if (left === undefined) {
                      return assert.fail(`neither all of ${JSON.stringify(call)} nor nothing: ${found}`)
                    }
                    state = left
                  }
                }))
            ),
            { numRuns: runs, seed: 20_260_330, endOnFailure: true }
          )
        )
        yield* audited
      }),
    { timeout: 60_000 + runs * 2000 }
  )

  it.effect(
    "sessions killed at random under 8 clients: what was answered is booked once, what is unknown is settled by asking again (L1 L5 L6 L13 L14 I5)",
    () =>
      Effect.gen(function*() {
        const app = yield* victim
        const sql = yield* SqlClient.SqlClient
        let unknown = 0
        const client = Effect.fnUntraced(function*(state: ModelState, calls: ReadonlyArray<Command>) {
          const answered: Array<{ readonly given: Command; readonly charged: number }> = []
          for (const given of calls) {
            const answer = yield* attempt(app, state, given).pipe(
              Effect.tap(({ code }) => Effect.sync(() => unknown += code === "TEMPORARILY_UNAVAILABLE" ? 1 : 0)),
              Effect.repeat({
                until: ({ code }) => code !== "TEMPORARILY_UNAVAILABLE" && code !== "ACTION_IN_PROGRESS"
              })
            )
            assert.strictEqual(answer.code, "ok", JSON.stringify(answer))
            answered.push({ given, charged: Number(answer["creditsCharged"]) })
          }
          return answered
        })
        const storm = Effect.fnUntraced(function*(plans: ReadonlyArray<ReadonlyArray<Command>>) {
          const state = yield* inOrder(app, yield* app.arrange(), funds)
          let kills = 0
          const clients = yield* Effect.forkChild(
            Effect.forEach(plans, (calls) => client(state, calls), { concurrency: "unbounded" })
          )
          // A bounded number of them, so that everyone comes to an end.
          yield* sql`
          SELECT pg_terminate_backend(pid) FROM (
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ${victimName}::text AND state <> 'idle'
            ORDER BY random() LIMIT 1
          ) AS unlucky`.pipe(
            Effect.tap((killed) => Effect.sync(() => kills += killed.length)),
            Effect.repeat({ until: () => kills >= 40 }),
            Effect.raceFirst(Fiber.await(clients))
          )
          const answered = (yield* Fiber.join(clients)).flat()
          const { entries } = yield* app.glance(state)
          const items = new Map(
            answered.map(({ given }) => [JSON.stringify([given._tag, "property" in given, given]), given])
          )
          let booked = 0
          for (const entry of entries) booked += entry.kind === "charge" ? -entry.credits : 0
          const seen = answered.reduce((sum, { charged }) => sum + charged, 0)
          assert.isAtMost(seen, booked)
          if (unknown === 0) assert.strictEqual(seen, booked)
          const subjects = entries.flatMap(({ kind, subject_id }) => kind === "charge" ? [subject_id] : [])
          assert.strictEqual(new Set(subjects).size, subjects.length, "no item is charged twice")
          // Whatever was answered is there: asking again is free.
          for (const given of items.values()) {
            const again = yield* attempt(app, state, given)
            assert.deepInclude(again, { code: "ok", creditsCharged: 0, alreadyRevealed: true })
          }
          yield* audited
        })
        const call = fc.oneof(
          fc.record({
            _tag: fc.constant("Unlock" as const),
            property: fc.constantFrom(0, 1),
            door: fc.constantFrom("id" as const, "key" as const),
            key: fc.constantFrom(0 as const, 1 as const),
            max: fc.constant(null)
          }),
          fc.record({
            _tag: fc.constant("Reveal" as const),
            contact: fc.constantFrom(0, 1, 2),
            door: fc.constant("id" as const),
            key: fc.constantFrom(0 as const, 1 as const),
            max: fc.constant(null)
          })
        )
        const context = yield* Effect.context<Layer.Success<typeof live>>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(fc.array(call, { minLength: 3, maxLength: 6 }), { minLength: 8, maxLength: 8 }),
              (plans) => Effect.runPromiseWith(context)(storm(plans))
            ),
            { numRuns: runs, seed: 20_260_330, endOnFailure: true }
          )
        )
        assert.isAbove(unknown, 0, "no session was killed in the middle of a call")
      }),
    { timeout: 60_000 + runs * 5000 }
  )
})
