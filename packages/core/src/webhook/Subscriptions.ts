/** Registers and removes webhook endpoints. service-api "Webhooks". */
import { Clock, Effect, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import type { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import { newSecret } from "./EndpointDesk.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "./WebhookEndpoints.ts"
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
    const { endpoint, superseded } = yield* endpoints.register({
      id: yield* random.uuidV4(),
      orgId: organization.org_id,
      url: input.url,
      targetKey: sameTargetKey(input.url),
      label: null,
      events,
      includeEvidence: input.include_evidence ?? false,
      createdVia: target.success.hostname === zapierHost ? "zapier" : "api",
      secret,
      now: yield* Clock.currentTimeMillis
    })
    return {
      endpoint: endpointView(endpoint),
      signing_secret: Redacted.value(secret),
      superseded_endpoint_id: superseded
    }
  })

  const remove: HandlerOf<typeof DeleteWebhook> = Effect.fn("Subscriptions.remove")(function*(input) {
    const { organization } = yield* Caller
    const id = input.id.toLowerCase()
    const found = yield* endpoints.remove(organization.org_id, id)
    return found ? { id, active: false as const } : yield* new NotFound({ resource: "webhook" })
  })

  return { create, remove }
})
