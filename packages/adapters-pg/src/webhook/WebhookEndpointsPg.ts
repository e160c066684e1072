/** `WebhookEndpoints` over PostgreSQL; signing secrets are stored sealed, each bound to its endpoint. */
import { Uuid } from "@freehold/core/operation/Uuid"
import { Sealer } from "@freehold/core/webhook/Sealer"
import {
  DeliveryUnderWay,
  EndpointNotEnabled,
  type WebhookEndpoint,
  WebhookEndpoints
} from "@freehold/core/webhook/WebhookEndpoints"
import {
  maximumActiveEndpoints,
  maximumEndpoints,
  WebhookEndpointLimitReached,
  WebhookEndpointTotalLimitReached
} from "@freehold/core/webhook/WebhookRefusals"
import { Array, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { transaction, writing } from "../database/Transaction.ts"
import * as EndedEndpoints from "./EndedEndpoints.ts"
import * as EndpointStandings from "./EndpointStandings.ts"
import * as SentDeliveries from "./SentDeliveries.ts"
import * as StandingEndpoints from "./StandingEndpoints.ts"

interface EndpointRow {
  readonly id: string
  readonly org_id: string
  readonly url: string
  readonly label: string | null
  readonly events: ReadonlyArray<string>
  readonly include_evidence: boolean
  readonly active: boolean
  readonly created_via: WebhookEndpoint["createdVia"]
  readonly created_at: Date
  readonly disabled_reason: WebhookEndpoint["disabledReason"]
  readonly consecutive_failures: number
  readonly crm: WebhookEndpoint["crm"]
}

const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  orgId: row.org_id,
  url: row.url,
  label: row.label,
  subscribedEvents: row.events,
  includeEvidence: row.include_evidence,
  active: row.active,
  createdVia: row.created_via,
  createdAt: row.created_at.toISOString(),
  disabledReason: row.disabled_reason,
  consecutiveFailures: row.consecutive_failures,
  crm: row.crm
})

const isUuid = Schema.is(Uuid)

/** What a sealed signing secret is bound to. */
export const secretContext = (endpointId: string): string => `webhook endpoint ${endpointId}`

export const layer: Layer.Layer<WebhookEndpoints, never, SqlClient.SqlClient | Database.Reads | Sealer> = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const sealer = yield* Sealer
    const ended = EndedEndpoints.make(sql)

    const columns = sql.literal(
      "id, org_id, url, label, events, include_evidence, active, created_via, created_at, disabled_reason, consecutive_failures, crm"
    )

    /** Whether it is of that organization; absent: of whichever. */
    const within = (of: string | undefined) => of === undefined ? sql`true` : sql`org_id = ${of}`

    const stands = sql.literal(StandingEndpoints.stands)

    /** Deactivates the endpoints that `which` selects. Answers them. */
    const deactivated = (which: Statement.Fragment, reason: "deleted" | "superseded" | "disabled") =>
      sql<{ readonly id: string }>`
        UPDATE webhook_endpoint SET active = false, disabled_reason = ${reason}::text,
          cancels_until = CASE WHEN ${reason === "superseded"} THEN cancels_until ELSE clock_timestamp() END
        WHERE ${which} RETURNING org_id, id`

    /** Deactivates an endpoint that is `yet`, and cancels what waits for it. Answers its id, if it was that. */
    const end = (orgId: string, endpointId: string, reason: "deleted" | "disabled", yet: Statement.Fragment) =>
      transaction(
        sql,
        Effect.gen(function*() {
          yield* ended.due(orgId, endpointId)
          const found = yield* ended.cancelWaiting(
            deactivated(sql`org_id = ${orgId} AND id = ${endpointId}::uuid AND ${yet}`, reason)
          )
          yield* sql`
            UPDATE webhook_endpoint w SET cancels_until = NULL
            WHERE org_id = ${orgId} AND id = ${endpointId}::uuid AND NOT EXISTS (
              SELECT FROM delivery d
              WHERE d.org_id = w.org_id AND d.endpoint_id = w.id AND (d.claimed_until IS NULL OR d.claimed_until <= now())
            )`
          return found
        })
      )

    /** That one more may be active, and be kept at all unless it is `known` already. */
    const withinLimits = Effect.fnUntraced(function*(orgId: string, known: string | null) {
      const [count] = yield* sql<{ readonly active: number; readonly total: number }>`
        SELECT (count(*) FILTER (WHERE active))::integer AS active, count(*)::integer AS total
        FROM webhook_endpoint
        WHERE org_id = ${orgId} AND disabled_reason IS DISTINCT FROM 'superseded' AND id IS DISTINCT FROM ${known}::uuid`
      if (count === undefined) return yield* Effect.die("a count is a row")
      if (count.active >= maximumActiveEndpoints) return yield* new WebhookEndpointLimitReached({})
      if (known === null && count.total >= maximumEndpoints) return yield* new WebhookEndpointTotalLimitReached({})
    })

    return WebhookEndpoints.of({
      ...SentDeliveries.make(sql, reads),
      ...EndpointStandings.make(sql, columns, toEndpoint),

      register: Effect.fn("WebhookEndpoints.register")(
        function*(endpoint) {
          const { createdVia, events, id, includeEvidence, label, now, orgId, secret, targetKey, url } = endpoint
          const sealed = yield* sealer.seal(secret, secretContext(id))
          // One registration of an organization at a time, so that the limits hold.
          yield* sql`SELECT 1 FROM organization WHERE org_id = ${orgId} FOR NO KEY UPDATE`
          const from = yield* ended.held(orgId, targetKey)
          const superseded = yield* deactivated(
            sql`org_id = ${orgId} AND target_key = ${targetKey} AND disabled_reason IS DISTINCT FROM 'superseded'`,
            "superseded"
          )
          yield* withinLimits(orgId, null)
          const rows = yield* sql<EndpointRow>`
          INSERT INTO webhook_endpoint (
            org_id, id, url, target_key, label, events, include_evidence, created_via, secret_sealed, created_at
          ) VALUES (
            ${orgId}, ${id}::uuid, ${url}, ${targetKey}, ${label}, ${events}::text[], ${includeEvidence}, ${createdVia},
            ${sealed}, to_timestamp(${now}::double precision / 1000)
          ) RETURNING ${columns}`
          const [made] = rows.map(toEndpoint)
          if (made === undefined) return yield* Effect.die("an insert answers its row")
          const replaced = superseded.map((endpoint) => endpoint.id)
          yield* ended.handOver(orgId, from, made)
          yield* ended.cancelWaiting(
            sql`SELECT org_id, id FROM webhook_endpoint WHERE org_id = ${orgId} AND id = ANY(${replaced}::uuid[])`,
            events
          )
          return { endpoint: made, superseded: replaced[0] ?? null }
        },
        (registration) => transaction(sql, registration),
        Effect.catchTag("SqlError", unavailable)
      ),

      connect: Effect.fn("WebhookEndpoints.connect")(
        function*({ credentials, crm, id, label, now, orgId, targetKey, url }) {
          yield* sql`SELECT 1 FROM organization WHERE org_id = ${orgId} FOR NO KEY UPDATE`
          const [found] = yield* sql<{ readonly id: string }>`
            SELECT id FROM webhook_endpoint
            WHERE org_id = ${orgId} AND target_key = ${targetKey} AND ${stands} FOR NO KEY UPDATE`
          const known = found?.id ?? null
          yield* withinLimits(orgId, known)
          const sealed = yield* sealer.seal(credentials, secretContext(known ?? id))
          const settings = JSON.stringify(crm)
          const rows = known === null
            ? yield* sql<EndpointRow>`
              INSERT INTO webhook_endpoint (
                org_id, id, url, target_key, label, events, created_via, secret_sealed, crm, created_at
              ) VALUES (
                ${orgId}, ${id}::uuid, ${url}, ${targetKey}, ${label}, '{lead.qualified}', 'manual', ${sealed},
                ${settings}::jsonb, to_timestamp(${now}::double precision / 1000)
              ) RETURNING ${columns}`
            : yield* sql<EndpointRow>`
              UPDATE webhook_endpoint SET url = ${url}, label = ${label}, secret_sealed = ${sealed},
                crm = ${settings}::jsonb, active = true, disabled_reason = NULL, consecutive_failures = 0
              WHERE org_id = ${orgId} AND id = ${known}::uuid RETURNING ${columns}`
          const [made] = rows.map(toEndpoint)
          return made ?? (yield* Effect.die("what is written answers its row"))
        },
        (connecting) => transaction(sql, connecting),
        Effect.catchTag("SqlError", unavailable)
      ),

      remove: Effect.fn("WebhookEndpoints.remove")(function*(orgId, endpointId) {
        const removed = yield* end(orgId, endpointId, "deleted", stands)
        if (removed.length > 0) return true
        const found = yield* sql`SELECT 1 FROM webhook_endpoint WHERE org_id = ${orgId} AND id = ${endpointId}::uuid`
        return found.length > 0
      }, Effect.catchTag("SqlError", unavailable)),

      find: Effect.fn("WebhookEndpoints.find")(function*(endpointId, of) {
        if (!isUuid(endpointId)) return Option.none()
        const rows = yield* sql<EndpointRow>`
          SELECT ${columns} FROM webhook_endpoint WHERE id = ${endpointId}::uuid AND ${within(of)}`
        return Option.map(Array.head(rows), toEndpoint)
      }, Effect.catchTag("SqlError", unavailable)),

      enable: Effect.fn("WebhookEndpoints.enable")(
        function*(endpointId, of) {
          if (!isUuid(endpointId)) return Option.none()
          yield* sql`SELECT 1 FROM organization
            WHERE org_id = (SELECT org_id FROM webhook_endpoint WHERE id = ${endpointId}::uuid) FOR NO KEY UPDATE`
          const [found] = yield* sql<EndpointRow & { readonly others: number }>`
            SELECT ${columns}, (
              SELECT count(*)::integer FROM webhook_endpoint o WHERE o.org_id = w.org_id AND o.active AND o.id <> w.id
            ) AS others
            FROM webhook_endpoint w WHERE id = ${endpointId}::uuid AND ${within(of)} FOR NO KEY UPDATE OF w`
          if (found === undefined) return Option.none()
          const { disabled_reason: reason, others } = found
          if (reason === "deleted" || reason === "superseded") return yield* new EndpointNotEnabled({ reason })
          if (reason !== null && others >= maximumActiveEndpoints) return yield* new WebhookEndpointLimitReached({})
          const rows = yield* sql<EndpointRow>`
            UPDATE webhook_endpoint SET active = true, disabled_reason = NULL, consecutive_failures = 0
            WHERE org_id = ${found.org_id} AND id = ${endpointId}::uuid RETURNING ${columns}`
          return Option.map(Array.head(rows), toEndpoint)
        },
        (enabling) => transaction(sql, enabling),
        Effect.catchTag("SqlError", unavailable)
      ),

      disable: Effect.fn("WebhookEndpoints.disable")(function*(orgId, endpointId) {
        if (!isUuid(endpointId)) return Option.none()
        yield* end(orgId, endpointId, "disabled", sql`active`)
        const rows = yield* sql<EndpointRow>`
          SELECT ${columns} FROM webhook_endpoint WHERE org_id = ${orgId} AND id = ${endpointId}::uuid`
        return Option.map(Array.head(rows), toEndpoint)
      }, Effect.catchTag("SqlError", unavailable)),

      change: Effect.fn("WebhookEndpoints.change")(function*(orgId, endpointId, { events, label }) {
        if (!isUuid(endpointId)) return Option.none()
        const rows = yield* writing(sql<EndpointRow>`
          UPDATE webhook_endpoint SET
            label = CASE WHEN ${label === undefined} THEN label ELSE ${label ?? null}::text END,
            events = coalesce(${events ?? null}::text[], events)
          WHERE org_id = ${orgId} AND id = ${endpointId}::uuid AND ${stands} RETURNING ${columns}`)
        return Option.map(Array.head(rows), toEndpoint)
      }, Effect.catchTag("SqlError", unavailable)),

      rotateSecret: Effect.fn("WebhookEndpoints.rotateSecret")(function*(endpointId, secret, overlap, of) {
        if (!isUuid(endpointId)) return Option.none()
        const sealed = yield* sealer.seal(secret, secretContext(endpointId.toLowerCase()))
        const rows = yield* sql<{ readonly until: Date }>`
          UPDATE webhook_endpoint SET previous_secret_sealed = secret_sealed, secret_sealed = ${sealed},
            previous_secret_until = now() + ${Duration.toMillis(overlap)}::double precision * interval '1 millisecond'
          WHERE id = ${endpointId}::uuid AND crm IS NULL AND ${within(of)} RETURNING previous_secret_until AS until`
        return Option.map(Array.head(rows), ({ until }) => until.toISOString())
      }, Effect.catchTag("SqlError", unavailable)),

      sendTest: Effect.fn("WebhookEndpoints.sendTest")(
        function*({ data, deliveryId, endpointId, eventId, eventType, now }) {
          const [endpoint] = yield* sql<
            { readonly org_id: string; readonly reason: WebhookEndpoint["disabledReason"] }
          >`
            SELECT org_id, disabled_reason AS reason FROM webhook_endpoint WHERE id = ${endpointId}::uuid FOR KEY SHARE`
          if (endpoint === undefined) return
          if (endpoint.reason !== null) return yield* new EndpointNotEnabled({ reason: endpoint.reason })
          // The lane before the clock of events, as everybody does.
          yield* sql`SELECT FROM delivery_lane
            WHERE org_id = ${endpoint.org_id} AND endpoint_id = ${endpointId}::uuid FOR NO KEY UPDATE`
          yield* sql`
            INSERT INTO event (org_id, id, type, status, by_agent, test, occurred_at, fanned_out_at)
            VALUES (${endpoint.org_id}, ${eventId}::uuid, ${eventType}, 'fanned_out', false, true,
              to_timestamp(${now}::double precision / 1000), now())`
          yield* sql`
            INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, test, partial, data)
            VALUES (${deliveryId}::uuid, ${endpoint.org_id}, ${eventId}::uuid, ${endpointId}::uuid, ${eventType}, true,
              false, ${data})`
        },
        (sending) => transaction(sql, sending),
        Effect.catchTag("SqlError", unavailable)
      ),

      resend: Effect.fn("WebhookEndpoints.resend")(
        function*(deliveryId, of) {
          if (!isUuid(deliveryId)) return Option.none()
          // The operator names no organization, so that each is looked into by its keys.
          const [found] = yield* sql<{
            readonly org_id: string
            readonly endpoint_id: string
            readonly event_type: string
            readonly made: string
          }>`
            SELECT d.org_id, d.endpoint_id, d.event_type, d.created_at::text AS made
            FROM organization o CROSS JOIN LATERAL (
              SELECT org_id, endpoint_id, event_type, created_at FROM delivery
              WHERE org_id = o.org_id AND id = ${deliveryId}::uuid
              UNION ALL
              SELECT org_id, endpoint_id, event_type, created_at FROM delivery_logged(o.org_id, ${deliveryId}::uuid)
            ) d
            WHERE ${of === undefined ? sql`true` : sql`o.org_id = ${of}`}`
          if (found === undefined) return Option.none()
          const { endpoint_id: endpointId, event_type: eventType, made, org_id: orgId } = found
          // The lane before the delivery, as everybody does: of two who send the same set again, one waits for the other here.
          yield* sql`
            SELECT FROM delivery_lane WHERE org_id = ${orgId} AND endpoint_id = ${endpointId}::uuid FOR NO KEY UPDATE`
          const [now] = yield* sql<{
            readonly reason: WebhookEndpoint["disabledReason"]
            readonly waits: string | null
          }>`
            SELECT w.disabled_reason AS reason, d.state AS waits
            FROM webhook_endpoint w LEFT JOIN delivery d ON d.org_id = w.org_id AND d.id = ${deliveryId}::uuid
            WHERE w.org_id = ${orgId} AND w.id = ${endpointId}::uuid FOR KEY SHARE OF w`
          if (now === undefined) return Option.none()
          if (now.waits !== null) return yield* new DeliveryUnderWay({ state: now.waits })
          if (now.reason !== null) return yield* new EndpointNotEnabled({ reason: now.reason })
          const queued = yield* sql`
            WITH again AS (
              DELETE FROM delivery_log
              WHERE org_id = ${orgId} AND id = ${deliveryId}::uuid AND created_at = ${made}::timestamptz RETURNING *
            ), queued AS (
              INSERT INTO delivery (
                id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, attempts, data, created_at,
                resending, resends, delivered_at
              )
              SELECT id, org_id, event_id, endpoint_id, event_type, property_id, test, partial, attempts, data, created_at,
                true, resends, CASE WHEN state = 'delivered' THEN finished_at END
              FROM again
              RETURNING id
            )
            SELECT pg_notify('freehold_event', '') FROM queued`
          // Another one asked for the same at this moment.
          if (queued.length === 0) return yield* new DeliveryUnderWay({ state: "queued" })
          return Option.some({ endpointId, eventType })
        },
        (resending) => transaction(sql, resending),
        Effect.catchTag("SqlError", unavailable)
      ),

      list: Effect.fn("WebhookEndpoints.list")(function*(orgId) {
        const rows = yield* reads<EndpointRow>`
          SELECT ${columns} FROM webhook_endpoint
          WHERE org_id = ${orgId} AND disabled_reason IS DISTINCT FROM 'superseded'
          ORDER BY created_at DESC, id`
        return rows.map(toEndpoint)
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
