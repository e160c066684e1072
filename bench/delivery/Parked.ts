/** What a claim of 100 deliveries costs, alone and beside any number of retries that wait for their time. */
import { vacuum } from "@freehold/adapters-pg/testing/Vacuum"
import { Effect, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { median } from "../Alternation.ts"
import * as Customers from "../Customers.ts"
import { withClient } from "../Postgres.ts"

export interface Cost {
  readonly millis: number
  /** Of tables and indexes, each as often as it is looked at. */
  readonly blocks: number
}

/** Of each figure. */
const claims = 15

const Explained = Schema.Tuple([Schema.Struct({
  "QUERY PLAN": Schema.Tuple([Schema.Struct({
    Plan: Schema.Struct({ "Shared Hit Blocks": Schema.Number, "Shared Read Blocks": Schema.Number }),
    "Execution Time": Schema.Number
  })])
})])

/** `each` for so many endpoints of the customer, due after a while. */
const fill = (orgId: string, endpoints: number, each: number, wait: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed)
      SELECT ${orgId}, gen_random_uuid(), 'https://receiver.example/', gen_random_uuid()::text, '{lead.qualified}', 'api', ''
      FROM generate_series(1, ${endpoints}::integer)`
    yield* sql`
      INSERT INTO event (org_id, id, type, status, by_agent, occurred_at)
      SELECT ${orgId}, gen_random_uuid(), 'lead.qualified', 'fanned_out', false, now() FROM generate_series(1, ${each}::integer)`
    yield* sql`
      INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, test, partial, due_at)
      SELECT gen_random_uuid(), e.org_id, e.id, w.id, e.type, false, false,
        now() + ${wait}::interval * (1 + random())
      FROM event e JOIN webhook_endpoint w ON w.org_id = e.org_id WHERE e.org_id = ${orgId}`
    yield* vacuum("delivery", "delivery_lane", "webhook_endpoint", "event")
  })

const costOfClaim = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const costs: Array<Cost> = []
  for (let claim = 0; claim < claims; claim++) {
    yield* sql`BEGIN`
    const [{ "QUERY PLAN": [told] }] = yield* Effect.flatMap(
      sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM delivery_claim(100, 10, interval '30 seconds')`,
      Schema.decodeUnknownEffect(Explained)
    )
    yield* sql`ROLLBACK`
    costs.push({
      millis: told["Execution Time"],
      blocks: told.Plan["Shared Hit Blocks"] + told.Plan["Shared Read Blocks"]
    })
  }
  // The first plans, and reads what was not read before.
  const [, ...warm] = costs
  return { millis: median(warm.map(({ millis }) => millis)), blocks: median(warm.map(({ blocks }) => blocks)) }
})

/** Before and after `endpoints` with as many retries together were added. */
export const measure = Effect.fnUntraced(function*(
  url: Redacted.Redacted,
  { endpoints, retries }: { readonly endpoints: number; readonly retries: number }
) {
  yield* Customers.apply(url, 2)
  return yield* withClient(url, () =>
    Effect.gen(function*() {
      yield* fill(Customers.buyer(1).orgId, 10, 10, "0 seconds")
      const alone = yield* costOfClaim
      yield* fill(Customers.buyer(2).orgId, endpoints, retries / endpoints, "1 hour")
      return { alone, among: yield* costOfClaim }
    }))
})
