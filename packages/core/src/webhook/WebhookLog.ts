/** Shows an organization its webhook endpoints, what was sent to them, and what an event looks like. */
import { Clock, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { CursorSeal } from "../operation/CursorSeal.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import * as OpenPlaces from "./OpenPlaces.ts"
import { sampleOf } from "./SampleEvents.ts"
import { endpointView } from "./Subscriptions.ts"
import { type DeliveryRow, WebhookEndpoints } from "./WebhookEndpoints.ts"
import {
  defaultDeliveries,
  type GetWebhookSample,
  type ListWebhookDeliveries,
  type ListWebhooks
} from "./WebhookOperations.ts"

/** A delivery as its organization and the operator see it. */
export const deliveryView = (delivery: DeliveryRow) => ({
  event_id: delivery.deliveryId,
  feed_event_id: delivery.eventId,
  event_type: delivery.eventType,
  property_id: delivery.propertyId,
  test: delivery.test,
  state: delivery.state,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: delivery.createdAt,
  next_attempt_at: delivery.nextAttemptAt,
  delivered_at: delivery.deliveredAt
})

export const make = Effect.gen(function*() {
  const endpoints = yield* WebhookEndpoints
  const openPlaces = yield* OpenPlaces.make
  const cursors = yield* CursorSeal
  const { appUrl } = yield* ServiceSettings

  const list: HandlerOf<typeof ListWebhooks> = Effect.fn("WebhookLog.list")(function*() {
    const { organization } = yield* Caller
    const found = yield* endpoints.list(organization.org_id)
    return {
      endpoints: found.map((endpoint) => ({
        ...endpointView(endpoint),
        includeEvidence: endpoint.includeEvidence,
        disabledReason: endpoint.disabledReason,
        consecutiveFailures: endpoint.consecutiveFailures
      }))
    }
  })

  /** The delivery after which the page begins. */
  const positionOf = Effect.fnUntraced(function*(cursor: string | undefined, bound: string) {
    if (cursor === undefined) return null
    const opened = yield* cursors.open(cursor, bound)
    return Option.isSome(opened) ? opened.value : yield* InvalidCursor.refuse()
  })

  const deliveries: HandlerOf<typeof ListWebhookDeliveries> = Effect.fn("WebhookLog.deliveries")(function*(input) {
    const { organization: { org_id: orgId } } = yield* Caller
    const id = input.id.toLowerCase()
    const bound = `deliveries ${orgId} ${id}`
    const after = yield* positionOf(input.cursor, bound)
    const limit = input.limit ?? defaultDeliveries
    const found = yield* endpoints.deliveries(id, limit + 1, { orgId, after })
    // The endpoint of a cursor exists; then it is the delivery that is gone.
    if (Option.isNone(found)) {
      return yield* after === null ? new NotFound({ resource: "webhook" }) : InvalidCursor.refuse()
    }
    const rows = found.value.slice(0, limit)
    const last = rows.at(-1)
    const isOpen = yield* openPlaces(rows.map(({ propertyId }) => propertyId))
    return {
      deliveries: rows.map((row) => deliveryView(isOpen(row.propertyId) ? row : { ...row, propertyId: null })),
      next_cursor: found.value.length <= limit || last === undefined
        ? null
        : yield* cursors.seal(last.deliveryId, bound)
    }
  })

  const sample: HandlerOf<typeof GetWebhookSample> = Effect.fn("WebhookLog.sample")(function*({ event }) {
    const { organization } = yield* Caller
    return sampleOf(event ?? "lead.qualified", { organization, appUrl, now: yield* Clock.currentTimeMillis })
  })

  return { deliveries, list, sample }
})
