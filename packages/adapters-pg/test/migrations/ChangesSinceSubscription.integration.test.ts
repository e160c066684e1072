/** What migration 211 makes of subscriptions, changes and events that are there already. */
import { assert, it } from "@effect/vitest"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sharedTables } from "../../src/cell/SharedTables.ts"
import { guardedCell } from "./GuardedCell.ts"

const earlier = Migrations.make(
  Object.fromEntries(Object.entries(Migrations.migrations).filter(([name]) => name < "0211"))
)

/**
 * A database of the version before, with a change whose events wait for half an hour: of one organization that subscribed to
 * changes an hour ago, of one that subscribes to leads alone, of one that subscribed since, and of one that moves to another cell.
 */
const before = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP SCHEMA public CASCADE`
  yield* sql`CREATE SCHEMA public`
  yield* earlier.run
  yield* Scene.seed(["org_early", "org_late", "org_leads", "org_moving"], 1)
  yield* sql`INSERT INTO property_change (id, key, kind, property_id, detected_at)
    VALUES (${Scene.uuid(5, 1)}::uuid, 'sale', 'sale', ${Scene.propertyId(0)}::uuid, now())`
  yield* sql`
    INSERT INTO event (org_id, id, type, property_id, change_id, by_agent, occurred_at, created_at)
    SELECT org_id, gen_random_uuid(), 'signal.sale', ${Scene.propertyId(0)}::uuid, ${
    Scene.uuid(5, 1)
  }::uuid, false, at, at
    FROM organization CROSS JOIN (SELECT now() - interval '30 minutes') AS made (at)`
  yield* sql`
    INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed, created_at)
    SELECT org_id, gen_random_uuid(), type, type, ARRAY[type], 'api', '', at
    FROM (VALUES
      ('org_early', 'signal.sale', now() - interval '1 hour'), ('org_early', 'signal.withdrawn', now()),
      ('org_leads', 'lead.qualified', now() - interval '1 hour'), ('org_late', 'signal.sale', now())
    ) AS made (org_id, type, at)`
  yield* sql`INSERT INTO organization_move (org_id, to_cell) VALUES ('org_moving', 'west')`
  yield* sql`SELECT organization_fence('org_moving')`
})

for (const guarded of [false, true]) {
  it.live(`what waits is sent to whom it was for${guarded ? ", also in a cell" : ""}`, () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* before
      if (guarded) yield* guardedCell([...sharedTables])
      yield* Migrations.run
      assert.deepStrictEqual(yield* sql`SELECT org_id, before_subscription AS before FROM event ORDER BY org_id`, [
        { org_id: "org_early", before: false },
        { org_id: "org_late", before: true },
        { org_id: "org_leads", before: true },
        // Nothing of it can be written.
        { org_id: "org_moving", before: false }
      ])
      assert.deepStrictEqual(
        yield* sql`SELECT org_id, since < now() - interval '30 minutes' AS first FROM change_subscription ORDER BY org_id`,
        [
          { org_id: "org_early", first: true },
          { org_id: "org_late", first: false }
        ]
      )
      // What waits to become events is as if it were recorded now.
      assert.deepStrictEqual(
        yield* sql`
          SELECT s.org_id, o.recorded_at < s.since AND pg_visible_in_snapshot(o.recorded_by, s.seen) AS before
          FROM change_outbox o CROSS JOIN change_subscription s ORDER BY s.org_id`,
        [{ org_id: "org_early", before: false }, { org_id: "org_late", before: false }]
      )
      yield* sql`UPDATE webhook_endpoint SET events = '{signal.sale}' WHERE org_id = 'org_leads'`
      assert.lengthOf(yield* sql`SELECT FROM change_subscription WHERE org_id = 'org_leads'`, 1)
    }).pipe(Effect.scoped, Effect.provide(SeederPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)))))
}
