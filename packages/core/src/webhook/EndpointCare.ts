/** Looks after the webhook endpoints of the caller's organization, and writes down what was done. */
import { Clock, Duration, Effect, Option, Redacted } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Administration from "../administration/Administration.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { ActionInProgress } from "../credit/CreditRefusals.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { endOf, startOf } from "../operation/IsoMoment.ts"
import type {
  ChangeWebhook,
  DisableWebhook,
  EnableWebhook,
  GetWebhookDelivery,
  ResendFailedDeliveries,
  ResendWebhookDelivery,
  RotateWebhookSecret,
  TestWebhook
} from "./EndpointCareOperations.ts"
import { defaultOverlapHours, maximumResent } from "./EndpointCareOperations.ts"
import { EndpointDesk } from "./EndpointDesk.ts"
import * as OpenPlaces from "./OpenPlaces.ts"
import { endpointView } from "./Subscriptions.ts"
import {
  type EndpointNotEnabled,
  isGone,
  subjectOf,
  type WebhookEndpoint,
  WebhookEndpoints
} from "./WebhookEndpoints.ts"

const activeOnly = { id: "Expected an active endpoint", event_id: "Expected a delivery of an active endpoint" }

/** Refuses what is asked of an endpoint that is not active, by the field that named it. */
export const notEnabled = (field: keyof typeof activeOnly) => ({ message }: EndpointNotEnabled) =>
  Effect.fail(invalid(field, `${activeOnly[field]}: ${message}`))

const underWay = () => Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 }))

const settingsOf = ({ label, subscribedEvents }: WebhookEndpoint) => ({ label, events: subscribedEvents })

export const make = Effect.gen(function*() {
  const endpoints = yield* WebhookEndpoints
  const desk = yield* EndpointDesk
  const openPlaces = yield* OpenPlaces.make
  const { change, end } = yield* Administration.make

  const orNone = <A>(found: Option.Option<A>, resource: "webhook" | "delivery") =>
    Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource }))

  const own = Effect.fnUntraced(function*(id: string, orgId: string) {
    return yield* orNone(Option.filter(yield* endpoints.find(id, orgId), (found) => !isGone(found)), "webhook")
  })

  const test: HandlerOf<typeof TestWebhook> = Effect.fn("EndpointCare.test")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const endpoint = yield* own(input.id.toLowerCase(), orgId)
      const sent = yield* Effect.catchTag(desk.test(endpoint.id, orgId), "EndpointNotEnabled", notEnabled("id"))
      const { deliveryId, eventType } = yield* orNone(sent, "webhook")
      return [
        { event_id: deliveryId, event_type: eventType, state: "queued" },
        { action: "endpoint.tested", subject: subjectOf(endpoint), before: null, after: null }
      ]
    }))
  )

  const delivery: HandlerOf<typeof GetWebhookDelivery> = Effect.fn("EndpointCare.delivery")(function*(input) {
    const { organization, territory } = yield* Caller
    const id = input.event_id.toLowerCase()
    const found = yield* orNone(yield* endpoints.delivery(organization.org_id, id), "delivery")
    const isTold = found.test || territory === null && found.state === "delivered"
    const isOpen = found.test || (yield* openPlaces([found.propertyId]))(found.propertyId)
    return {
      event_id: id,
      endpoint_id: found.endpointId,
      test: found.test,
      state: found.state,
      attempts: found.attempts.map(({ answer, durationMillis, ...attempt }) => ({
        ...attempt,
        duration_ms: durationMillis,
        answer: isOpen ? answer : null
      })),
      data: isTold ? found.data : null
    }
  })

  const resend: HandlerOf<typeof ResendWebhookDelivery> = Effect.fn("EndpointCare.resend")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const id = input.event_id.toLowerCase()
      const sent = yield* desk.resend(id, orgId).pipe(
        Effect.catchTag("EndpointNotEnabled", notEnabled("event_id")),
        Effect.catchTag("DeliveryUnderWay", underWay)
      )
      const { endpointId, eventType } = yield* orNone(sent, "delivery")
      const endpoint = yield* own(endpointId, orgId)
      return [
        { event_id: id, endpoint_id: endpointId, event_type: eventType, state: "queued" },
        { action: "endpoint.resent", subject: subjectOf(endpoint), before: null, after: { event_ids: [id] } }
      ]
    }))
  )

  const resendFailed: HandlerOf<typeof ResendFailedDeliveries> = Effect.fn("EndpointCare.resendFailed")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const endpoint = yield* own(input.id.toLowerCase(), orgId)
      const failed = yield* endpoints.failed(orgId, endpoint.id, {
        since: startOf(input.since),
        until: input.until === undefined ? (yield* Clock.currentTimeMillis) + 1 : endOf(input.until),
        limit: maximumResent + 1
      })
      const ids = failed.slice(0, maximumResent)
      // In one order, whoever asks, since each keeps its lock until all of them are sent.
      for (const id of ids.toSorted()) {
        yield* desk.resend(id, orgId).pipe(
          Effect.catchTag("EndpointNotEnabled", notEnabled("id")),
          // Somebody asked for it at this moment: it is sent, which is what was wanted.
          Effect.catchTag("DeliveryUnderWay", () => Effect.succeedNone)
        )
      }
      return [
        { resent: ids.length, more: failed.length > ids.length },
        ids.length === 0 ? null : {
          action: "endpoint.resent",
          subject: subjectOf(endpoint),
          before: null,
          after: { event_ids: ids }
        }
      ]
    }))
  )

  const rotate: HandlerOf<typeof RotateWebhookSecret> = Effect.fn("EndpointCare.rotate")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const endpoint = yield* own(input.id.toLowerCase(), orgId)
      if (endpoint.crm !== null) {
        return yield* invalid("id", "Expected a webhook: the operator keeps what a CRM is shown")
      }
      const overlap = Duration.hours(input.overlap_hours ?? defaultOverlapHours)
      const { previousUntil, secret } = yield* orNone(yield* desk.rotateSecret(endpoint.id, overlap, orgId), "webhook")
      return [
        { id: endpoint.id, signing_secret: Redacted.value(secret), previous_until: previousUntil },
        {
          action: "endpoint.secret_rotated",
          subject: subjectOf(endpoint),
          before: null,
          after: { previous_until: previousUntil }
        }
      ]
    }))
  )

  const enable: HandlerOf<typeof EnableWebhook> = Effect.fn("EndpointCare.enable")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const before = yield* own(input.id.toLowerCase(), orgId)
      const enabled = yield* Effect.catchTag(desk.enable(before.id, orgId), "EndpointNotEnabled", notEnabled("id"))
      const after = yield* orNone(enabled, "webhook")
      return [
        endpointView(after),
        before.active ? null : {
          action: "endpoint.enabled",
          subject: subjectOf(after),
          before: { disabled_reason: before.disabledReason },
          after: { disabled_reason: null }
        }
      ]
    }))
  )

  const disable: HandlerOf<typeof DisableWebhook> = Effect.fn("EndpointCare.disable")((input) =>
    end(Effect.fnUntraced(function*({ org_id: orgId }) {
      const before = yield* own(input.id.toLowerCase(), orgId)
      const after = yield* orNone(yield* endpoints.disable(orgId, before.id), "webhook")
      return [
        endpointView(after),
        before.active
          ? {
            action: "endpoint.disabled",
            subject: subjectOf(after),
            before: { disabled_reason: null },
            after: { disabled_reason: after.disabledReason }
          }
          : null
      ]
    }))
  )

  const update: HandlerOf<typeof ChangeWebhook> = Effect.fn("EndpointCare.update")((input) =>
    change(Effect.fnUntraced(function*({ features, org_id: orgId }) {
      if (!features.signals && input.events?.some((event) => event.startsWith("signal.")) === true) {
        return yield* new SignalsNotEnabled({
          issues: [{ field: "events", message: "Change events are not switched on for your organization" }]
        })
      }
      const before = yield* own(input.id.toLowerCase(), orgId)
      if (before.crm !== null && input.events !== undefined) {
        return yield* invalid("events", "Expected none: a CRM is told of qualified leads alone")
      }
      const after = yield* orNone(
        yield* endpoints.change(orgId, before.id, {
          ...input.label === undefined ? {} : { label: input.label },
          ...input.events === undefined ? {} : { events: [...new Set(input.events)] }
        }),
        "webhook"
      )
      const difference = Administration.differenceOf(settingsOf(before), settingsOf(after))
      return [
        endpointView(after),
        difference === null ? null : { action: "endpoint.changed", subject: subjectOf(after), ...difference }
      ]
    }))
  )

  return { test, delivery, resend, resendFailed, rotate, enable, disable, update }
})
