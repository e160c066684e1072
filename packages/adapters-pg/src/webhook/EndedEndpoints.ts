/**
 * What waits for an endpoint that was disabled, removed or replaced.
 *
 * It may be any number of deliveries. Whoever ends the endpoint goes through the first of them, those that are being sent among them,
 * and makes its lane due; claims go through the rest, a step at a time (`DeliveryClaimFunction.ts`). So one who has much waiting keeps
 * nobody's outcomes waiting, and an endpoint can be ended however much waits for it. The order of locks is that of `DeliveryFunctions`.
 */
import type { WebhookEndpoint } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** So many deliveries are given over or cancelled at once; more than may be in flight to an endpoint. */
export const step = 1000

/** So many by whoever records that an endpoint is gone, beside the outcomes of others. */
export const recordedStep = 100

/** So long an outcome waits for what somebody else holds, in the words of PostgreSQL. */
export const lockPatience = "500ms"

/** Whether a delivery waited when its endpoint was disabled or removed, in SQL; what is sent again since then did not. */
export const waitedAtEnd = (delivery: string, endpoint: string): string =>
  `coalesce(${delivery}.created_at <= ${endpoint}.cancels_until
    AND NOT (${delivery}.resending AND ${delivery}.due_at > ${endpoint}.cancels_until), false)`

export const make = (sql: SqlClient.SqlClient) => {
  /** Nobody claims for the endpoint until the transaction ends; then a claim looks at what still waits for it. */
  const due = (orgId: string, endpointId: string | null) =>
    sql`UPDATE delivery_lane SET due_at = least(due_at, now())
      WHERE org_id = ${orgId} AND endpoint_id = ${endpointId}::uuid`

  /** The first that wait for the endpoint `id`, or are being sent to it. */
  const first = (orgId: string | Statement.Fragment, id: string | null | Statement.Fragment) =>
    sql`SELECT org_id, id, event_type, claimed_until FROM delivery
      WHERE org_id = ${orgId} AND endpoint_id = ${id}::uuid ORDER BY due_at LIMIT ${step}`

  /** Cancels what waits for the endpoint that `gone` answers, but for the types `kept`. Answers its id. */
  const cancelWaiting = (gone: Statement.Fragment, kept: ReadonlyArray<string> = []) =>
    sql<{ readonly id: string }>`
      WITH endpoint AS (${gone}), passed AS MATERIALIZED (
        SELECT d.org_id, d.id FROM endpoint e
        CROSS JOIN LATERAL (${first(sql.literal("e.org_id"), sql.literal("e.id"))}) f
        JOIN delivery d ON d.org_id = f.org_id AND d.id = f.id
        WHERE (d.claimed_until IS NULL OR d.claimed_until <= now()) AND d.event_type <> ALL(${kept}::text[])
        FOR UPDATE OF d SKIP LOCKED
      ), cancelled AS (
        DELETE FROM delivery d USING passed p WHERE d.org_id = p.org_id AND d.id = p.id RETURNING d.*
      ), logged AS (
        INSERT INTO delivery_log (
          id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, state, attempts, data, created_at,
          finished_at, resends
        )
        SELECT id, org_id, event_id, endpoint_id, event_type, property_id, test, partial,
          CASE WHEN delivered_at IS NULL THEN 'cancelled_endpoint_disabled' ELSE 'delivered' END, attempts, data,
          created_at, coalesce(delivered_at, now()), resends
        FROM cancelled
      )
      SELECT id FROM endpoint`

  /** The active endpoint of that target, and nobody claims for it until the transaction ends. */
  const held = Effect.fnUntraced(function*(orgId: string, targetKey: string) {
    const [found] = yield* sql<{ readonly id: string }>`
      SELECT id FROM webhook_endpoint WHERE org_id = ${orgId} AND target_key = ${targetKey} AND active`
    const id = found?.id ?? null
    yield* sql`SELECT FROM delivery_lane WHERE org_id = ${orgId} AND endpoint_id = ${id}::uuid FOR UPDATE`
    return id
  })

  /**
   * Gives what waits for the endpoint `from`, or is being sent to it, to the endpoint `to` as far as it subscribes to that: the
   * same deliveries on the same places, with the attempts that they have left. What is being sent comes back there if it
   * fails; the rest, and what a fan-out adds that has not seen the new one, the claims that find it give over, the longest due first.
   */
  const handOver = (orgId: string, from: string | null, to: WebhookEndpoint) =>
    Effect.andThen(
      sql`
        WITH passed AS MATERIALIZED (
          SELECT d.org_id, d.id FROM delivery d
          JOIN webhook_endpoint w ON w.org_id = d.org_id AND w.id = d.endpoint_id
          WHERE (d.org_id, d.id) IN (SELECT f.org_id, f.id FROM (${first(orgId, from)}) f)
            AND d.event_type = ANY(${to.subscribedEvents}::text[]) AND NOT ${sql.literal(waitedAtEnd("d", "w"))}
          ORDER BY d.org_id, d.id FOR UPDATE OF d
        ), moved AS (
          UPDATE delivery d SET endpoint_id = ${to.id}::uuid FROM passed p WHERE d.org_id = p.org_id AND d.id = p.id
        )
        INSERT INTO delivery_lane (org_id, endpoint_id, due_at, waits_for_place, place_held, place_until, place_claimer)
        SELECT ${orgId}, ${to.id}::uuid, coalesce(l.due_at, 'infinity'), coalesce(l.waits_for_place, false),
          coalesce(l.place_held, '{}'), coalesce(l.place_until, '{}'), coalesce(l.place_claimer, '{}')
        FROM (VALUES (1)) AS once
        LEFT JOIN delivery_lane l ON l.org_id = ${orgId} AND l.endpoint_id = ${from}::uuid`,
      due(orgId, from)
    )

  return { due, cancelWaiting, held, handOver }
}
