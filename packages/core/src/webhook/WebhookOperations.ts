/** Subscribing to events. service-api "Webhooks". */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { LeadBundle } from "../lead/LeadOperations.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { DisabledReason } from "./WebhookEndpoints.ts"
import { WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "./WebhookRefusals.ts"

/** An endpoint as its organization sees it. */
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
    url: Schema.String.check(Schema.isMinLength(1), atMost(2048)),
    events: Schema.optionalKey(Schema.Array(SubscribableEvent).check(Schema.isMinLength(1))),
    include_evidence: Schema.optionalKey(Schema.Boolean)
  }),
  output: Schema.Struct({
    endpoint: WebhookEndpointView,
    signing_secret: Schema.String,
    superseded_endpoint_id: Schema.NullOr(Schema.String)
  }),
  refusals: [WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached, SignalsNotEnabled],
  access: { scope: "events:subscribe", plan: "team", app: "admins" },
  effect: "write",
  tool: false
})

/** GET /webhooks. */
export const ListWebhooks = Operation.make("service_list_webhooks", {
  title: "List webhooks",
  description: "Free. Your organization's webhook endpoints, active and deactivated, the newest first.",
  input: NoInput,
  output: Schema.Struct({
    endpoints: Schema.Array(Schema.Struct({
      ...WebhookEndpointView.fields,
      includeEvidence: Schema.Boolean,
      /** null while it is active. */
      disabledReason: Schema.NullOr(DisabledReason),
      consecutiveFailures: Schema.Int
    }))
  }),
  refusals: [],
  access: { scope: "events:subscribe", plan: "team", app: "admins" },
  effect: "read",
  work: "point",
  tool: false,
  extension: true
})

export const defaultDeliveries = 50
const maximumDeliveries = 200

/** GET /webhooks/{id}/deliveries. States: decisions, section 7. */
export const ListWebhookDeliveries = Operation.make("service_list_webhook_deliveries", {
  title: "List a webhook's deliveries",
  description: "Free. What was sent to one endpoint and what is waiting, the newest first, with the last answer.",
  input: Schema.Struct({
    id: Uuid,
    cursor: Schema.optionalKey(
      Schema.String.check(atMost(500)).annotate({ description: "next_cursor of the page before." })
    ),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumDeliveries })).annotate({
        description: "Rows a page, 1 to 200; 50 when left out."
      })
    )
  }),
  output: Schema.Struct({
    deliveries: Schema.Array(Schema.Struct({
      event_id: Schema.String.annotate({ description: "As in the webhook's body." }),
      feed_event_id: Schema.String.annotate({ description: "As in GET /leads and GET /events." }),
      event_type: Schema.String,
      property_id: Schema.NullOr(Schema.String).annotate({
        description:
          "Id of the property. null: the event is about none, or about one beyond the territory of whoever asks."
      }),
      test: Schema.Boolean,
      state: Schema.String,
      attempts: Schema.Int,
      last_status: Schema.NullOr(Schema.Int),
      last_error: Schema.NullOr(Schema.String),
      created_at: Schema.String,
      next_attempt_at: Schema.NullOr(Schema.String),
      delivered_at: Schema.NullOr(Schema.String)
    })),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [NotFound, InvalidCursor],
  access: { scope: "events:subscribe", plan: "team", app: "admins" },
  effect: "read",
  tool: false,
  extension: true
})

/** GET /webhooks/sample. */
export const GetWebhookSample = Operation.make("service_get_webhook_sample", {
  title: "Read a sample event",
  description: "Free. A made-up event in the exact form of a webhook's body, with test true.",
  input: Schema.Struct({ event: Schema.optionalKey(SubscribableEvent) }),
  output: Schema.Struct({
    event_id: Schema.String,
    feed_event_id: Schema.String,
    event_type: SubscribableEvent,
    created_at: Schema.String,
    test: Schema.Literal(true),
    data: Schema.Union([
      LeadBundle,
      Schema.Struct({
        payload_version: Schema.Literal("signal.v1"),
        event_id: Schema.String,
        kind: Schema.String,
        subject: Schema.Struct({ type: Schema.String, id: Schema.String }),
        detected_at: Schema.String,
        source: Schema.optionalKey(Schema.String),
        signal_id: Schema.optionalKey(Schema.String),
        withdraws_event_id: Schema.optionalKey(Schema.String),
        reason: Schema.optionalKey(Schema.String)
      })
    ])
  }),
  refusals: [],
  access: { scope: "events:subscribe", plan: "team", app: "admins" },
  effect: "read",
  work: "point",
  tool: false,
  extension: true
})

/** DELETE /webhooks/{id}. */
export const DeleteWebhook = Operation.make("service_delete_webhook", {
  title: "Unsubscribe a webhook",
  description: "Free. Deactivates an endpoint; repeating gives the same answer.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Struct({ id: Schema.String, active: Schema.Literal(false) }),
  refusals: [NotFound],
  access: { scope: "events:subscribe", plan: "team", app: "admins" },
  effect: "write",
  tool: false
})
