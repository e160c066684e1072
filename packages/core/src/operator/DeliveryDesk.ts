/** Shows the operator's people which endpoints are in trouble and what was sent there, and does what the commands of webhooks do. */
import { Effect, Option } from "effect"
import type { OperatorHandlerOf } from "../access/Operator.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { notEnabled } from "../webhook/EndpointCare.ts"
import { EndpointDesk } from "../webhook/EndpointDesk.ts"
import { type DeliveryRow, type EndpointStanding, failedStates, WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import {
  deliveriesAPage,
  type EnableEndpoint,
  endpointsAPage,
  endpointsLookedAt,
  type GetDelivery,
  type ListDeliveries,
  type ListEndpoints,
  type ResendDeliveries,
  type TestEndpoint
} from "./DeliveryOperations.ts"
import { enabledNoted, endpointNoted } from "./OperatorNote.ts"
import * as OperatorWork from "./OperatorWork.ts"

const endpointView = ({ organization, ...endpoint }: EndpointStanding) => ({
  id: endpoint.id,
  org_id: endpoint.orgId,
  organization: organization.name,
  organization_status: organization.status,
  url: endpoint.url,
  label: endpoint.label,
  is_crm: endpoint.crm !== null,
  subscribed_events: endpoint.subscribedEvents,
  active: endpoint.active,
  disabled_reason: endpoint.disabledReason,
  consecutive_failures: endpoint.consecutiveFailures,
  created_at: endpoint.createdAt,
  waiting: endpoint.waiting,
  next_attempt_at: endpoint.nextAttemptAt,
  ended: endpoint.ended,
  given_up: endpoint.givenUp,
  last_fault: endpoint.lastFault === null ? null : {
    state: endpoint.lastFault.state,
    last_status: endpoint.lastFault.lastStatus,
    last_error: endpoint.lastFault.lastError,
    created_at: endpoint.lastFault.createdAt
  }
})

const deliveryView = (delivery: DeliveryRow) => ({
  event_id: delivery.deliveryId,
  event_type: delivery.eventType,
  test: delivery.test,
  state: delivery.state,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: delivery.createdAt,
  next_attempt_at: delivery.nextAttemptAt,
  has_ended: delivery.nextAttemptAt === null && delivery.state !== "delivering",
  given_up: failedStates.some((state) => state === delivery.state)
})

const orNone = <A>(found: Option.Option<A>, resource: "webhook" | "delivery") =>
  Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource }))

export const make = Effect.gen(function*() {
  const endpoints = yield* WebhookEndpoints
  const desk = yield* EndpointDesk
  const { act } = yield* OperatorWork.make

  const list: OperatorHandlerOf<typeof ListEndpoints> = Effect.fn("DeliveryDesk.list")(
    function*({ cursor, org_id: orgId = null, which }) {
      const found = yield* endpoints.standings({
        which,
        orgId,
        after: cursor?.toLowerCase() ?? null,
        limit: endpointsAPage,
        lookAt: which === "all" ? endpointsAPage + 1 : endpointsLookedAt
      })
      return { items: found.endpoints.map(endpointView), next_cursor: found.next }
    }
  )

  const deliveries: OperatorHandlerOf<typeof ListDeliveries> = Effect.fn("DeliveryDesk.deliveries")(
    function*({ cursor, id }) {
      const endpoint = yield* orNone(yield* endpoints.standing(id.toLowerCase()), "webhook")
      const found = yield* endpoints.deliveries(endpoint.id, deliveriesAPage + 1, {
        orgId: endpoint.orgId,
        after: cursor?.toLowerCase() ?? null
      })
      // The endpoint is there; then it is the delivery of the cursor that is gone.
      if (Option.isNone(found)) return yield* InvalidCursor.refuse()
      const rows = found.value.slice(0, deliveriesAPage)
      return {
        endpoint: endpointView(endpoint),
        deliveries: rows.map(deliveryView),
        next_cursor: found.value.length > deliveriesAPage ? rows.at(-1)?.deliveryId ?? null : null
      }
    }
  )

  const show: OperatorHandlerOf<typeof GetDelivery> = Effect.fn("DeliveryDesk.show")(
    function*({ event_id, org_id: orgId }) {
      const id = event_id.toLowerCase()
      const { attempts, state } = yield* orNone(yield* endpoints.delivery(orgId, id), "delivery")
      return {
        event_id: id,
        state,
        attempts: attempts.map(({ durationMillis, ...attempt }) => ({ ...attempt, duration_ms: durationMillis }))
      }
    }
  )

  const endpointOf = Effect.fnUntraced(function*(id: string) {
    return yield* orNone(yield* endpoints.find(id.toLowerCase()), "webhook")
  })

  const resend: OperatorHandlerOf<typeof ResendDeliveries> = Effect.fn("DeliveryDesk.resend")(
    ({ event_ids: eventIds, id, reason }) =>
      act(
        reason,
        Effect.gen(function*() {
          const endpoint = yield* endpointOf(id)
          const resent: Array<string> = []
          const asked = new Set(eventIds.map((each) => each.toLowerCase()))
          // In one order, whoever asks, since each keeps its lock until all of them are sent.
          for (const each of [...asked].toSorted()) {
            const sent = yield* desk.resend(each, endpoint.orgId).pipe(
              Effect.catchTag("EndpointNotEnabled", notEnabled("id")),
              // It is sent, which is what was wanted.
              Effect.catchTag("DeliveryUnderWay", () => Effect.succeed(null))
            )
            if (sent === null) continue
            const { endpointId } = yield* orNone(sent, "delivery")
            if (endpointId !== endpoint.id) return yield* new NotFound({ resource: "delivery" })
            resent.push(each)
          }
          return [
            { resent: resent.length, under_way: asked.size - resent.length },
            resent.length === 0 ? null : endpointNoted("endpoint.resent", endpoint, { event_ids: resent })
          ] as const
        })
      )
  )

  const test: OperatorHandlerOf<typeof TestEndpoint> = Effect.fn("DeliveryDesk.test")(({ id, reason }) =>
    act(
      reason,
      Effect.gen(function*() {
        const endpoint = yield* endpointOf(id)
        const sent = yield* Effect.catchTag(desk.test(endpoint.id), "EndpointNotEnabled", notEnabled("id"))
        const { deliveryId, eventType } = yield* orNone(sent, "webhook")
        return [
          { event_id: deliveryId, event_type: eventType },
          endpointNoted("endpoint.tested", endpoint, null)
        ] as const
      })
    )
  )

  const enable: OperatorHandlerOf<typeof EnableEndpoint> = Effect.fn("DeliveryDesk.enable")(({ id, reason }) =>
    act(
      reason,
      Effect.gen(function*() {
        const before = yield* endpointOf(id)
        const enabled = yield* Effect.catchTag(desk.enable(before.id), "EndpointNotEnabled", notEnabled("id"))
        const after = yield* orNone(enabled, "webhook")
        return [{ id: after.id, active: after.active }, enabledNoted(before, after)] as const
      })
    )
  )

  return { list, deliveries, show, resend, test, enable }
})
