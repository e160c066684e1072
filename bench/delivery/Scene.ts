/** A customer with endpoints at the benchmark's receiver, and made-up changes that it is told of. */
import * as Database from "@freehold/adapters-pg/database/Database"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import * as Child from "../Child.ts"
import * as Customers from "../Customers.ts"
import type * as Freehold from "../Freehold.ts"
import { withClient } from "../Postgres.ts"

const customer = Customers.buyer(1)

/** Receivers are on loopback. */
export const settings = { FREEHOLD_WEBHOOK_TARGETS: "any" }

/** Properties to change, and a customer who sees them. */
export const prepare = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  yield* withClient(url, () => SyntheticProperties.load({ count: 1000, counties: 10 }))
  yield* Customers.apply(url, 1)
})

const call = Effect.fnUntraced(function*(serving: Freehold.Serving, method: string, path: string, body?: unknown) {
  const answer = yield* Effect.promise(() =>
    fetch(`${serving.root}${path}`, {
      method,
      headers: { authorization: `Bearer ${customer.secret}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  if (answer.status === 200) return yield* Effect.promise((): Promise<unknown> => answer.json())
  return yield* new Child.ChildFailed({ program: `${method} ${path}`, detail: `answered ${answer.status}` })
})

const decodeEndpoints = Schema.decodeUnknownEffect(Schema.Struct({
  data: Schema.Struct({ endpoints: Schema.Array(Schema.Struct({ id: Schema.String, active: Schema.Boolean })) })
}))

/** Subscribes these addresses to sales, and no others. */
export const subscribe = Effect.fnUntraced(function*(serving: Freehold.Serving, addresses: ReadonlyArray<string>) {
  const { data: { endpoints } } = yield* Effect.flatMap(call(serving, "GET", "/webhooks"), decodeEndpoints)
  for (const { id } of endpoints.filter(({ active }) => active)) yield* call(serving, "DELETE", `/webhooks/${id}`)
  for (const url of addresses) yield* call(serving, "POST", "/webhooks", { url, events: ["signal.sale"] })
})

/** Records so many sales, each with the event that the customer is to be told: what an import leaves to the worker. */
export const change = (sql: SqlClient.SqlClient, count: number) =>
  sql.withTransaction(Effect.gen(function*() {
    yield* sql`
      INSERT INTO property_change (id, key, kind, property_id, after, detected_at, source)
      SELECT gen_random_uuid(), 'bench:' || gen_random_uuid(), 'sale', p.id,
        jsonb_build_object('date', '2026-01-02', 'price', 40000, 'document_type', 'deed'), clock_timestamp(), 'county_record'
      FROM generate_series(1, ${count}::integer) AS n
      JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM property) AS p ON p.place = 1 + n % 1000`
    yield* sql`
      WITH told AS (DELETE FROM change_outbox RETURNING change_id)
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, change_id, by_agent, occurred_at)
      SELECT ${customer.orgId}, gen_random_uuid(), 'signal.sale', c.property_id, 'property', c.property_id::text, c.id,
        false, c.detected_at
      FROM told t JOIN property_change c ON c.id = t.change_id`
  }))

/** Makes of the changes the deliveries that the worker would make of them, on connections of its own. */
export const fanningOut = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.provide(WebhookPorts.layer, Database.layer({ url }))),
    (context) => Effect.repeat(Context.get(context, Deliveries).fanOut(500), { until: (handled) => handled === 0 })
  )

/** Waits until no delivery is left to send or to record. */
export const quiet = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    Effect.delay(
      Effect.map(sql`SELECT FROM delivery UNION ALL SELECT FROM event WHERE status = 'pending' LIMIT 1`, (rows) =>
        rows.length === 0),
      "5 millis"
    ),
    {
      until: (isQuiet) =>
        isQuiet
    }
  )
