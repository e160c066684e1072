/** Examples of the endpoints about webhooks. All data is made up. */
import {
  ChangeWebhook,
  DisableWebhook,
  EnableWebhook,
  GetWebhookDelivery,
  ResendFailedDeliveries,
  ResendWebhookDelivery,
  RotateWebhookSecret,
  TestWebhook
} from "@freehold/core/webhook/EndpointCareOperations"
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhookSample,
  ListWebhookDeliveries,
  ListWebhooks
} from "@freehold/core/webhook/WebhookOperations"
import { example } from "./Example.ts"

const id = "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10"
const event_id = "6c5f2d0e-1f1e-4b5b-8d6f-2a4d0c7e9b31"

const endpoint = {
  id,
  url: "https://hooks.crm.example/freehold",
  label: "CRM",
  subscribedEvents: ["lead.qualified"],
  active: true,
  createdVia: "api",
  createdAt: "2026-11-22T12:00:00.000Z"
} as const

export const webhookExamples = [
  example(TestWebhook, { id }, { event_id, event_type: "lead.qualified", state: "queued" }),
  example(GetWebhookDelivery, { event_id }, {
    event_id,
    endpoint_id: id,
    test: false,
    state: "retry_wait",
    attempts: [{
      attempt: 1,
      at: "2026-11-22T12:00:10.000Z",
      status: 503,
      answer: "upstream is away",
      error: "answered 503",
      duration_ms: 84
    }],
    data: null
  }),
  example(ResendWebhookDelivery, { event_id }, {
    event_id,
    endpoint_id: id,
    event_type: "lead.qualified",
    state: "queued"
  }),
  example(ResendFailedDeliveries, { id, since: "2026-11-22T00:00:00Z" }, { resent: 3, more: false }),
  example(RotateWebhookSecret, { id, overlap_hours: 48 }, {
    id,
    signing_secret: "whsec_made-up-made-up-made-up-made-up-made-up-abc",
    previous_until: "2026-11-24T12:00:00.000Z"
  }),
  example(EnableWebhook, { id }, endpoint),
  example(DisableWebhook, { id }, { ...endpoint, active: false }),
  example(ChangeWebhook, { id, label: "CRM" }, endpoint),
  example(ListWebhooks, {}, {
    endpoints: [{
      id: "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10",
      url: "https://hooks.crm.example/freehold",
      label: null,
      subscribedEvents: ["lead.qualified"],
      active: true,
      createdVia: "api",
      createdAt: "2026-11-22T12:00:00.000Z",
      includeEvidence: false,
      disabledReason: null,
      consecutiveFailures: 0
    }]
  }),
  example(ListWebhookDeliveries, { id: "0d4f5a52-6c3e-4a53-9c1c-2f6f6f1d9a10", limit: 50 }, {
    deliveries: [{
      event_id: "6c5f2d0e-1f1e-4b5b-8d6f-2a4d0c7e9b31",
      feed_event_id: "9b88ce3d-a9a0-4444-a0c9-198af3e4132a",
      event_type: "lead.qualified",
      property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      test: false,
      state: "retry_wait",
      attempts: 1,
      last_status: 500,
      last_error: "answered 500",
      created_at: "2026-11-22T12:00:10.000Z",
      next_attempt_at: "2026-11-22T12:00:40.000Z",
      delivered_at: null
    }],
    next_cursor: null
  }),
  example(GetWebhookSample, { event: "signal.sale" }, {
    event_id: "00000000-0000-4000-8000-000000000008",
    feed_event_id: "9b7d3c51-2f0e-4a6b-8c1d-5e4f3a2b1c0d",
    event_type: "signal.sale",
    created_at: "2026-11-22T12:00:00.000Z",
    test: true,
    data: {
      payload_version: "signal.v1",
      event_id: "00000000-0000-4000-8000-000000000005",
      kind: "sale",
      subject: { type: "property", id: "00000000-0000-4000-8000-000000000001" },
      detected_at: "2026-01-01T00:00:00.000Z",
      source: "research",
      signal_id: "00000000-0000-4000-8000-000000000007"
    }
  }),
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
