/** Registers and removes webhook endpoints, and writes down that it did. service-api "Webhooks". */
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Administration from "../administration/Administration.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import type { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import { newSecret } from "./EndpointDesk.ts"
import { isGone, subjectOf, type WebhookEndpoint, WebhookEndpoints } from "./WebhookEndpoints.ts"
import type { CreateWebhook, DeleteWebhook } from "./WebhookOperations.ts"
import { sameTargetKey, vetUrl } from "./WebhookTarget.ts"

const defaultEvents: ReadonlyArray<SubscribableEvent> = ["lead.qualified"]

/** Where every Zap that is switched on has an address of its own. */
const zapierHost = "hooks.zapier.com"

/** An endpoint as its organization sees it. */
export const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  label: endpoint.label,
  subscribedEvents: endpoint.subscribedEvents,
  active: endpoint.active,
  createdVia: endpoint.createdVia,
  createdAt: endpoint.createdAt
})

export const make = Effect.gen(function*() {
  const endpoints = yield* WebhookEndpoints
  const random = yield* SecureRandom.SecureRandom
  const { change, end } = yield* Administration.make
  const { webhookTargets } = yield* ServiceSettings

  const create: HandlerOf<typeof CreateWebhook> = Effect.fn("Subscriptions.create")(function*(input) {
    const { organization } = yield* Caller
    if (/[\s\p{Cc}]/u.test(input.url)) {
      return yield* invalid("url", "Expected a URL without spaces and control characters")
    }
    const target = vetUrl(input.url, webhookTargets)
    if (Result.isFailure(target)) return yield* invalid("url", target.failure.message)
    const events = Array.from(new Set(input.events ?? defaultEvents))
    if (!organization.features.signals && events.some((event) => event.startsWith("signal."))) {
      return yield* new SignalsNotEnabled({
        issues: [{ field: "events", message: "Change events are not switched on for your organization" }]
      })
    }
    const secret = yield* Effect.provideService(newSecret, SecureRandom.SecureRandom, random)
    const id = yield* random.uuidV4()
    return yield* change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { endpoint, superseded } = yield* endpoints.register({
        id,
        orgId,
        url: input.url,
        targetKey: sameTargetKey(input.url),
        label: null,
        events,
        includeEvidence: input.include_evidence ?? false,
        createdVia: target.success.hostname === zapierHost ? "zapier" : "api",
        secret,
        now: yield* Clock.currentTimeMillis
      })
      return [
        {
          endpoint: endpointView(endpoint),
          signing_secret: Redacted.value(secret),
          superseded_endpoint_id: superseded
        },
        {
          action: "endpoint.added",
          subject: subjectOf(endpoint),
          before: null,
          after: { events, ...superseded === null ? {} : { replaces: superseded } }
        }
      ]
    }))
  })

  const remove: HandlerOf<typeof DeleteWebhook> = Effect.fn("Subscriptions.remove")((input) =>
    end(Effect.fnUntraced(function*({ org_id: orgId }) {
      const id = input.id.toLowerCase()
      const found = yield* endpoints.find(id, orgId)
      if (Option.isNone(found) || !(yield* endpoints.remove(orgId, id))) {
        return yield* new NotFound({ resource: "webhook" })
      }
      const { subscribedEvents: events } = found.value
      return [
        { id, active: false as const },
        isGone(found.value)
          ? null
          : { action: "endpoint.removed", subject: subjectOf(found.value), before: { events }, after: null }
      ]
    }))
  )

  return { create, remove }
})
