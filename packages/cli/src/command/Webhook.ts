/** `freehold webhook`: where events are sent to, and what became of them. */
import { type WebhookEndpoint, WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { deliveryView } from "@freehold/core/webhook/WebhookLog"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { webhooks } from "../LazyComposition.ts"
import { json, print, table } from "../Output.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  label: endpoint.label,
  subscribedEvents: endpoint.subscribedEvents,
  includeEvidence: endpoint.includeEvidence,
  active: endpoint.active,
  disabledReason: endpoint.disabledReason,
  consecutiveFailures: endpoint.consecutiveFailures,
  createdVia: endpoint.createdVia,
  createdAt: endpoint.createdAt
})

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const endpoints = yield* WebhookEndpoints.use((endpoints) => endpoints.list(orgId))
    yield* print(input.json, { items: endpoints.map(endpointView) }, ({ items }) =>
      table(
        ["id", "url", "events", "state", "failures", "created_at"],
        items.map((endpoint) => [
          endpoint.id,
          endpoint.url,
          endpoint.subscribedEvents.join(","),
          endpoint.active ? "active" : endpoint.disabledReason ?? "inactive",
          endpoint.consecutiveFailures,
          endpoint.createdAt
        ])
      ))
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription("List the webhook endpoints of an organization"),
  Command.withExamples([{ command: "freehold webhook list --org org_acme", description: "Endpoints of org_acme" }])
)

const deliveries = Command.make(
  "deliveries",
  {
    endpoint: Argument.String("endpoint").pipe(Argument.withDescription("Id of the endpoint")),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("At most so many, the newest first"),
      Flag.filter((limit) => limit >= 1 && limit <= 10_000, (limit) => `Expected 1 to 10000, got ${limit}`),
      Flag.withDefault(100)
    ),
    json
  },
  Effect.fn(function*(input) {
    const found = yield* WebhookEndpoints.use((endpoints) => endpoints.deliveries(input.endpoint, input.limit))
    if (Option.isNone(found)) {
      return yield* new CommandRefused({ reason: `there is no webhook endpoint ${input.endpoint}` })
    }
    yield* print(input.json, { items: found.value.map(deliveryView) }, ({ items }) =>
      table(
        ["event_id", "type", "state", "attempts", "status", "error", "created_at", "next_attempt_at"],
        items.map((delivery) => [
          delivery.event_id,
          delivery.event_type,
          delivery.state,
          delivery.attempts,
          delivery.last_status,
          delivery.last_error,
          delivery.created_at,
          delivery.next_attempt_at
        ])
      ))
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription("List what was sent to an endpoint and what is waiting, the newest first"),
  Command.withExamples([{
    command: "freehold webhook deliveries 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "How the last deliveries to an endpoint went"
  }])
)

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Show webhook endpoints and deliveries"),
  Command.withSubcommands([list, deliveries])
)
