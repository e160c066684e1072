/** How endpoints do is told from a bounded part of what was sent to them and waits for them. */
import { assert, it } from "@effect/vitest"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { endedLookedAt, waitingCountedAtMost, WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { workOf } from "../../src/testing/StatementWork.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { vacuum } from "../../src/testing/Vacuum.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

/** So many deliveries to the endpoint that failed lately, and as many that wait, half of which were tried. */
const send = Effect.fnUntraced(function*(endpoint: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    "id, org_id, event_id, endpoint_id, event_type, test, partial, created_at, state, attempts"
  )
  const made = sql`
    WITH made AS (
      INSERT INTO event (org_id, id, type, status, by_agent, occurred_at)
      SELECT 'org_a', uuid_of_now(), 'lead.qualified', 'fanned_out', false, now() FROM generate_series(1, ${count}::integer)
      RETURNING org_id, id, type
    ), numbered AS (SELECT *, (row_number() OVER ())::integer AS n FROM made)`
  const delivery = sql`
    uuid_of_now(), org_id, id, ${Scene.endpointId(endpoint)}::uuid, type, false, false, now() - n * interval '1 second'`
  yield* sql`${made}
    INSERT INTO delivery_log (${columns}, finished_at) SELECT ${delivery}, 'failed', 5, now() FROM numbered`
  yield* sql`${made}
    INSERT INTO delivery (${columns}, due_at)
    SELECT ${delivery}, CASE n % 2 WHEN 0 THEN 'queued' ELSE 'retry_wait' END, n % 2, now() + (n % 7 - 3) * interval '1 minute'
    FROM numbered`
})

it.live("looks at no more of an endpoint, however much was sent to it and waits", () =>
  Effect.gen(function*() {
    const endpoints = yield* WebhookEndpoints
    yield* Scene.withEvents({ events: 0, endpoints: 10 })
    // The planner has seen endpoints that have little, and would sort it.
    for (let endpoint = 0; endpoint < 10; endpoint++) yield* send(endpoint, 5)
    yield* vacuum("delivery", "delivery_log", "webhook_endpoint")
    const rows = Effect.forEach(["troubled", "waiting", "all"] as const, (which) =>
      Effect.map(
        workOf(endpoints.standings({ which, orgId: null, after: null, limit: 50, lookAt: 50 })),
        (work) => work.rows
      ))
    yield* send(0, Math.max(endedLookedAt, waitingCountedAtMost) + 200)
    const before = yield* rows
    yield* send(0, 4000)
    for (const [index, after] of (yield* rows).entries()) assert.isAtMost(after, 1.05 * (before[index] ?? 0))
  }).pipe(Effect.provide(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))))
