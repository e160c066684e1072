/**
 * The care of webhook endpoints: by an admin in the app, and by a key with the opt-in scope `webhooks:manage`. decisions,
 * section 21.
 */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { ActionInProgress } from "../credit/CreditRefusals.ts"
import { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { atMost } from "../operation/Characters.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Uuid } from "../operation/Uuid.ts"
import { WebhookEndpointView } from "./WebhookOperations.ts"
import { WebhookEndpointLimitReached } from "./WebhookRefusals.ts"

const access = { scope: "webhooks:manage", plan: "team", app: "admins" } as const

/** So many deliveries are sent again by one call. */
export const maximumResent = 100

/** How long the old secret signs beside the new one unless the call says so; at most a week. */
export const defaultOverlapHours = 24
const maximumOverlapHours = 168

/** POST /webhooks/{id}/test. */
export const TestWebhook = Operation.make("service_test_webhook", {
  title: "Test a webhook",
  description: "Free. Sends a made-up event, marked as a test, to an active endpoint; it is in no feed.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Struct({ event_id: Schema.String, event_type: Schema.String, state: Schema.Literal("queued") }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** GET /webhooks/deliveries/{event_id}. */
export const GetWebhookDelivery = Operation.make("service_get_webhook_delivery", {
  title: "Read a delivery",
  description: "Free. One delivery with every attempt, and its data where that is yours already.",
  input: Schema.Struct({ event_id: Uuid }),
  output: Schema.Struct({
    event_id: Schema.String,
    endpoint_id: Schema.String,
    test: Schema.Boolean,
    state: Schema.String,
    attempts: Schema.Array(Schema.Struct({
      attempt: Schema.Int,
      at: Schema.String,
      status: Schema.NullOr(Schema.Int),
      error: Schema.NullOr(Schema.String),
      duration_ms: Schema.Int,
      answer: Schema.NullOr(Schema.String).annotate({
        description:
          "How the body of an answer that was no success begins, as plain text. null: there was none, or the delivery is " +
          "not about a property in the territory of whoever asks."
      })
    })),
    data: Schema.NullOr(Schema.String).annotate({
      description:
        "The JSON text of data as it was sent. null: it was not delivered yet and so counted nowhere, it was removed " +
        "since, or whoever asks has a territory of their own."
    })
  }),
  refusals: [NotFound],
  access,
  effect: "read",
  work: "point",
  tool: false,
  extension: true
})

/** POST /webhooks/deliveries/{event_id}/resend. */
export const ResendWebhookDelivery = Operation.make("service_resend_webhook_delivery", {
  title: "Resend a delivery",
  description: "Free. Sends a delivery that ended once more; what was delivered before is not counted again.",
  input: Schema.Struct({ event_id: Uuid }),
  output: Schema.Struct({
    event_id: Schema.String,
    endpoint_id: Schema.String,
    event_type: Schema.String,
    state: Schema.Literal("queued")
  }),
  refusals: [NotFound, ActionInProgress],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** POST /webhooks/{id}/resend-failed. */
export const ResendFailedDeliveries = Operation.make("service_resend_failed_deliveries", {
  title: "Resend what failed",
  description:
    "Free. Sends again what failed for good or was cancelled with its endpoint in a span of time, the oldest first, up to 100 a call.",
  input: Schema.Struct({
    id: Uuid,
    since: IsoMoment,
    until: Schema.optionalKey(IsoMoment)
  }),
  output: Schema.Struct({
    resent: Schema.Int,
    more: Schema.Boolean.annotate({ description: "More failed in the span: ask again." })
  }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** POST /webhooks/{id}/rotate-secret. */
export const RotateWebhookSecret = Operation.make("service_rotate_webhook_secret", {
  title: "Rotate a signing secret",
  description:
    "Free. A new signing secret, shown once; both sign until the overlap is over, or another rotation ends it.",
  input: Schema.Struct({
    id: Uuid,
    overlap_hours: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maximumOverlapHours })).annotate({
        description: "How long the old secret signs as well, 0 to 168; 24 when left out."
      })
    )
  }),
  output: Schema.Struct({ id: Schema.String, signing_secret: Schema.String, previous_until: Schema.String }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** POST /webhooks/{id}/enable. */
export const EnableWebhook = Operation.make("service_enable_webhook", {
  title: "Enable a webhook",
  description: "Free. Makes a disabled endpoint active again and counts its failures anew.",
  input: Schema.Struct({ id: Uuid }),
  output: WebhookEndpointView,
  refusals: [NotFound, WebhookEndpointLimitReached],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** POST /webhooks/{id}/disable. */
export const DisableWebhook = Operation.make("service_disable_webhook", {
  title: "Disable a webhook",
  description: "Free. Sends nothing there until it is enabled again; what waits is cancelled.",
  input: Schema.Struct({ id: Uuid }),
  output: WebhookEndpointView,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false,
  extension: true
})

/** POST /webhooks/{id}/settings. */
export const ChangeWebhook = Operation.make("service_change_webhook", {
  title: "Change a webhook",
  description: "Free. Replaces the label or the events of an endpoint; what is left out stays.",
  input: Schema.Struct({
    id: Uuid,
    label: Schema.optionalKey(Schema.NullOr(Schema.String.check(atMost(120), oneLine))),
    events: Schema.optionalKey(Schema.Array(SubscribableEvent).check(Schema.isMinLength(1)))
  }),
  output: WebhookEndpointView,
  refusals: [NotFound, SignalsNotEnabled],
  access,
  effect: "write",
  tool: false,
  extension: true
})
