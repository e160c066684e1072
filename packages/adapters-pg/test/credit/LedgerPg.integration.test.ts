/** `Ledger` over PostgreSQL: the contract, and what only several processes over one database can get wrong. */
import { assert, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { decideReveal } from "@freehold/core/contact/RevealDecision"
import { total } from "@freehold/core/credit/Bucket"
import { CreditsDormant } from "@freehold/core/credit/CreditRefusals"
import { decideExport } from "@freehold/core/credit/ExportDecision"
import { decideGrant } from "@freehold/core/credit/Grant"
import { Ledger } from "@freehold/core/credit/Ledger"
import { decide } from "@freehold/core/credit/LedgerDecision"
import * as Meter from "@freehold/core/credit/Meter"
import { type Limits, limitsOf, queryOf } from "@freehold/core/limit/Limits"
import * as Deadline from "@freehold/core/load/Deadline"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { decideUnlock } from "@freehold/core/property/UnlockDecision"
import { ledgerContract } from "@freehold/core/testing/LedgerContract"
import { limitsContract } from "@freehold/core/testing/LimitsContract"
import { contact, property, Seeder } from "@freehold/core/testing/Seed"
import { Clock, Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Predicate, Result } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const adapters = Layer.mergeAll(LedgerPg.layer, OrganizationsPg.layer, SeederPg.layer)

ledgerContract("PostgreSQL", Layer.provide(adapters, TestDatabase.layer), 25)
limitsContract("PostgreSQL", Layer.provide(adapters, TestDatabase.layer), 15)

/** The ledger of another process: clients and turns of its own over the same database. */
const elsewhere = Effect.gen(function*() {
  const url = yield* TestDatabase.Url
  const built = yield* Layer.build(
    Layer.fresh(LedgerPg.layer.pipe(Layer.provide(Database.layer({ url, maxConnections: 4 }))))
  )
  return Context.get(built, Ledger)
})

const now = Date.UTC(2026, 2, 30)
const actor = { kind: "operator", id: null, name: "Sample Operator" } as const

let made = 0

/** An organization with 1,000 credits, and properties that only its test knows. */
const arrange = Effect.gen(function*() {
  const scene = ++made
  const orgId = `org_${scene}`
  const ids = Array.from(
    { length: 10 },
    (_, index) => `00000000-0000-4000-9000-${String(scene * 100 + index).padStart(12, "0")}`
  )
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  yield* Seeder.use((seeder) => seeder.add({ properties: ids.map((id) => property({ id, countyFips: "99001" })) }))
  const ref = "a"
  yield* Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
      (snapshot) =>
        decideGrant(snapshot, { ref, bucket: "purchased", amount: 1000, expiresAt: null, actor, requestId: null, now })
    )
  )
  const unlock = (propertyId: string, limits?: Limits) =>
    Ledger.use((ledger) =>
      ledger.transact(
        {
          orgId,
          subject: { _tag: "Property", propertyId },
          exclusive: true,
          now,
          ...(limits === undefined ? {} : { usage: queryOf(limits) })
        },
        (snapshot) =>
          decideUnlock(snapshot, {
            propertyId,
            covered: false,
            researched: true,
            price: 10,
            limits,
            actor,
            requestId: null,
            now
          })
      )
    )
  const balance = Effect.map(Ledger.use((ledger) => ledger.balance(orgId, now)), ({ balance }) => total(balance))
  return { orgId, ids, unlock, balance }
})

/** Reads a contact that is covered: what it takes of the day is counted, and no credit moves. */
const reading = Effect.fnUntraced(function*(orgId: string, ledger: Ledger["Service"]) {
  const meter = yield* Effect.provideService(Meter.make, Ledger, ledger)
  return (contactId: string, cap = 5) =>
    meter.read(
      { subject: { _tag: "Contact", contactId }, covered: [contactId], whole: true, records: [] },
      now
    ).pipe(Effect.provideService(Caller, {
      kind: "key",
      territory: null,
      credentialId: "00000000-0000-4000-a000-000000000001",
      label: "sample",
      keyName: "sample",
      scopes: [],
      organization: { ...defaults(orgId), daily_limits: { contact_reveal: { organization: cap } } },
      requestId: "sample"
    }))
})

/** Notes which functions of the ledger are called. */
const noting = (sent: Array<string>): Statement.Transformer => (statement) =>
  Effect.sync(() => {
    sent.push(/ledger_\w+/.exec(statement.compile()[0])?.[0] ?? "")
    return statement
  })

/** What a session waits for that is about to commit the unlock of that property. */
const atCommit = 4711
const waitAtCommit = Effect.fnUntraced(function*(propertyId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE OR REPLACE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$`
  yield* sql.unsafe(`
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON credit_entry DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.subject_id = '${propertyId}') EXECUTE FUNCTION wait_at_commit()`)
  yield* Effect.addFinalizer(() => Effect.orDie(sql`DROP TRIGGER at_commit ON credit_entry`))
})

/**
 * Ten unlocks by another process, of which the first is committed alone and the next two together (twice as many are read for
 * with each commit), and those that were told before that commit; `during` runs while it waits.
 */
const sharing = Effect.fnUntraced(function*<A, E, R>(
  { ids, unlock }: Effect.Success<typeof arrange>,
  during: (calls: ReadonlyArray<Fiber.Fiber<unknown, unknown>>) => Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const there = yield* elsewhere
  yield* waitAtCommit(ids[1] ?? "")
  const told: Array<string> = []
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(${atCommit}::integer)`
    const calls = yield* Effect.forEach(ids, (id) =>
      unlock(id).pipe(
        Effect.ensuring(Effect.sync(() => told.push(id))),
        Effect.provideService(Ledger, there),
        Effect.forkDetach
      ))
    yield* untilBlocked(1)
    const before = [...told]
    yield* during(calls)
    return { before, calls, there }
  }))
})

/** Until so many sessions wait for a lock. */
const untilBlocked = (sessions: number) =>
  Effect.flatMap(Database.Pipeline, (observer) =>
    Effect.repeat(
      observer<{ readonly blocked: number }>`
        SELECT count(*)::int AS blocked FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { until: ([row]) => row?.blocked === sessions }
    ))

/** L13: what the tables hold follows from the entries, in every organization. */
const faults = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    SELECT org_id FROM credit_account a LEFT JOIN LATERAL (
      SELECT count(*) AS entries, coalesce(sum(trial), 0) AS trial, coalesce(sum(included), 0) AS included,
        coalesce(sum(enterprise_pool), 0) AS enterprise_pool, coalesce(sum(purchased), 0) AS purchased,
        coalesce(sum(credits), 0) AS credits
      FROM credit_entry e WHERE e.org_id = a.org_id
    ) s ON true
    WHERE (a.version, a.trial, a.included, a.enterprise_pool, a.purchased)
        <> (s.entries, s.trial, s.included, s.enterprise_pool, s.purchased)
      OR s.credits <> (SELECT coalesce(sum(remaining), 0) FROM credit_grant g WHERE g.org_id = a.org_id)
      OR (SELECT count(*) FROM property_access p WHERE p.org_id = a.org_id AND p.source = 'paid')
        <> (SELECT count(*) FROM credit_entry e WHERE e.org_id = a.org_id AND e.kind = 'charge')`)

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("LedgerPg", (it) => {
  it.effect("tells the balance as the transaction under way has left it, and others as it was", () =>
    Effect.gen(function*() {
      const { orgId } = yield* arrange
      const ledger = yield* Ledger
      const sql = yield* SqlClient.SqlClient
      const other = yield* elsewhere
      const held = (of: Ledger["Service"]) => Effect.map(of.balance(orgId, now), ({ balance }) => total(balance))
      const ref = "b"
      const within = yield* sql.withTransaction(Effect.gen(function*() {
        yield* ledger.transact(
          { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
          (snapshot) =>
            decideGrant(snapshot, { ref, bucket: "included", amount: 70, expiresAt: null, actor, requestId: null, now })
        )
        return [yield* held(ledger), yield* held(other)]
      }))
      assert.deepStrictEqual(within, [1070, 1000])
    }))

  it.effect("simultaneous unlocks of one property over two processes are charged once", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const there = yield* elsewhere
      for (const id of ids) {
        const results = yield* Effect.forEach(
          [unlock(id), Effect.provideService(unlock(id), Ledger, there)],
          Effect.result,
          { concurrency: "unbounded" }
        )
        const charged = results.filter((each) => Result.isSuccess(each) && each.success.creditsCharged === 10)
        assert.strictEqual(charged.length, 1)
        for (const each of results) {
          if (Result.isFailure(each)) assert.strictEqual(each.failure._tag, "ACTION_IN_PROGRESS")
        }
      }
      assert.strictEqual(yield* balance, 900)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("while one call works on a property, one of another process is refused at once and one about another waits", () =>
    Effect.gen(function*() {
      const { ids, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const [held = "", free = ""] = ids
      const there = yield* elsewhere
      // A transaction around the call keeps its locks until the transaction ends.
      const waiting = yield* sql.withTransaction(Effect.gen(function*() {
        yield* unlock(held)
        const refused = yield* Effect.flip(Effect.provideService(unlock(held), Ledger, there))
        assert.strictEqual(refused._tag, "ACTION_IN_PROGRESS")
        return yield* Effect.forkDetach(Effect.provideService(unlock(free), Ledger, there))
      }))
      assert.deepStrictEqual(yield* Fiber.join(waiting), { alreadyRevealed: false, creditsCharged: 10 })
      assert.deepStrictEqual(yield* unlock(held), { alreadyRevealed: true, creditsCharged: 0 })
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a call whose connection dies leaves nothing behind, and the next one goes through", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const [id = ""] = ids
      const failure = yield* Organizations.use((organizations) =>
        organizations.atomically(Effect.gen(function*() {
          yield* unlock(id)
          yield* Effect.ignore(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
          yield* unlock(id)
        }))
      ).pipe(Effect.flip)
      assert.strictEqual(failure._tag, "TEMPORARILY_UNAVAILABLE")
      assert.strictEqual(yield* balance, 1000)
      assert.deepStrictEqual(yield* unlock(id), { alreadyRevealed: false, creditsCharged: 10 })
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a reading of what was counted before, and one that is refused, wait for nobody", () =>
    Effect.gen(function*() {
      const { ids: [counted = "", fresh = ""], orgId } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const read = yield* reading(orgId, yield* elsewhere)
      yield* read(counted)
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT FROM credit_account WHERE org_id = ${orgId} FOR UPDATE`
        assert.strictEqual((yield* read(counted)).size, 0)
        assert.strictEqual((yield* Effect.flip(read(fresh, 1)))._tag, "DAILY_CAP_EXCEEDED")
      }))
      assert.strictEqual((yield* read(fresh)).size, 0)
    }))

  it.effect("a refused call, and one that changes nothing, takes no lock", () =>
    Effect.gen(function*() {
      const { balance, ids: [paid = "", other = ""], orgId, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const there = yield* elsewhere
      yield* unlock(paid)
      yield* Organizations.use((organizations) => organizations.save({ ...defaults(orgId), payment_status: "failed" }))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT FROM credit_account WHERE org_id = ${orgId} FOR UPDATE`
        const repeated = yield* Effect.provideService(unlock(paid), Ledger, there)
        assert.deepStrictEqual(repeated, { alreadyRevealed: true, creditsCharged: 0 })
        const refused = yield* Effect.flip(Effect.provideService(unlock(other), Ledger, there))
        assert.strictEqual(refused._tag, "PAYMENT_FAILED")
      }))
      assert.strictEqual(yield* balance, 990)
    }))

  it.effect("calls that wait together hold the lock for one statement, and bring the next in line their snapshots", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const sent: Array<string> = []
      const results = yield* Effect.forEach(ids, (id) => unlock(id), { concurrency: "unbounded" }).pipe(
        Effect.provideService(Statement.CurrentTransformer, noting(sent))
      )
      assert.isTrue(results.every(({ creditsCharged }) => creditsCharged === 10))
      // Eight of the ten, and the two that waited behind them.
      assert.deepStrictEqual(sent, ["ledger_snapshots", "ledger_commit_all", "ledger_commit_all"])
      assert.strictEqual(yield* balance, 900)
    }))

  it.effect("what shares a commit is told after it", () =>
    Effect.gen(function*() {
      const scene = yield* arrange
      const { before, calls } = yield* sharing(scene, () => Effect.void)
      assert.deepStrictEqual(before, [scene.ids[0]])
      const results = yield* Effect.forEach(calls, (call) => Fiber.join(call))
      assert.deepStrictEqual(results, scene.ids.map(() => ({ alreadyRevealed: false, creditsCharged: 10 })))
      assert.strictEqual(yield* scene.balance, 900)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a session killed while calls share its commit: nothing of these is there, each goes through again, and the others go on (L14)", () =>
    Effect.gen(function*() {
      const scene = yield* arrange
      const observer = yield* Database.Pipeline
      const { before, calls, there } = yield* sharing(scene, () =>
        observer`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      const results = yield* Effect.forEach(calls, (call) => Effect.result(Fiber.join(call)))
      assert.deepStrictEqual(before, [scene.ids[0]])
      assert.deepStrictEqual(
        results.map((each) =>
          Result.isSuccess(each) ? "ok" : Predicate.isTagged(each.failure, "TEMPORARILY_UNAVAILABLE")
        ),
        scene.ids.map((_, at) => at === 1 || at === 2 ? true : "ok")
      )
      assert.strictEqual(yield* scene.balance, 920)
      for (const id of scene.ids.slice(1, 3)) {
        const again = yield* Effect.provideService(scene.unlock(id), Ledger, there)
        assert.deepStrictEqual(again, { alreadyRevealed: false, creditsCharged: 10 })
      }
      assert.strictEqual(yield* scene.balance, 900)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("who goes away while calls share a commit undoes nobody's, and their item is free when it is done (I5)", () =>
    Effect.gen(function*() {
      const scene = yield* arrange
      const [, , gone = ""] = scene.ids
      const { calls, there } = yield* sharing(
        scene,
        (calls) => Effect.forEach(calls.slice(2, 3), (call) => Fiber.interrupt(call))
      )
      const results = yield* Effect.forEach(calls, (call) => Fiber.await(call))
      assert.deepStrictEqual(results.map(Exit.isSuccess), scene.ids.map((id) => id !== gone))
      const again = yield* Effect.provideService(scene.unlock(gone), Ledger, there)
      assert.deepStrictEqual(again, { alreadyRevealed: true, creditsCharged: 0 })
      assert.strictEqual(yield* scene.balance, 900)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a deadline ends who waits in line, uncharged, and nobody whose commit is under way (I3)", () =>
    Effect.gen(function*() {
      const scene = yield* arrange
      const waiting = scene.ids.slice(3)
      const clock = yield* TestClock.make()
      const time = Duration.seconds(10)
      const unlock = (id: string) => Effect.provideService(Deadline.within(time, scene.unlock(id)), Clock.Clock, clock)
      const { calls, there } = yield* sharing({ ...scene, unlock }, (calls) =>
        Effect.andThen(
          clock.adjust(time),
          Effect.forEach(calls.slice(3), (call) => Fiber.await(call))
        ))
      const results = yield* Effect.forEach(calls, (call) => Effect.result(Fiber.join(call)))
      assert.deepStrictEqual(
        results.map((each) =>
          Result.isSuccess(each) ? "ok" : Predicate.isTagged(each.failure, "TEMPORARILY_UNAVAILABLE")
        ),
        scene.ids.map((id) => waiting.includes(id) ? true : "ok")
      )
      assert.strictEqual(yield* scene.balance, 970)
      for (const id of waiting) {
        const again = yield* Effect.provideService(scene.unlock(id), Ledger, there)
        assert.deepStrictEqual(again, { alreadyRevealed: false, creditsCharged: 10 })
      }
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a call that the database refuses undoes nobody else's of its commit", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const [, , refused = ""] = ids
      yield* sql`
        CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'made up'; END $$`
      yield* sql.unsafe(`
        CREATE TRIGGER refused BEFORE INSERT ON credit_entry
        FOR EACH ROW WHEN (NEW.subject_id = '${refused}') EXECUTE FUNCTION refuse()`)
      const results = yield* Effect.forEach(ids, (id) => Effect.exit(unlock(id)), { concurrency: "unbounded" })
      yield* sql`DROP TRIGGER refused ON credit_entry`
      assert.deepStrictEqual(results.map(Exit.isSuccess), ids.map((id) => id !== refused))
      assert.strictEqual(yield* balance, 910)
      assert.strictEqual((yield* unlock(refused)).creditsCharged, 10)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("who breaks at what it is told breaks nobody else's of its commit", () =>
    Effect.gen(function*() {
      const { balance, ids: [alone = "", ...others], unlock } = yield* arrange
      const context = yield* Effect.context<Ledger>()
      const call = (id: string) => Effect.runForkWith(context)(unlock(id))
      const first = call(alone)
      const [breaking, ...together] = others.slice(0, 4).map(call)
      breaking?.addObserver(() => {
        throw new Error("made up")
      })
      const outcomes = yield* Effect.forEach([first, ...together], (call) => Fiber.join(call))
      assert.deepStrictEqual(
        outcomes,
        Array.from({ length: 4 }, () => ({ alreadyRevealed: false, creditsCharged: 10 }))
      )
      assert.deepStrictEqual(breaking?.pollUnsafe(), Exit.succeed({ alreadyRevealed: false, creditsCharged: 10 }))
      assert.strictEqual(yield* balance, 950)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("what a day has counted is known to those that share a commit, and its cap is exact (D9)", () =>
    Effect.gen(function*() {
      const { ids: [first = "", ...others], orgId, unlock } = yield* arrange
      const organization = { ...defaults(orgId), daily_limits: { paid_property_unlock: { organization: 4 } } }
      const limits = limitsOf(
        organization,
        { credentialId: "00000000-0000-4000-a000-000000000001", dailyLimits: {} },
        now
      )
      yield* unlock(first, limits)
      const sent: Array<string> = []
      const results = yield* Effect.forEach(others, (id) => Effect.result(unlock(id, limits)), {
        concurrency: "unbounded"
      }).pipe(Effect.provideService(Statement.CurrentTransformer, noting(sent)))
      assert.strictEqual(results.filter(Result.isSuccess).length, 3)
      // Three by one statement; the fourth would have been one too many, and those behind it too.
      assert.deepStrictEqual(sent, ["ledger_snapshots", "ledger_commit_all"])
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a call to which another one of its commit means more than was foretold is decided anew (I6)", () =>
    Effect.gen(function*() {
      const { balance, ids: [first = "", second = ""], orgId, unlock } = yield* arrange
      const person = second.replace("-9000-", "-9001-")
      yield* Seeder.use((seeder) =>
        seeder.add({
          contacts: [contact({ id: person })],
          relationships: [{
            propertyId: second,
            contactId: person,
            role: null,
            relationshipStatus: "unverified",
            attributionType: "customer_supplied"
          }]
        })
      )
      const reveal = Ledger.use((ledger) =>
        ledger.transact(
          { orgId, subject: { _tag: "Contact", contactId: person }, exclusive: true, now },
          (snapshot) =>
            decideReveal(snapshot, { contactId: person, covered: false, price: 5, actor, requestId: null, now })
        )
      )
      const sent: Array<string> = []
      const answers = yield* Effect.all([unlock(first), unlock(second), reveal], { concurrency: "unbounded" }).pipe(
        Effect.provideService(Ledger, yield* elsewhere),
        Effect.provideService(Statement.CurrentTransformer, noting(sent))
      )
      // The unlock of its property makes the reveal free.
      assert.deepStrictEqual(answers.map(({ creditsCharged }) => creditsCharged), [10, 10, 0])
      assert.deepStrictEqual(sent, [
        "ledger_snapshots",
        "ledger_commit_all",
        "ledger_commit_all",
        "ledger_commit_all"
      ])
      assert.strictEqual(yield* balance, 980)
    }))

  it.effect("processes that share an organization lose nothing, and each call is charged once", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const [here, there] = [yield* Ledger, yield* elsewhere]
      const results = yield* Effect.forEach(
        [...ids, ...ids].map((id, at) => Effect.provideService(unlock(id), Ledger, at % 2 === 0 ? here : there)),
        Effect.result,
        { concurrency: "unbounded" }
      )
      const charged = results.filter((each) => Result.isSuccess(each) && each.success.creditsCharged === 10)
      assert.strictEqual(charged.length, 10)
      assert.strictEqual(yield* balance, 900)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a call whose snapshot was overtaken by another process decides anew under the lock", () =>
    Effect.gen(function*() {
      const { balance, ids: [id = "", other = ""], unlock } = yield* arrange
      const there = yield* elsewhere
      const sent: Array<string> = []
      let overtaken = false
      const overtaking: Statement.Transformer = (statement) =>
        Effect.gen(function*() {
          const name = /ledger_\w+/.exec(statement.compile()[0])?.[0] ?? ""
          sent.push(name)
          if (name === "ledger_commit_all" && !overtaken) {
            overtaken = true
            yield* Effect.orDie(
              unlock(id).pipe(
                Effect.provideService(Ledger, there),
                Effect.provideService(Statement.CurrentTransformer, undefined)
              )
            )
          }
          return statement
        })
      const answers = yield* Effect.forEach([id, other], (each) => unlock(each)).pipe(
        Effect.provideService(Statement.CurrentTransformer, overtaking)
      )
      assert.deepStrictEqual(answers, [
        { alreadyRevealed: true, creditsCharged: 0 },
        { alreadyRevealed: false, creditsCharged: 10 }
      ])
      assert.deepStrictEqual(sent, [
        "ledger_snapshots",
        "ledger_commit_all",
        "ledger_open_all",
        // Once more the lock first: nobody came between.
        "ledger_open_all",
        "ledger_commit_all"
      ])
      assert.strictEqual(yield* balance, 980)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a program that knows calls alone writes one, is told when it was overtaken, and is brought the next", () =>
    Effect.gen(function*() {
      const { ids: [id = "", other = ""], orgId } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const access = [{ _tag: "Record", kind: "property", id, source: "covered" }]
      const decision = JSON.stringify({ version: 1, entries: [], newGrants: [], access, exports: 0, month: null })
      const next = JSON.stringify({ kind: "Property", subject: other, usage: null })
      const write = (revision: number) =>
        sql`
          SELECT outcome, next_snapshot ->> 'revision' AS brought
          FROM ledger_commit(${orgId}::text, 'Property', ${id}::text, true, ${revision}::integer, ${now}::bigint,
            ${decision}::jsonb, NULL, ${next}::jsonb)`
      assert.deepStrictEqual(yield* write(1), [{ outcome: "applied", brought: "2" }])
      assert.deepStrictEqual(yield* write(1), [{ outcome: "changed", brought: null }])
    }))

  it.effect("a call within a transaction reads after the lock was granted", () =>
    Effect.gen(function*() {
      const { balance, ids: [first = "", second = ""], unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* Effect.forkChild(sql.withTransaction(
        unlock(first).pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(go))
        )
      ))
      yield* Deferred.await(held)
      const waiting = yield* Effect.forkChild(sql.withTransaction(unlock(second)))
      yield* untilBlocked(1)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(holding)
      assert.deepStrictEqual(yield* Fiber.join(waiting), { alreadyRevealed: false, creditsCharged: 10 })
      assert.strictEqual(yield* balance, 980)
      assert.deepStrictEqual(yield* faults, [])
    }))

  it.effect("a call that began before the settings changed is decided by the new ones if it is written after them (I6)", () =>
    Effect.gen(function*() {
      const { balance, ids: [id = ""], orgId, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const there = yield* elsewhere
      const waiting = yield* sql.withTransaction(Effect.gen(function*() {
        const organizations = yield* Organizations
        yield* organizations.save({ ...defaults(orgId), credits_dormant: true })
        const waiting = yield* Effect.forkDetach(Effect.result(Effect.provideService(unlock(id), Ledger, there)))
        yield* Effect.raceFirst(untilBlocked(1), Fiber.await(waiting))
        return waiting
      }))
      assert.deepStrictEqual(yield* Fiber.join(waiting), Result.fail(new CreditsDormant()))
      assert.strictEqual(yield* balance, 1000)
    }))

  it.effect("what moves no credit, and began before another process did the like, is held to what that one counted (I6)", () =>
    Effect.gen(function*() {
      const { ids: [first = "", second = ""], orgId } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const here = yield* reading(orgId, yield* Ledger)
      const there = yield* reading(orgId, yield* elsewhere)
      const waiting = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT FROM credit_account WHERE org_id = ${orgId} FOR UPDATE`
        const waiting = yield* Effect.forkDetach(Effect.flip(there(second, 1)))
        yield* Effect.raceFirst(untilBlocked(1), Fiber.await(waiting))
        yield* here(first, 1)
        return waiting
      }))
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "DAILY_CAP_EXCEEDED")
    }))

  it.effect("a call is written though what is read with it for the one behind cannot be read", () =>
    Effect.gen(function*() {
      const { balance, ids: [id = ""], orgId, unlock } = yield* arrange
      const unreadable = Ledger.use((ledger) =>
        ledger.transact(
          { orgId, subject: { _tag: "Entry", entry: 99_999_999_999 }, exclusive: false, now },
          ({ version }) => Result.succeed(decide(version))
        )
      )
      const [written, failed] = yield* Effect.all([unlock(id), Effect.exit(unreadable)], { concurrency: "unbounded" })
      assert.deepStrictEqual(written, { alreadyRevealed: false, creditsCharged: 10 })
      assert.isTrue(Exit.isFailure(failed))
      assert.strictEqual(yield* balance, 990)
    }))

  it.effect("a day's cap and the allowance are exact over two processes, credits or none (D2 D9 A1 A3)", () =>
    Effect.gen(function*() {
      const { ids, orgId } = yield* arrange
      const here = yield* Ledger
      const there = yield* elsewhere
      const settings = defaults(orgId)
      const organization: Organization = {
        ...settings,
        plan: "enterprise",
        features: { ...settings.features, records_allowance: true },
        records_allowance: { records: 4, initial_load: 0, period: "calendar_month", overage: null },
        daily_limits: { lead_export: { organization: 9 }, records_taken_per_day: { service: 100 } }
      }
      yield* Organizations.use((organizations) => organizations.save(organization))
      const limits = limitsOf(
        organization,
        { credentialId: "00000000-0000-4000-a000-000000000001", dailyLimits: { records_taken_per_day: 100 } },
        now
      )
      const deliver = (ledger: Ledger["Service"], propertyId: string) => {
        const records = [{ kind: "property" as const, id: propertyId }]
        const subject = { _tag: "Exports", monthStart: now, propertyId } as const
        return ledger.transact(
          { orgId, subject, exclusive: false, now, usage: queryOf(limits, { records }) },
          (snapshot) =>
            decideExport(snapshot, { propertyId, covered: true, records, limits, actor, requestId: null, now })
        )
      }
      const calls = [...ids, ...ids].map((id, index) => deliver(index % 2 === 0 ? here : there, id))
      const results = yield* Effect.forEach(calls, Effect.result, { concurrency: "unbounded" })
      const codes = results.map((each) => Result.isSuccess(each) ? "ok" : each.failure._tag)
      assert.deepStrictEqual(new Set(codes), new Set(["ok", "RECORDS_ALLOWANCE_EXCEEDED"]))
      const usage = yield* here.usage(orgId, queryOf(limits))
      assert.strictEqual(usage.records.recurring, 4)
      assert.strictEqual(usage.today.records_taken_per_day.organization, 4)
      assert.strictEqual(usage.today.lead_export.organization, codes.filter((code) => code === "ok").length)
      for (const [place, id] of ids.entries()) {
        yield* Effect.ignore(deliver(place % 2 === 0 ? here : there, id))
      }
      assert.strictEqual((yield* here.usage(orgId, queryOf(limits))).today.lead_export.organization, 9)
    }))

  it.effect("a busy organization does not keep another one waiting for a connection (L12)", () =>
    Effect.gen(function*() {
      const { ids, orgId, unlock } = yield* arrange
      const sql = yield* SqlClient.SqlClient
      const other = "org_other"
      yield* Organizations.use((organizations) => organizations.save(defaults(other)))
      const there = yield* elsewhere
      const waiting = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT FROM credit_account WHERE org_id = ${orgId} FOR UPDATE`
        const waiting = yield* Effect.forEach(
          ids,
          (id) => Effect.forkDetach(Effect.provideService(unlock(id), Ledger, there))
        )
        yield* untilBlocked(1)
        const subject = { _tag: "Exports", monthStart: now } as const
        const looked = yield* there.transact(
          { orgId: other, subject, exclusive: false, now },
          ({ version }) => Result.succeed(decide(version))
        )
        assert.strictEqual(looked, 0)
        return waiting
      }))
      const results = yield* Effect.forEach(waiting, (fiber) => Fiber.join(fiber))
      assert.isTrue(results.every(({ creditsCharged }) => creditsCharged === 10))
      assert.deepStrictEqual(yield* faults, [])
    }))
})
