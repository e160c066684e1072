/** What `DiagnosisPg` reads of a database that works, and of one where work waits. */
import { assert, describe, it } from "@effect/vitest"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as DiagnosisPg from "../../src/diagnosis/DiagnosisPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

describe("DiagnosisPg", () => {
  it.live("tells secrets that open from those that were sealed with another key", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      assert.deepStrictEqual(yield* DiagnosisPg.openSecrets, { tried: 1, closed: [] })
      const otherKey = SealerNode.layer(Redacted.make(new Uint8Array(32).fill(8)))
      assert.deepStrictEqual(yield* Effect.provide(DiagnosisPg.openSecrets, otherKey), {
        tried: 1,
        closed: [Scene.endpointId(0)]
      })
      // It may be enabled again, with the same secret.
      yield* WebhookEndpoints.use((endpoints) => endpoints.disable("org_a", Scene.endpointId(0)))
      assert.deepStrictEqual(yield* DiagnosisPg.openSecrets, { tried: 1, closed: [] })
      yield* WebhookEndpoints.use((endpoints) => endpoints.remove("org_a", Scene.endpointId(0)))
      assert.deepStrictEqual(yield* DiagnosisPg.openSecrets, { tried: 0, closed: [] })
    }).pipe(Effect.provide(ports)))

  it.live("measures what waits for a worker, and leaves out what waits for its organization", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a", "org_b"], 2)
      assert.deepStrictEqual(yield* DiagnosisPg.lag, { pendingEvent: null, dueDelivery: null, dueResearch: null })
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      yield* Scene.qualify("org_a", 1)
      yield* sql`UPDATE delivery SET due_at = now() - interval '90 seconds'`
      yield* sql`UPDATE event SET created_at = now() - interval '30 seconds' WHERE status = 'pending'`
      yield* sql`INSERT INTO credit_account (org_id) VALUES ('org_b')`
      yield* sql`
        INSERT INTO credit_entry (org_id, entry, at, kind, credits, trial, included, enterprise_pool, purchased,
          balance_after, actor, allocations)
        VALUES ('org_b', 1, now(), 'grant', 0, 0, 0, 0, 0, 0, '{}', '[]')`
      yield* sql`
        INSERT INTO research_run (org_id, id, action, batch, actor, created_at)
        VALUES ('org_b', ${Scene.uuid(6, 0)}::uuid, 'find_email', false, '{}', now())`
      yield* sql`
        INSERT INTO research_item (org_id, run_id, place, id, action, subject_id, charge_entry, state, due_at)
        VALUES ('org_b', ${Scene.uuid(6, 0)}::uuid, 0, ${Scene.uuid(6, 1)}::uuid, 'find_email',
          ${Scene.uuid(6, 2)}::uuid, 1, 'queued', now() - interval '70 seconds')`
      const { dueDelivery, dueResearch, pendingEvent } = yield* DiagnosisPg.lag
      assert.approximately(dueResearch ?? 0, 75_000, 5000)
      assert.approximately(dueDelivery ?? 0, 95_000, 5000)
      assert.approximately(pendingEvent ?? 0, 35_000, 5000)
      yield* Organizations.use((organizations) => organizations.setStatus("org_a", "suspended"))
      yield* sql`UPDATE research_item SET due_at = now() + interval '1 hour'`
      assert.deepStrictEqual(yield* DiagnosisPg.lag, { pendingEvent: null, dueDelivery: null, dueResearch: null })
    }).pipe(Effect.provide(ports)))

  it.live("knows the server and its clock", () =>
    Effect.gen(function*() {
      const { majorVersion, now, version } = yield* DiagnosisPg.server
      assert.isAtLeast(majorVersion, 15)
      assert.isTrue(version.startsWith(String(majorVersion)))
      assert.approximately(now, performance.timeOrigin + performance.now(), 5000)
    }).pipe(Effect.provide(ports)))
})
