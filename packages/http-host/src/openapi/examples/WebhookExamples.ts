/** Examples of the endpoints about webhooks. All data is made up. */
import { CreateWebhook, DeleteWebhook } from "@freehold/core/webhook/WebhookOperations"
import { example } from "./Example.ts"

export const webhookExamples = [
  example(CreateWebhook, { url: "https://hooks.crm.example/freehold", events: ["lead.qualified"] }, {
    endpoint: {
      id: "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10",
      url: "https://hooks.crm.example/freehold",
      label: null,
      subscribedEvents: ["lead.qualified"],
      active: true,
      createdVia: "api",
      createdAt: "2026-11-22T12:00:00.000Z"
    },
    signing_secret: "whsec_made-up-made-up-made-up-made-up-made-up-abc",
    superseded_endpoint_id: null
  }),
  example(DeleteWebhook, { id: "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10" }, {
    id: "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10",
    active: false
  })
] as const
