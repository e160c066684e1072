/**
 * `Auditor` over PostgreSQL: what the ports leave breaks no law, also in the middle of their work, and each law is seen to
 * be broken by one change that nothing but the audit would notice.
 *
 * All data is made up.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { defaults } from "@freehold/core/access/Organization"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Organizations } from "@freehold/core/access/Organizations"
import { decideReveal } from "@freehold/core/contact/RevealDecision"
import { Auditor } from "@freehold/core/credit/Auditor"
import type { Bucket } from "@freehold/core/credit/Bucket"
import { decideExport } from "@freehold/core/credit/ExportDecision"
import { decideGrant } from "@freehold/core/credit/Grant"
import { Ledger, type LedgerDecision, type LedgerSnapshot, type Subject } from "@freehold/core/credit/Ledger"
import { OwnAction } from "@freehold/core/credit/OwnAction"
import { decideOwnAction } from "@freehold/core/credit/OwnActionDecision"
import { decideRefund } from "@freehold/core/credit/Refund"
import { decideUnlock } from "@freehold/core/property/UnlockDecision"
import { contact, Seeder } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { type AttemptOutcome, Deliveries } from "@freehold/core/webhook/Deliveries"
import { Context, Duration, Effect, Fiber, Layer, Redacted, type Result } from "effect"
import { SqlClient } from "effect/sql"
import * as AuditorPg from "../src/AuditorPg.ts"
import * as Database from "../src/Database.ts"
import * as KeyRingPg from "../src/KeyRingPg.ts"
import * as LedgerPg from "../src/LedgerPg.ts"
import * as TestDatabase from "../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../src/testing/WebhookPorts.ts"

const day = 86_400_000
const start = Date.UTC(2026, 2, 10)
const actor = { kind: "operator", id: null, name: "Sample Operator" } as const
const payer = (now: number) => ({ actor, requestId: null, now })

const transact = <A, E>(
  orgId: string,
  subject: Subject,
  now: number,
  decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>
) => Ledger.use((ledger) => ledger.transact({ orgId, subject, exclusive: true, now }, decide))

const grant = (orgId: string, ref: string, bucket: Bucket, amount: number, expiresAt: number | null = null) =>
  transact(
    orgId,
    { _tag: "Grant", ref },
    start,
    (snapshot) => decideGrant(snapshot, { ref, bucket, amount, expiresAt, ...payer(start) })
  )

const unlock = (orgId: string, index: number, covered = false, now = start) => {
  const propertyId = Scene.propertyId(index)
  return transact(
    orgId,
    { _tag: "Property", propertyId },
    now,
    (snapshot) => decideUnlock(snapshot, { propertyId, covered, researched: true, price: 10, ...payer(now) })
  )
}

const contactId = (index: number) => Scene.uuid(4, index)

const reveal = (orgId: string, index: number, covered = false, now = start) =>
  transact(
    orgId,
    { _tag: "Contact", contactId: contactId(index) },
    now,
    (snapshot) => decideReveal(snapshot, { contactId: contactId(index), covered, price: 5, ...payer(now) })
  )

const deliverLead = (orgId: string) =>
  transact(
    orgId,
    { _tag: "Exports", monthStart: Date.UTC(2026, 2, 1) },
    start,
    (snapshot) => decideExport(snapshot, { propertyId: Scene.propertyId(0), ...payer(start) })
  )

const refund = (orgId: string, entry: number, now = start) =>
  transact(orgId, { _tag: "Entry", entry }, now, (snapshot) => decideRefund(snapshot, payer(now)))

const sellReport = (orgId: string, subjectId: string) =>
  transact(
    orgId,
    { _tag: "Own", action: "sample_report", subjectId },
    start,
    (snapshot) =>
      decideOwnAction(snapshot, { action: new OwnAction({ name: "sample_report", price: 3 }), subjectId, ...payer(start) })
  )

/** Of one of each port's works, something. */
const arrange = Effect.gen(function*() {
  yield* Scene.seed(["org_a", "org_b", "org_c"], 6)
  const seeder = yield* Seeder
  yield* seeder.add({ contacts: [0, 1, 2].map((index) => contact({ id: contactId(index) })) })
  const organizations = yield* Organizations
  yield* organizations.save({ ...Scene.organization("org_a"), plan: "enterprise" })
  yield* organizations.save(defaults("org_idle"))

  yield* grant("org_a", "trial", "trial", 12, start + day)
  yield* grant("org_a", "month", "included", 30)
  yield* grant("org_a", "order", "purchased", 100)
  yield* unlock("org_a", 0)
  yield* unlock("org_a", 1)
  yield* reveal("org_a", 0)
  yield* Effect.repeat(deliverLead("org_a"), { times: 2 })
  yield* refund("org_a", 7)
  yield* refund("org_a", 8)
  yield* sellReport("org_a", "report 1")
  yield* unlock("org_a", 2)
  yield* refund("org_a", 13)
  yield* unlock("org_a", 3, true)
  yield* reveal("org_a", 1, true)
  yield* grant("org_a", "gift", "trial", 5, start + day)
  yield* reveal("org_a", 2, false, start + 2 * day)

  yield* grant("org_b", "order", "purchased", 10)
  yield* unlock("org_b", 0)

  yield* grant("org_c", "month", "included", 10)
  yield* grant("org_c", "order", "purchased", 10)
  yield* unlock("org_c", 0)

  const keys = yield* KeyRing
  const secretHash = "ab".repeat(32)
  yield* keys.create({
    credentialId: Scene.uuid(5, 0),
    orgId: "org_a",
    name: "sample",
    label: "made up",
    secretHash,
    scopes: ["data:read"],
    dailyLimits: {}
  })
  yield* keys.authorize(secretHash, start)

  yield* Scene.register("org_a", 0)
  yield* Scene.register("org_a", 1)
  yield* Scene.register("org_b", 2)
  yield* Scene.qualify("org_a", 0)
  yield* Scene.qualify("org_c", 1)
  const deliveries = yield* Deliveries
  yield* deliveries.fanOut(10)
  const outcomes: ReadonlyArray<AttemptOutcome> = [
    { _tag: "Delivered", status: 204 },
    { _tag: "Failed", status: 500, reason: "made up" }
  ]
  const claimed = yield* deliveries.claim({ limit: 10, perEndpoint: 10, lease: Duration.minutes(5) })
  yield* deliveries.complete(
    claimed.flatMap(({ attempt, claim, deliveryId }, index) => {
      const outcome = outcomes[index]
      return outcome === undefined ? [] : [{ deliveryId, claim, attempt, outcome, durationMillis: 5 }]
    }),
    [Duration.hours(1)]
  )
  yield* Scene.qualify("org_b", 2)
})

const ports = Layer.mergeAll(LedgerPg.layer, KeyRingPg.layer, WebhookPorts.layer, AuditorPg.layer)

const over = (url: Redacted.Redacted) => Layer.provideMerge(ports, Database.layer({ url, maxConnections: 4 }))

/** A database that `arrange` has worked on, and nobody is connected to. */
class Arranged extends Context.Service<Arranged, Redacted.Redacted>()("test/AuditorPg/Arranged") {
  static readonly layer = Layer.effect(
    Arranged,
    Effect.tap(TestDatabase.make, (url) => Effect.provide(arrange, over(url), { local: true }))
  )
}

/** A copy of the arranged database, with its ports. */
const copy = Layer.unwrap(Effect.gen(function*() {
  const url = yield* Arranged
  return over(yield* TestDatabase.copyOf(url, new URL(Redacted.value(url)).pathname.slice(1)))
}))

const broken = Effect.map(
  Auditor.use(({ audit }) => audit),
  (laws) => laws.flatMap(({ law, violations }) => violations.map((violation) => ({ law, ...violation })))
)

/** Leaves nothing that would refuse a wrong value. */
const dropConstraints = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe(`DO $$
  DECLARE
    c record;
  BEGIN
    FOR c IN
      SELECT conrelid::regclass AS owner, conname FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p', 'u')
      ORDER BY contype = 'f' DESC
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', c.owner, c.conname);
    END LOOP;
    FOR c IN
      SELECT i.indexrelid::regclass AS name FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique
    LOOP
      EXECUTE format('DROP INDEX %s', c.name);
    END LOOP;
  END $$`))

const bucketsOf = (entry: string) => `credits, trial, included, enterprise_pool, purchased FROM credit_entry WHERE ${entry}`

interface Break {
  readonly law: string
  readonly what: string
  readonly statement: string
}

const breaks: ReadonlyArray<Break> = []

layer(Arranged.layer, { excludeTestServices: true })("AuditorPg", (it) => {
  it.effect("finds nothing in what the ports leave", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT org_id, entry, kind, action, credits, trial, included, purchased, balance_after, allocations FROM credit_entry ORDER BY 1, 2`
      console.table(rows.map((r) => ({ ...r, allocations: JSON.stringify(r["allocations"]) })))
      console.table(yield* sql`SELECT status, skip_reason, org_id FROM event`)
      console.table(yield* sql`SELECT org_id, state, attempts FROM delivery UNION ALL SELECT org_id, state, attempts FROM delivery_log`)
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(copy)))
})
