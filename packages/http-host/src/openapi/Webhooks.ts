/** What the service sends to webhook endpoints, for the contract's document. service-api "Webhook delivery". */
import { SignalData, WithdrawalData } from "@freehold/core/change/Signals"
import { LeadBundle } from "@freehold/core/lead/LeadOperations"
import { Schema } from "effect"
import * as JsonSchema from "./JsonSchema.ts"

const delivery = <Data extends Schema.Codec<unknown, unknown>>(data: Data) =>
  Schema.Struct({
    event_id: Schema.String.annotate({
      format: "uuid",
      description: "Unique per delivery to one endpoint, the same on every retry."
    }),
    feed_event_id: Schema.String.annotate({
      format: "uuid",
      description: "The event as GET /leads and GET /events show it: the same for every endpoint that it goes to."
    }),
    event_type: Schema.String,
    created_at: Schema.String.annotate({ description: "When this attempt was signed." }),
    test: Schema.Boolean,
    data
  })

const LeadDelivery = delivery(LeadBundle).annotate({ identifier: "LeadDelivery" })

const headers: ReadonlyArray<readonly [name: string, description: string]> = [
  [
    "Service-Signature",
    "t=<unix seconds>,v1=<hex>: HMAC-SHA256 with the whole signing secret over t, a dot and the raw body. Compare in " +
    "constant time, and reject a t more than 5 minutes off."
  ],
  ["Service-Event-Id", "The delivery's id, equal to event_id."],
  ["Service-Event-Type", "The event's type."]
]

const SignalDelivery = delivery(SignalData).annotate({ identifier: "SignalDelivery" })
const WithdrawalDelivery = delivery(WithdrawalData).annotate({ identifier: "WithdrawalDelivery" })

const components = {
  ...JsonSchema.ofOutput(LeadDelivery).components,
  ...JsonSchema.ofOutput(SignalDelivery).components,
  ...JsonSchema.ofOutput(WithdrawalDelivery).components
}

/** Any answer of the receiver with 2xx within 10 seconds is a delivery. */
const answers = {
  "2XX": { description: "Delivered; the body is ignored." },
  410: { description: "The endpoint is disabled." },
  default: { description: "Tried again: at most 5 attempts, after 30 seconds, 1, 2 and 4 minutes." }
}

/** What is posted for one kind of event. */
const delivered = (operationId: string, summary: string, description: string, schema: string) => ({
  post: {
    operationId,
    summary,
    description,
    security: [],
    parameters: headers.map(([name, about]) => ({
      name,
      in: "header",
      required: true,
      description: about,
      schema: { type: "string" }
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
    },
    responses: answers
  }
})

export const webhooks = {
  paths: {
    "lead.qualified": delivered(
      "leadQualified",
      "A lead was qualified",
      "A property entered the qualified stage for the first time. Deliveries are at-least-once and may " +
        "come out of order: keep event_id to ignore repeats, data.generated_at to keep the newest.",
      "LeadDelivery"
    ),
    "signal": delivered(
      "signal",
      "Something changed about a property or a person",
      "Of the types signal.ownership_transfer, signal.sale, signal.manager_change, signal.contact_departure, " +
        "signal.contact_title_change and signal.contact_employer_change. Free.",
      "SignalDelivery"
    ),
    "signal.withdrawn": delivered(
      "signalWithdrawn",
      "A change was taken back",
      "To endpoints that were sent the change and subscribe to withdrawals. Remove what the change told.",
      "WithdrawalDelivery"
    )
  },
  schemas: components
} as const
