/** Everything of an organization is exported and removed, whatever tables there are, and nothing of another one. */
import { assert, it } from "@effect/vitest"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Auditor } from "@freehold/core/credit/Auditor"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import { countRows, exportRows, ownedTables, removeRows } from "../../src/diagnosis/OrganizationRowsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = Layer.mergeAll(AuditorPg.layer, KeyRingPg.layer, WebhookPorts.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const actor = { kind: "operator", id: null, name: "Sample Operator" } as const

/** A customer with credits, a key, leads, an endpoint, deliveries that ended and one that waits. */
const live = Effect.fnUntraced(function*(orgId: string, index: number) {
  const deliveries = yield* Deliveries
  yield* Scene.register(orgId, index)
  yield* KeyRing.use((keys) =>
    keys.create({
      credentialId: Scene.uuid(4, index),
      orgId,
      name: "sample",
      label: "sample",
      secretHash: String(index + 1).padStart(64, "0"),
      scopes: [],
      dailyLimits: {}
    })
  )
  yield* SampleGrant.grant(orgId, 5, { actor, now: Scene.at })
  yield* Scene.qualify(orgId, 2 * index)
  yield* deliveries.fanOut(10)
  const claimed = yield* deliveries.claim({ limit: 10, perEndpoint: 10, lease: Duration.minutes(5) })
  yield* deliveries.complete(
    claimed.map(({ attempt, claim, deliveryId, endpointId }) => ({
      orgId,
      deliveryId,
      endpointId,
      claim,
      attempt,
      outcome: { _tag: "Delivered", status: 204 },
      durationMillis: 1
    })),
    []
  )
  yield* Scene.qualify(orgId, 2 * index + 1)
  yield* deliveries.fanOut(10)
})

const Line = Schema.fromJsonString(
  Schema.Struct({ table: Schema.String, row: Schema.Record(Schema.String, Schema.Json) })
)

const exported = Effect.fnUntraced(function*(orgId: string) {
  const lines: Array<string> = []
  const counts = yield* exportRows(orgId, (page) => Effect.sync(() => void lines.push(...page)))
  return { counts, lines: yield* Effect.forEach(lines, (line) => Schema.decodeEffect(Line)(line)) }
})

it.live("every table of organizations is exported and emptied, and no other organization is touched", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Scene.seed(["org_a", "org_b"], 4)
    yield* live("org_a", 0)
    yield* live("org_b", 1)
    const owned = yield* sql<{ readonly name: string }>`
      SELECT table_name AS name FROM information_schema.columns c JOIN pg_class r ON r.relname = c.table_name
      WHERE column_name = 'org_id' AND table_schema = 'public' AND NOT r.relispartition AND r.relkind IN ('r', 'p')
      ORDER BY table_name`
    assert.isAbove(owned.length, 30)
    assert.deepStrictEqual((yield* ownedTables).map(({ name }) => name).sort(), owned.map(({ name }) => name))

    const { counts, lines } = yield* exported("org_a")
    assert.deepStrictEqual([...counts.keys()].sort(), owned.map(({ name }) => name))
    assert.deepStrictEqual(new Map([...counts].filter(([, rows]) => rows > 0)), yield* countRows("org_a"))
    assert.strictEqual(lines.length, [...counts.values()].reduce((sum, rows) => sum + rows, 0))
    assert.isTrue(lines.every(({ row }) => row["org_id"] === "org_a"))
    assert.strictEqual(lines[0]?.table, "organization")
    for (const table of ["credit_entry", "delivery", "delivery_log", "delivery_attempt", "event", "lead"]) {
      assert.isAbove(counts.get(table) ?? 0, 0, table)
    }
    for (const { row } of lines) {
      assert.notIncludeMembers(Object.keys(row), ["secret_hash", "secret_sealed", "answer_sealed"])
    }

    const other = yield* exported("org_b")
    const removed = yield* removeRows("org_a")
    assert.deepStrictEqual(removed, new Map([...counts].filter(([, rows]) => rows > 0)))
    assert.strictEqual((yield* countRows("org_a")).size, 0)
    assert.deepStrictEqual(yield* exported("org_b"), other)
    const laws = yield* Auditor.use((auditor) => auditor.audit)
    assert.deepStrictEqual(laws.filter(({ count }) => count > 0), [])
  }).pipe(Effect.provide(ports)))

it.live("an export is of one moment, and holds a page at a time", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Scene.seed(["org_a"], 1)
    yield* sql`
      INSERT INTO notice (org_id, notice_id, kind, cause, day, text, created_at)
      SELECT 'org_a', gen_random_uuid(), 'sample', n::text, '2026-01-01', 'made up', now() FROM generate_series(1, 1200) n`
    let longest = 0
    let pages = 0
    const counts = yield* exportRows("org_a", (page) =>
      Effect.gen(function*() {
        longest = Math.max(longest, page.length)
        pages += 1
      }))
    assert.strictEqual(counts.get("notice"), 1200)
    assert.isAtMost(longest, 500)
    assert.isAbove(pages, 3)
  }).pipe(Effect.provide(ports)))
