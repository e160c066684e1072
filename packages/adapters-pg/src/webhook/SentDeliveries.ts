/** What was sent to endpoints and what waits, as `WebhookEndpoints` shows it: from `delivery` and its log together. */
import { Uuid } from "@freehold/core/operation/Uuid"
import {
  type DeliveryDetail,
  type DeliveryRow,
  failedStates,
  type WebhookEndpoints
} from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"

interface StoredDelivery {
  /** null: the endpoint has none. */
  readonly id: string | null
  readonly event_id: string
  readonly event_type: string
  readonly property_id: string | null
  readonly test: boolean
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly created_at: Date
  readonly due_at: Date | null
  readonly delivered_at: Date | null
}

const isUuid = Schema.is(Uuid)

/** `reads` may be a standby's. */
export const make = (
  sql: SqlClient.SqlClient,
  reads: SqlClient.SqlClient
): Pick<WebhookEndpoints["Service"], "deliveries" | "deliveriesOf" | "delivery" | "failed"> => ({
  failed: Effect.fn("WebhookEndpoints.failed")(function*(orgId, endpointId, { limit, since, until }) {
    if (!isUuid(endpointId)) return []
    const rows = yield* sql<{ readonly id: string }>`
      SELECT id FROM delivery_log
      WHERE endpoint_id = ${endpointId}::uuid AND org_id = ${orgId} AND state = ANY(${failedStates}::text[])
        AND created_at >= from_millis(${since}::bigint) AND created_at < from_millis(${until}::bigint)
      ORDER BY created_at, id DESC LIMIT ${limit}`
    return rows.map(({ id }) => id)
  }, Effect.catchTag("SqlError", unavailable)),

  delivery: Effect.fn("WebhookEndpoints.delivery")(function*(orgId, deliveryId) {
    if (!isUuid(deliveryId)) return Option.none()
    const [found] = yield* sql<
      Omit<DeliveryDetail, "attempts"> & { readonly made: string; readonly until: string }
    >`
      SELECT endpoint_id AS "endpointId", property_id AS "propertyId", test, state, data, created_at::text AS made,
        'infinity' AS until
      FROM delivery
      WHERE id = ${deliveryId}::uuid AND org_id = ${orgId}
      UNION ALL
      SELECT endpoint_id, property_id, test, state, data, created_at::text,
        CASE WHEN resends = 0 THEN finished_at::text ELSE 'infinity' END
      FROM delivery_logged(${orgId}::text, ${deliveryId}::uuid)`
    if (found === undefined) return Option.none()
    const { made, until, ...delivery } = found
    const attempts = yield* sql<DeliveryDetail["attempts"][number]>`
      SELECT attempt, to_iso(at) AS at, status, error, duration_ms AS "durationMillis", answer FROM delivery_attempt
      WHERE org_id = ${orgId} AND delivery_id = ${deliveryId}::uuid
        AND at BETWEEN ${made}::timestamptz AND ${until}::timestamptz
      ORDER BY attempt, at`
    return Option.some({ ...delivery, attempts })
  }, Effect.catchTag("SqlError", unavailable)),

  deliveriesOf: Effect.fn("WebhookEndpoints.deliveriesOf")(function*(eventId) {
    if (!isUuid(eventId)) return []
    // The operator names no organization, so that each is looked into by its keys.
    const rows = yield* reads<{ readonly id: string }>`
      SELECT d.id FROM organization o JOIN event e ON e.org_id = o.org_id AND e.id = ${eventId}::uuid
      CROSS JOIN LATERAL (
        SELECT id FROM delivery WHERE org_id = e.org_id AND event_id = e.id
        UNION ALL
        SELECT id FROM delivery_log
        WHERE org_id = e.org_id AND event_id = e.id AND created_at >= e.created_at - interval '1 day'
      ) d
      ORDER BY d.id`
    return rows.map(({ id }) => id)
  }, Effect.catchTag("SqlError", unavailable)),

  deliveries: Effect.fn("WebhookEndpoints.deliveries")(function*(endpointId, limit, of) {
    if (!isUuid(endpointId)) return Option.none()
    const after = of?.after ?? null
    const next = after === null ? reads.literal("") : reads`
      AND (created_at < position.created_at OR (created_at = position.created_at AND id > position.id))`
    const rows = yield* reads<StoredDelivery>`
      SELECT d.id, d.event_id, d.event_type, d.property_id, d.test, d.state, d.attempts, a.status,
        coalesce(d.reason, a.error) AS error, d.created_at, d.due_at, d.delivered_at
      FROM webhook_endpoint w
      ${
      after === null ? reads.literal("") : reads`JOIN LATERAL (
        SELECT created_at, id FROM delivery
        WHERE org_id = w.org_id AND id = ${after}::uuid AND endpoint_id = w.id
        UNION ALL
        SELECT created_at, id FROM delivery_logged(w.org_id, ${after}::uuid) WHERE endpoint_id = w.id
        LIMIT 1
      ) position ON true`
    }
      LEFT JOIN LATERAL (
        SELECT * FROM (
          (SELECT id, event_id, event_type, property_id, test, state, attempts + resends AS attempts, reason, created_at,
            CASE WHEN claimed_until IS NULL THEN due_at END AS due_at, delivered_at
          FROM delivery WHERE org_id = w.org_id AND endpoint_id = w.id ${next} ORDER BY created_at DESC, id LIMIT ${limit})
          UNION ALL
          (SELECT id, event_id, event_type, property_id, test, state, attempts + resends, reason, created_at, NULL,
            CASE WHEN state = 'delivered' THEN finished_at END
          FROM delivery_log WHERE org_id = w.org_id AND endpoint_id = w.id ${next} ORDER BY created_at DESC, id LIMIT ${limit})
        ) both_tables
        ORDER BY created_at DESC, id LIMIT ${limit}
      ) d ON true
      LEFT JOIN LATERAL (
        SELECT status, error FROM delivery_attempt
        WHERE org_id = w.org_id AND delivery_id = d.id AND at >= d.created_at ORDER BY attempt DESC, at DESC LIMIT 1
      ) a ON true
      WHERE w.id = ${endpointId}::uuid AND ${of === undefined ? reads.literal("true") : reads`w.org_id = ${of.orgId}`}
      ORDER BY d.created_at DESC, d.id`
    if (rows.length === 0) return Option.none()
    return Option.some(rows.flatMap((row): ReadonlyArray<DeliveryRow> =>
      row.id === null ? [] : [{
        deliveryId: row.id,
        eventId: row.event_id,
        eventType: row.event_type,
        propertyId: row.property_id,
        test: row.test,
        state: row.state,
        attempts: row.attempts,
        lastStatus: row.status,
        lastError: row.error,
        createdAt: row.created_at.toISOString(),
        nextAttemptAt: row.due_at?.toISOString() ?? null,
        deliveredAt: row.delivered_at?.toISOString() ?? null
      }]
    ))
  }, Effect.catchTag("SqlError", unavailable))
})
