/**
 * `Auditor` over PostgreSQL: what the ports leave breaks no law, also in the middle of their work, and each law is seen to
 * be broken by one change that nothing but the audit would notice.
 *
 * All data is made up.
 */
import { assert, describe, layer } from "@effect/vitest"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { decideReveal } from "@freehold/core/contact/RevealDecision"
import { Auditor } from "@freehold/core/credit/Auditor"
import type { Bucket } from "@freehold/core/credit/Bucket"
import { decideExport } from "@freehold/core/credit/ExportDecision"
import { decideGrant } from "@freehold/core/credit/Grant"
import { Ledger, type LedgerDecision, type LedgerSnapshot, type Subject } from "@freehold/core/credit/Ledger"
import { OwnAction } from "@freehold/core/credit/OwnAction"
import { decideOwnAction } from "@freehold/core/credit/OwnActionDecision"
import { decideRefund } from "@freehold/core/credit/Refund"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { decideUnlock } from "@freehold/core/property/UnlockDecision"
import { decideLaunch } from "@freehold/core/research/LaunchDecision"
import type { ResearchAction } from "@freehold/core/research/ResearchRun"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { contact, Seeder } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { type AttemptOutcome, Deliveries } from "@freehold/core/webhook/Deliveries"
import { Context, Duration, Effect, Fiber, Layer, Redacted, type Result } from "effect"
import { SqlClient } from "effect/sql"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as ImportStorePg from "../../src/import/ImportStorePg.ts"
import * as ResearchRunsPg from "../../src/research/ResearchRunsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

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
    (snapshot) => decideExport(snapshot, { propertyId: Scene.propertyId(0), covered: true, ...payer(start) })
  )

const refund = (orgId: string, entry: number, now = start) =>
  transact(orgId, { _tag: "Entry", entry }, now, (snapshot) => decideRefund(snapshot, payer(now)))

const sellReport = (orgId: string, subjectId: string) =>
  transact(
    orgId,
    { _tag: "Own", action: "sample_report", subjectId },
    start,
    (snapshot) =>
      decideOwnAction(snapshot, {
        action: new OwnAction({ name: "sample_report", price: 3 }),
        subjectId,
        ...payer(start)
      })
  )

/** The run has the id of its job. */
const research = (action: ResearchAction, subjectId: string, jobId: string) =>
  ResearchRuns.use((runs) =>
    runs.launch(
      {
        runId: jobId,
        orgId: "org_idle",
        action,
        batch: false,
        subjects: [{ subjectId, jobId }],
        propertyId: null,
        wish: null,
        actor,
        claimedFor: null,
        now: start,
        usage: queryOf(limitsOf(defaults("org_idle"), null, start))
      },
      (snapshot) => decideLaunch(snapshot, { action, subjectIds: [subjectId], ...payer(start) })
    )
  )

/** Of one of each port's works, something. */
const arrange = Effect.gen(function*() {
  yield* Scene.seed(["org_a", "org_b", "org_c"], 6)
  const seeder = yield* Seeder
  yield* seeder.add({ contacts: [0, 1, 2].map((index) => contact({ id: contactId(index) })) })
  const organizations = yield* Organizations
  const customer = { ...Scene.organization("org_a"), plan: "enterprise" as const }
  // At first every export costs a credit.
  yield* organizations.save({ ...customer, export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 } })
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

  yield* organizations.save(customer)
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
    claimed.flatMap(({ attempt, claim, deliveryId, endpointId, organization: { org_id: orgId } }, index) => {
      const outcome = outcomes[index]
      return outcome === undefined
        ? []
        : [{ orgId, deliveryId, endpointId, claim, attempt, outcome, durationMillis: 5 }]
    }),
    [Duration.hours(1)]
  )
  yield* Scene.qualify("org_b", 2)

  yield* grant("org_idle", "order", "purchased", 50)
  const runs = yield* ResearchRuns
  yield* research("find_email", contactId(0), Scene.uuid(6, 0))
  yield* runs.deliver(Scene.uuid(6, 0), { partial: false, rows: [], result: null })
  yield* research("research_property", Scene.propertyId(4), Scene.uuid(6, 1))
  yield* runs.fail(Scene.uuid(6, 1), "nothing_found")
  yield* research("research_property", Scene.propertyId(5), Scene.uuid(6, 2))
})

const ports = Layer.mergeAll(LedgerPg.layer, KeyRingPg.layer, WebhookPorts.layer, AuditorPg.layer).pipe(
  Layer.provideMerge(ResearchRunsPg.layer.pipe(Layer.provide(Layer.merge(LedgerPg.layer, ImportStorePg.layer))))
)

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
        AND conparentid = 0
      ORDER BY contype = 'f' DESC
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', c.owner, c.conname);
    END LOOP;
    FOR c IN
      SELECT i.indexrelid::regclass AS name FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique AND NOT t.relispartition
    LOOP
      EXECUTE format('DROP INDEX %s', c.name);
    END LOOP;
  END $$`))

interface Break {
  readonly law: string
  readonly what: string
  readonly statement: string
  /** What the audit says of it. */
  readonly found: string
}

const property = (index: number) => `'${Scene.propertyId(index)}'`

const breaks: ReadonlyArray<Break> = [
  {
    law: "A1",
    what: "a record is counted that nobody took",
    statement: `INSERT INTO record_use VALUES ('org_a', '2026-01-01Z', 0, 1, 1, 0, 0)`,
    found: "records since 2026-01-01 00:00: 1 are counted, 1 by kind; 0 were taken"
  },
  {
    law: "D2",
    what: "a key used more than its organization",
    statement: `INSERT INTO daily_use VALUES ('org_a', '2026-01-01', 'lead_export', 'sample', 2),
      ('org_a', '2026-01-01', 'lead_export', '', 1)`,
    found: "lead_export of 2026-01-01: keys used 2, the organization 1"
  },
  {
    law: "A6",
    what: "a delivery is booked that never was",
    statement: `INSERT INTO delivery_booked (org_id, delivery_id) VALUES ('org_a', ${property(0)})`,
    found: `delivery ${Scene.propertyId(0)}: is booked 1 times and has not ended`
  },
  {
    law: "L1",
    what: "a grant has one credit too many",
    statement: `UPDATE credit_grant SET remaining = remaining + 1 WHERE org_id = 'org_a' AND ref = 'month'`,
    found: "grant month: has 9 included credits left, its entries leave 8"
  },
  {
    law: "L2",
    what: "a charge comes before the grant that pays for it",
    statement: `
      WITH granted AS (UPDATE credit_grant SET entry = 2 WHERE org_id = 'org_b'),
        opened AS (UPDATE property_access SET charge_entry = 1 WHERE org_id = 'org_b')
      UPDATE credit_entry SET entry = 3 - entry, balance_after = CASE kind WHEN 'charge' THEN -10 ELSE 0 END
      WHERE org_id = 'org_b'`,
    found: "entry 1: leaves trial 0, included 0, enterprise_pool 0, purchased -10, balance -10"
  },
  {
    law: "L3",
    what: "a balance does not follow from the one before",
    statement: `UPDATE credit_entry SET balance_after = balance_after + 1 WHERE org_id = 'org_a' AND entry = 17`,
    found: "entry 17: balance_after is 109, expected 108"
  },
  {
    law: "L3",
    what: "an entry's credits are not those of its buckets",
    statement: `
      UPDATE credit_entry SET credits = -6, balance_after = balance_after - 1 WHERE org_id = 'org_a' AND entry = 17`,
    found: "entry 17: moves -6 credits, its buckets -5"
  },
  {
    law: "L3",
    what: "a number is left out",
    statement: `
      WITH account AS (UPDATE credit_account SET version = 3 WHERE org_id = 'org_b'),
        opened AS (UPDATE property_access SET charge_entry = 3 WHERE org_id = 'org_b')
      UPDATE credit_entry SET entry = 3 WHERE org_id = 'org_b' AND entry = 2`,
    found: "entry 3: does not follow an entry 2"
  },
  {
    law: "L3",
    what: "the account is a version ahead",
    statement: `UPDATE credit_account SET version = version + 1 WHERE org_id = 'org_idle' OR org_id = 'org_b'`,
    found: "account: version is 3, its last entry 2 of 2"
  },
  {
    law: "L5",
    what: "a charge opened nothing",
    statement: `DELETE FROM property_access WHERE org_id = 'org_a' AND property_id = ${property(0)}`,
    found: `entry 4: charged for property ${Scene.propertyId(0)}, which is not recorded as paid by it`
  },
  {
    law: "L5",
    what: "an own action that was charged is not recorded",
    statement: `DELETE FROM own_access`,
    found: "entry 12: charged for own sample_report report 1, which is not recorded as paid by it"
  },
  {
    law: "L5",
    what: "what was free is recorded as paid",
    statement: `UPDATE contact_access SET source = 'paid' WHERE source = 'free'`,
    found: `contact ${contactId(1)}: is recorded as paid without a charge`
  },
  {
    law: "L5",
    what: "what was refunded is still open",
    statement: `
      INSERT INTO property_access (org_id, property_id, source, charge_entry, at)
      VALUES ('org_a', ${property(2)}, 'paid', 13, now())`,
    found: `property ${Scene.propertyId(2)}: is recorded as paid by entry 13, which is no charge for it that stands`
  },
  {
    law: "L5",
    what: "an access is recorded twice",
    statement: `INSERT INTO property_access SELECT * FROM property_access WHERE org_id = 'org_b'`,
    found: `property ${Scene.propertyId(0)}: is recorded more than once`
  },
  {
    law: "L6",
    what: "a charge is not the price of its action",
    statement: `UPDATE credit_entry SET action = 'made_up' WHERE org_id = 'org_a' AND entry = 9`,
    found: "entry 9: charges for made_up, which has no price"
  },
  {
    law: "L6",
    what: "a charged lead was not counted",
    statement: `UPDATE export_usage SET exports = exports - 1 WHERE org_id = 'org_a'`,
    found: "exports of 2026-03: 2 are counted, 3 were charged"
  },
  {
    law: "L7",
    what: "a charge spared an earlier bucket",
    statement: `
      WITH charged AS (
        UPDATE credit_entry SET included = 0, purchased = -10,
          allocations = '[{ "grantRef": "order", "bucket": "purchased", "amount": 10 }]'
        WHERE org_id = 'org_c' AND kind = 'charge'
      ), granted AS (
        UPDATE credit_grant SET remaining = CASE ref WHEN 'month' THEN 10 ELSE 0 END WHERE org_id = 'org_c'
      )
      UPDATE credit_account SET included = 10, purchased = 0 WHERE org_id = 'org_c'`,
    found: "entry 3: takes trial 0 of 0, included 0 of 10, enterprise_pool 0 of 0, purchased 10"
  },
  {
    law: "L7",
    what: "a charge does not say what it took from",
    statement: `
      WITH granted AS (UPDATE credit_grant SET remaining = amount WHERE org_id = 'org_b')
      UPDATE credit_entry SET allocations = '[]' WHERE org_id = 'org_b' AND kind = 'charge'`,
    found: "entry 2: its buckets are not what it took from its grants"
  },
  {
    law: "L9",
    what: "a reference granted twice",
    statement: `
      WITH account AS (UPDATE credit_account SET version = 3, purchased = purchased + 10 WHERE org_id = 'org_b')
      INSERT INTO credit_entry
      SELECT (jsonb_populate_record(e, '{ "entry": 3 }')).* FROM credit_entry e WHERE org_id = 'org_b' AND kind = 'grant'`,
    found: "entry 3: made no grant: order is not a grant of its own"
  },
  {
    law: "L9",
    what: "a grant is larger than its entry",
    statement: `
      UPDATE credit_grant SET amount = amount + 1, remaining = remaining + 1 WHERE org_id = 'org_a' AND ref = 'order'`,
    found: "entry 3: made grant order of 101 purchased credits, which is not what it booked"
  },
  {
    law: "L10",
    what: "a charge was refunded twice",
    statement: `UPDATE credit_entry SET refund_of = 7 WHERE org_id = 'org_a' AND refund_of = 8`,
    found: "entry 10: entry 7 is refunded 2 times"
  },
  {
    law: "L10",
    what: "a refund gives back what was no charge",
    statement: `UPDATE credit_entry SET refund_of = 2 WHERE org_id = 'org_a' AND refund_of = 8`,
    found: "entry 11: entry 2 is no charge before it"
  },
  {
    law: "L11",
    what: "a charge was paid from a grant that had expired",
    statement: `
      UPDATE credit_grant SET expires_at = '2026-03-01T00:00:00Z' WHERE org_id = 'org_c' AND ref = 'month'`,
    found: "entry 3: takes from grant month, which had expired"
  },
  {
    law: "L11",
    what: "a grant outlives its expiry",
    statement: `
      UPDATE credit_grant SET expires_at = '2026-03-01T00:00:00Z' WHERE org_id = 'org_c' AND ref = 'order'`,
    found: "grant order: had expired by entry 3 and still has 10 credits"
  },
  {
    law: "L11",
    what: "a grant was closed before its expiry",
    statement: `UPDATE credit_grant SET expires_at = NULL WHERE org_id = 'org_a' AND ref = 'gift'`,
    found: "entry 16: expires grant gift before its time"
  },
  {
    law: "I10",
    what: "a covered access holds a charge",
    statement: `UPDATE property_access SET charge_entry = 4 WHERE source = 'covered'`,
    found: `property ${Scene.propertyId(3)}: is covered, with charge 4`
  },
  {
    law: "L12",
    what: "an access is to a property that is not there",
    statement: `UPDATE property_access SET property_id = '${Scene.uuid(1, 99)}' WHERE source = 'covered'`,
    found: `property ${Scene.uuid(1, 99)}: refers to no property of its organization`
  },
  {
    law: "L12",
    what: "a connection is nobody's",
    statement: `UPDATE credential SET member_id = '${Scene.uuid(1, 98)}', client_id = 'assistant'`,
    found: "connection with assistant: refers to no member of its organization"
  },
  {
    law: "L12",
    what: "a counter belongs to nobody",
    statement: `UPDATE organization_day SET org_id = 'org_gone'`,
    found: "day 2026-03-10: belongs to no organization"
  },
  {
    law: "L13",
    what: "the account is not what its entries make it",
    statement: `UPDATE credit_account SET purchased = purchased + 1 WHERE org_id = 'org_b'`,
    found: "account: holds trial 0, included 0, enterprise_pool 0, purchased 1; its entries 0, 0, 0, 0"
  },
  {
    law: "L15",
    what: "an entry moves parts of a credit",
    statement: `
      UPDATE credit_entry SET allocations = '[
        { "grantRef": "trial", "bucket": "trial", "amount": 5.5 }, { "grantRef": "trial", "bucket": "trial", "amount": 4.5 }
      ]' WHERE org_id = 'org_a' AND entry = 4`,
    found: "entry 4: moves 4.5 credits of grant trial"
  },
  {
    law: "L15",
    what: "a balance is stored as a number that can have parts",
    statement: `ALTER TABLE credit_account ALTER COLUMN purchased TYPE numeric`,
    found: "credit_account.purchased: is of type numeric"
  },
  {
    law: "G3",
    what: "a monthly grant is of another month and bucket, and never ends",
    statement: `
      WITH granted AS (UPDATE credit_grant SET ref = 'monthly:2026-02' WHERE org_id = 'org_b')
      UPDATE credit_entry SET
        ref = CASE kind WHEN 'grant' THEN 'monthly:2026-02' END,
        actor = CASE kind WHEN 'grant' THEN actor || '{ "kind": "system" }' ELSE actor END,
        allocations = replace(allocations::text, '"order"', '"monthly:2026-02"')::jsonb
      WHERE org_id = 'org_b'`,
    found: "entry 1: monthly:2026-02 grants purchased credits at 2026-03-10 00:00, to end never"
  },
  {
    law: "values",
    what: "an organization's settings are those of another",
    statement: `UPDATE organization SET profile = profile || '{ "org_id": "org_b" }' WHERE org_id = 'org_a'`,
    found: "organization: has id org_b and status active in its settings"
  },
  {
    law: "values",
    what: "two keys have one secret",
    statement: `
      INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes)
      SELECT gen_random_uuid(), org_id, 'second', label, secret_hash, scopes FROM credential`,
    found: "key sample: is there 2 times"
  },
  {
    law: "counters",
    what: "a window counts less than nothing",
    statement: `UPDATE credential_window SET count = -1`,
    found: "window of key sample: counts -1"
  },
  {
    law: "deliveries",
    what: "a delivery was tried more often than it may be",
    statement: `UPDATE delivery SET attempts = 6`,
    found: "made 6 attempts, of which 1 have a line and 0 got a 2xx; it is retry_wait"
  },
  {
    law: "deliveries",
    what: "what has ended still waits",
    statement: `UPDATE delivery SET state = 'failed'`,
    found: "waits as failed"
  },
  {
    law: "S1",
    what: "an item has the charge of another one",
    statement: `UPDATE research_item SET charge_entry = 2 WHERE id = '${Scene.uuid(6, 2)}'`,
    found: "entry 2: is the charge of 2 items"
  },
  {
    law: "S1",
    what: "a charge is for research that nobody launched",
    statement: `
      WITH item AS (DELETE FROM research_item WHERE id = '${Scene.uuid(6, 0)}')
      DELETE FROM research_run WHERE id = '${Scene.uuid(6, 0)}'`,
    found: "entry 2: charges for research that nobody launched"
  },
  {
    law: "S2",
    what: "what failed was not given back",
    statement: `UPDATE research_item SET state = 'failed', reason = 'fault' WHERE id = '${Scene.uuid(6, 0)}'`,
    found: `item ${Scene.uuid(6, 0)}: failed (fault) and its charge 2 stands`
  },
  {
    law: "S3",
    what: "a run does not end with its last item",
    statement: `UPDATE research_run SET finished_at = NULL WHERE id = '${Scene.uuid(6, 0)}'`,
    found: `run ${Scene.uuid(6, 0)}: 0 of its 1 items are active and it is not ended`
  },
  {
    law: "deliveries",
    what: "a delivery was delivered without an answer",
    statement: `UPDATE delivery_attempt SET status = 500`,
    found: "made 1 attempts, of which 1 have a line and 0 got a 2xx; it is delivered"
  },
  {
    law: "events",
    what: "an event counts as fanned out and went nowhere",
    statement: `
      UPDATE event SET status = 'fanned_out', skip_reason = NULL, fanned_out_at = '2026-03-10T00:00:00Z'
      WHERE status = 'skipped'`,
    found: `event ${
      Scene.eventId(1)
    }: is fanned_out, skipped for nothing, fanned out 2026-03-10 00:00:00+00, with deliveries: f`
  },
  {
    law: "leads",
    what: "a lead is in a stage that it never went to",
    statement: `UPDATE lead SET status = 'won' WHERE org_id = 'org_b'`,
    found: `lead ${Scene.propertyId(2)}: is won, worth 1000, at version 1; its history ends with qualified, 1000, 1`
  },
  {
    law: "leads",
    what: "a lead is worth what its last change did not say",
    statement: `UPDATE lead SET deal_value = NULL WHERE org_id = 'org_b'`,
    found: `lead ${
      Scene.propertyId(2)
    }: is qualified, worth nothing, at version 1; its history ends with qualified, 1000, 1`
  },
  {
    law: "leads",
    what: "a history lacks a version",
    statement: `
      WITH moved AS (UPDATE lead SET version = 2 WHERE org_id = 'org_b')
      UPDATE lead_stage_history SET version = 2 WHERE org_id = 'org_b'`,
    found: `lead ${Scene.propertyId(2)}: version 2 goes from nothing to qualified, after nothing`
  },
  {
    law: "leads",
    what: "a short history lacks its beginning",
    statement: `
      WITH moved AS (UPDATE lead SET version = 2 WHERE org_id = 'org_b')
      UPDATE lead_stage_history SET version = 2, from_status = 'lost' WHERE org_id = 'org_b'`,
    found: `lead ${Scene.propertyId(2)}: version 2 goes from lost to qualified, after nothing`
  },
  {
    law: "leads",
    what: "a change starts in a stage that the lead was not in",
    statement: `UPDATE lead_stage_history SET from_status = 'lost' WHERE org_id = 'org_b'`,
    found: `lead ${Scene.propertyId(2)}: version 1 goes from lost to qualified, after nothing`
  },
  {
    law: "leads",
    what: "a history is of no lead",
    statement: `
      WITH event AS (DELETE FROM event WHERE org_id = 'org_b')
      DELETE FROM lead WHERE org_id = 'org_b'`,
    found: `lead ${Scene.propertyId(2)}: refers to no lead of its organization`
  },
  {
    law: "leads",
    what: "a qualification was recorded twice",
    statement: `
      UPDATE event e SET org_id = b.org_id, property_id = b.property_id FROM event b
      WHERE e.org_id = 'org_c' AND b.org_id = 'org_b'`,
    found: `property ${Scene.propertyId(2)}: has 2 events of a qualification, and was qualified 1 times`
  },
  {
    law: "leads",
    what: "a qualification was not recorded",
    statement: `DELETE FROM event WHERE org_id = 'org_b'`,
    found: `property ${Scene.propertyId(2)}: has 0 events of a qualification, and was qualified 1 times`
  },
  {
    law: "Q2",
    what: "a person without a tie reaches somewhere",
    statement: `INSERT INTO contact_reach (contact_id, properties, area, states) VALUES ('${
      contactId(0)
    }', 1, '48001', 8)`,
    found: `person ${contactId(0)}: reaches as far as its ties do not say`
  },
  {
    law: "Q2",
    what: "a county has no box",
    statement: `DO $$ BEGIN
      ALTER TABLE property DISABLE TRIGGER county_extend_moved;
      UPDATE property SET lat = 41, lon = -73 WHERE id = ${property(0)};
    END $$`,
    found: `property ${Scene.propertyId(0)}: lies outside the box of county ${Scene.visibleCounty}`
  },
  {
    law: "Q4",
    what: "a cell of the map has one property too many",
    statement: `INSERT INTO map_cell VALUES ('48001', 2, 7, 9, 'Office', 1)`,
    found: "cell 2/7/9 in 48001 of category Office: is kept as 1, and counted as 0"
  },
  {
    law: "Q4",
    what: "a title is kept that nobody has",
    statement: `INSERT INTO title_tally VALUES ('48001', 8, 'Owner', 1)`,
    found: "title Owner with reach 48001 8: is kept as 1, and counted as 0"
  },
  {
    law: "Q4",
    what: "a firm is counted that reaches nowhere",
    statement:
      `INSERT INTO reach_tally_change (kind, area, states, roles, count) VALUES ('firm', '48001', 8, '{owner}', 1)`,
    found: "firm of {owner} with reach 48001 8: is kept as 1, and counted as 0"
  }
]

layer(Arranged.layer, { excludeTestServices: true })("AuditorPg", (it) => {
  it.effect("finds nothing in what the ports leave, and names every law", () =>
    Effect.gen(function*() {
      const laws = yield* Auditor.use(({ audit }) => audit)
      assert.deepStrictEqual(laws.filter(({ count }) => count > 0), [])
      assert.deepStrictEqual(new Set(laws.map(({ law }) => law)), new Set(breaks.map(({ law }) => law)))
    }).pipe(Effect.provide(copy)))

  it.effect("finds nothing in the middle of their work", () =>
    Effect.gen(function*() {
      yield* Effect.forEach(["a", "b", "c"], (ref) => grant("org_a", ref, "trial", 7, start + 3 * day))
      const turn = (index: number) =>
        Effect.gen(function*() {
          const now = start + (2 + index) * day
          yield* unlock("org_a", index, false, now)
          const entries = yield* Ledger.use((ledger) => ledger.entries("org_a", { after: 17, limit: 1000 }))
          const charged = entries.findLast(({ kind }) => kind === "charge")
          if (charged !== undefined) yield* refund("org_a", charged.entry, now)
        })
      const working = yield* Effect.forkChild(
        Effect.forever(
          Effect.forEach([4, 5, 2, 0], (index) => Effect.ignore(turn(index)), {
            concurrency: "unbounded",
            discard: true
          })
        )
      )
      for (let audits = 0; audits < 10; audits++) assert.deepStrictEqual(yield* broken, [])
      yield* Fiber.interrupt(working)
      const written = yield* Ledger.use((ledger) => ledger.entries("org_a", { after: 17, limit: 1000 }))
      assert.isTrue(["charge", "refund", "expiry"].every((each) => written.some(({ kind }) => kind === each)))
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(copy)))

  it.effect("lists the first hundred violations of a law and counts them all", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* dropConstraints
      yield* sql`
        INSERT INTO organization_day (org_id, day, requests)
        SELECT 'org_a', date '2026-04-01' + n, -1 FROM generate_series(1, 250) n`
      const laws = yield* Auditor.use(({ audit }) => audit)
      assert.deepStrictEqual(
        laws.filter(({ count }) => count > 0).map(({ count, law, violations }) => [law, count, violations.length]),
        [["counters", 250, 100]]
      )
    }).pipe(Effect.provide(copy)))

  it.effect("is exact on a database without constraints", () =>
    Effect.gen(function*() {
      yield* dropConstraints
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(copy)))

  describe("tells which law is broken, and no other", () => {
    for (const { found, law, statement, what } of breaks) {
      it.effect(`${law}: ${what}`, () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* dropConstraints
          yield* sql.unsafe(statement)
          const violations = yield* broken
          assert.deepStrictEqual(Array.from(new Set(violations.map((violation) => violation.law))), [law])
          const lines = violations.map(({ fault, record }) => `${record}: ${fault}`)
          assert.isTrue(lines.some((line) => line.endsWith(found)), lines.join("\n"))
        }).pipe(Effect.provide(copy)))
    }
  })
})
