/** Subscribing to events. service-api "Webhooks". */
import { Schema } from "effect"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../property/PropertyRef.ts"
import { SignalsNotEnabled, WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "./WebhookRefusals.ts"

/** What an endpoint can subscribe to. lead.changed is recorded and never sent. */
export const SubscribableEvent = Schema.Literals([
  "lead.qualified",
  "signal.ownership_transfer",
  "signal.sale",
  "signal.manager_change",
  "signal.contact_departure",
  "signal.contact_title_change",
  "signal.contact_employer_change",
  "signal.withdrawn"
])
export type SubscribableEvent = typeof SubscribableEvent.Type

export const WebhookEndpointView = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  label: Schema.NullOr(Schema.String),
  subscribedEvents: Schema.Array(Schema.String),
  active: Schema.Boolean,
  createdVia: Schema.Literals(["api", "manual", "zapier"]),
  createdAt: Schema.String
}).annotate({ identifier: "WebhookEndpoint" })

/** POST /webhooks. */
export const CreateWebhook = Operation.make("service_create_webhook", {
  title: "Subscribe a webhook",
  description: "Free. Registers an address for events; the signing secret is shown once.",
  input: Schema.Struct({
    url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048)),
    events: Schema.optionalKey(Schema.Array(SubscribableEvent).check(Schema.isMinLength(1))),
    include_evidence: Schema.optionalKey(Schema.Boolean)
  }),
  output: Schema.Struct({
    endpoint: WebhookEndpointView,
    signing_secret: Schema.String,
    superseded_endpoint_id: Schema.NullOr(Schema.String)
  }),
  refusals: [WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached, SignalsNotEnabled],
  access: { scope: "events:subscribe", plan: "team" },
  effect: "write"
})

/** DELETE /webhooks/{id}. */
export const DeleteWebhook = Operation.make("service_delete_webhook", {
  title: "Unsubscribe a webhook",
  description: "Free. Deactivates an endpoint; repeating gives the same answer.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Struct({ id: Schema.String, active: Schema.Literal(false) }),
  refusals: [NotFound],
  access: { scope: "events:subscribe", plan: "team" },
  effect: "write"
})
