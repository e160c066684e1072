/** `Ledger` over PostgreSQL: the contract, and what only several processes over one database can get wrong. */
import { assert, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { total } from "@freehold/core/credit/Bucket"
import { CreditsDormant } from "@freehold/core/credit/CreditRefusals"
import { decideExport } from "@freehold/core/credit/ExportDecision"
import { decideGrant } from "@freehold/core/credit/Grant"
import { Ledger } from "@freehold/core/credit/Ledger"
import { decide } from "@freehold/core/credit/LedgerDecision"
import * as Meter from "@freehold/core/credit/Meter"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { decideUnlock } from "@freehold/core/property/UnlockDecision"
import { ledgerContract } from "@freehold/core/testing/LedgerContract"
import { limitsContract } from "@freehold/core/testing/LimitsContract"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Context, Deferred, Effect, Fiber, Layer, Result } from "effect"
import { SqlClient, Statement } from "effect/sql"
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
  const unlock = (propertyId: string) =>
    Ledger.use((ledger) =>
      ledger.transact(
        { orgId, subject: { _tag: "Property", propertyId }, exclusive: true, now },
        (snapshot) =>
          decideUnlock(snapshot, {
            propertyId,
            covered: false,
            researched: true,
            price: 10,
            actor,
            requestId: null,
            now
          })
      )
    )
  const balance = Effect.map(Ledger.use((ledger) => ledger.balance(orgId, now)), ({ balance }) => total(balance))
  return { orgId, ids, unlock, balance }
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
      const there = yield* elsewhere
      const meter = yield* Effect.provideService(Meter.make, Ledger, there)
      const caller = (cap: number) => ({
        kind: "key" as const,
        territory: null,
        credentialId: "00000000-0000-4000-a000-000000000001",
        label: "sample",
        keyName: "sample",
        scopes: [],
        organization: { ...defaults(orgId), daily_limits: { contact_reveal: { organization: cap } } },
        requestId: "sample"
      })
      const read = (contactId: string, cap = 5) =>
        meter.read(
          { subject: { _tag: "Contact", contactId }, covered: [contactId], whole: true, records: [] },
          now
        ).pipe(Effect.provideService(Caller, caller(cap)))
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

  it.effect("a call holds the lock for one statement, and brings the next in line its snapshot", () =>
    Effect.gen(function*() {
      const { balance, ids, unlock } = yield* arrange
      const sent: Array<string> = []
      const note: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          sent.push(/ledger_\w+/.exec(statement.compile()[0])?.[0] ?? "")
          return statement
        })
      const results = yield* Effect.forEach(ids, unlock, { concurrency: "unbounded" }).pipe(
        Effect.provideService(Statement.CurrentTransformer, note)
      )
      assert.isTrue(results.every(({ creditsCharged }) => creditsCharged === 10))
      assert.deepStrictEqual(sent, ["ledger_snapshot", ...ids.map(() => "ledger_commit")])
      assert.strictEqual(yield* balance, 900)
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
          if (name === "ledger_commit" && !overtaken) {
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
      const answers = yield* Effect.forEach([id, other], unlock).pipe(
        Effect.provideService(Statement.CurrentTransformer, overtaking)
      )
      assert.deepStrictEqual(answers, [
        { alreadyRevealed: true, creditsCharged: 0 },
        { alreadyRevealed: false, creditsCharged: 10 }
      ])
      assert.deepStrictEqual(sent, [
        "ledger_snapshot",
        "ledger_commit",
        "ledger_open",
        "ledger_snapshot",
        "ledger_commit"
      ])
      assert.strictEqual(yield* balance, 980)
      assert.deepStrictEqual(yield* faults, [])
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

  it.effect("a day's cap and the allowance are exact over two processes, credits or none (D9 A1 A3)", () =>
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

  it.effect("a busy organization does not keep another one waiting for a connection", () =>
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
