/** What workers do for others while an organization is fenced in by its move to another cell, or something is wrong with it. */
import { assert, layer } from "@effect/vitest"
import { Allotments } from "@freehold/core/credit/Allotments"
import * as MonthlyGrant from "@freehold/core/credit/MonthlyGrant"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import { Organizations } from "@freehold/core/organization/Organizations"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { defaultKept, Retention } from "@freehold/core/retention/Retention"
import { contact, property, Seeder, tie } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Arrivals from "../../src/change/Arrivals.ts"
import { relay } from "../../src/change/ChangeRelay.ts"
import * as AllotmentsPg from "../../src/credit/AllotmentsPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as ImportStorePg from "../../src/import/ImportStorePg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as ResearchRunsPg from "../../src/research/ResearchRunsPg.ts"
import * as RetentionPg from "../../src/retention/RetentionPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = Layer.mergeAll(
  AllotmentsPg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  RetentionPg.layer,
  ResearchRunsPg.layer.pipe(Layer.provide([LedgerPg.layer, ImportStorePg.layer])),
  WebhookPorts.layer
).pipe(Layer.provideMerge(TestDatabase.layer))

const save = (orgId: string) =>
  Organizations.use((organizations) =>
    organizations.save({ ...Scene.organization(orgId), monthly_credit_allotment: 30, monthly_grant: true })
  )

const fence = (orgId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(
      sql`INSERT INTO organization_move (org_id, to_cell) VALUES (${orgId}, 'west')`,
      sql`SELECT organization_fence(${orgId})`
    )))

layer(ports, { excludeTestServices: true })("beside an organization that moves", (it) => {
  it.effect("others are granted what is due, sent what waits, and have their research done", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a", "org_b"], 2)
      yield* Effect.forEach(["org_a", "org_b"], save)
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_b", 1)
      yield* Scene.qualify("org_a", 0)
      yield* Scene.qualify("org_b", 1)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL session_replication_role = replica`
        yield* Effect.forEach([["org_a", 0], ["org_b", 1]] as const, ([orgId, index]) =>
          Effect.andThen(
            sql`INSERT INTO research_run (org_id, id, action, batch, actor, created_at)
              VALUES (${orgId}, ${Scene.uuid(5, index)}::uuid, 'research_property', false,
                '{"kind": "operator", "id": null, "name": "Sample Operator"}', now())`,
            sql`INSERT INTO research_item (org_id, run_id, place, id, action, subject_id, charge_entry, state, due_at)
              VALUES (${orgId}, ${Scene.uuid(5, index)}::uuid, 1, ${Scene.uuid(6, index)}::uuid, 'research_property',
                ${Scene.propertyId(index)}::uuid, 1, 'queued', now() - ${2 - index}::integer * interval '1 hour')`
          ))
        yield* sql`UPDATE delivery_lane SET due_at = now() - interval '1 hour' WHERE org_id = 'org_a'`
      }))
      yield* fence("org_a")
      const ref = MonthlyGrant.referenceOf(yield* Clock.currentTimeMillis)
      const due = Allotments.use((allotments) => allotments.due({ ref, after: null, limit: 1 }))
      assert.deepStrictEqual(yield* due, ["org_b"])
      const jobs = yield* ResearchRuns.use((runs) => runs.claim({ lease: Duration.minutes(1), limit: 1 }))
      assert.deepStrictEqual(jobs.map(({ jobId }) => jobId), [Scene.uuid(6, 1)])
      const claimed = yield* Deliveries.use((deliveries) =>
        deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.minutes(1) })
      )
      assert.deepStrictEqual(claimed.map(({ eventId }) => eventId), [Scene.eventId(1)])
    }))
})

layer(ports, { excludeTestServices: true })("beside an organization that moves with what is too old", (it) => {
  it.effect("what is too old of others is removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(["org_a", "org_b"], save)
      yield* sql`
        INSERT INTO notice (org_id, notice_id, kind, cause, day, text, created_at)
        SELECT org_id, gen_random_uuid(), 'made up', 'made up', '2020-01-01', 'made up',
          CASE org_id WHEN 'org_a' THEN '2020-01-01' ELSE '2020-01-02' END::timestamptz
        FROM organization`
      yield* fence("org_a")
      const now = yield* Clock.currentTimeMillis
      const sweep = Retention.use((retention) => retention.sweep({ kept: defaultKept, now, atMost: 1 }))
      yield* Effect.repeat(sweep, { until: (swept) => Option.isSome(swept) && !swept.value.more })
      assert.deepStrictEqual(yield* sql`SELECT org_id FROM notice`, [{ org_id: "org_a" }])
    }))
})

layer(ports, { excludeTestServices: true })("beside an organization whose ledger takes no entry", (it) => {
  it.effect("others are granted what is due", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(["org_a", "org_b"], save)
      yield* sql`ALTER TABLE credit_entry ADD CONSTRAINT made_up_fault CHECK (org_id <> 'org_a')`
      const { grantDue } = yield* MonthlyGranter.make
      assert.deepStrictEqual(yield* grantDue(), { granted: 1, refused: [] })
      assert.deepStrictEqual(yield* sql`SELECT DISTINCT org_id FROM credit_grant`, [{ org_id: "org_b" }])
      yield* sql`ALTER TABLE credit_entry DROP CONSTRAINT made_up_fault`
      assert.deepStrictEqual(yield* grantDue(), { granted: 1, refused: [] })
    }))
})

layer(ports, { excludeTestServices: true })("an organization that moves, and stays after all", (it) => {
  it.effect("has what a worker merged and who else relayed without it, and nothing is taken back of who is listed again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { add } = yield* Seeder
      const [gone, heir, person] = [Scene.propertyId(0), Scene.propertyId(1), Scene.uuid(4, 1)]
      yield* add({
        organizations: ["org_a", "org_b"].map(Scene.seeingChanges),
        properties: [gone, heir].map((id) => property({ id, countyFips: Scene.visibleCounty })),
        contacts: [contact({ id: person })],
        relationships: [tie(heir, person)],
        accesses: [{ orgId: "org_a", kind: "property", id: gone, source: "paid" }]
      })
      yield* fence("org_a")
      yield* sql.withTransaction(Effect.andThen(
        sql`SELECT set_config('application_name', 'freehold worker', true)`,
        sql`SELECT property_merge(${gone}::uuid, ${heir}::uuid)`
      ))
      yield* add({
        changes: [{
          id: Scene.uuid(5, 1),
          kind: "contact_departure",
          propertyId: null,
          contactId: person,
          detectedAt: Scene.at,
          withdraws: null,
          before: { value: "Acme", organization_id: null }
        }]
      })
      yield* relay(sql)
      const events = sql`SELECT org_id, type FROM event ORDER BY org_id, created_at`
      assert.deepStrictEqual(yield* events, [{ org_id: "org_b", type: "signal.contact_departure" }])
      yield* sql`UPDATE event SET status = 'fanned_out', fanned_out_at = now()`
      // As it was settled when the person was suppressed for a while.
      yield* sql`INSERT INTO organization_move_arrival (kind, subject) VALUES ('person', ${person})`

      yield* add({ organizations: [Scene.seeingChanges("org_c")] })
      yield* sql`SELECT organization_stay('org_a')`
      yield* Arrivals.settle(sql)
      yield* relay(sql)
      assert.deepStrictEqual(yield* sql`SELECT property_id FROM property_access`, [{ property_id: heir }])
      assert.deepStrictEqual(yield* events, [
        { org_id: "org_a", type: "signal.contact_departure" },
        { org_id: "org_b", type: "signal.contact_departure" }
      ])
    }))
})
