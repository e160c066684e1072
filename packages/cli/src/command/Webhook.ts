/** `freehold webhook`: where events are sent to, and what became of them. */
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { deliveryView } from "@freehold/core/webhook/WebhookLog"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { replaceKey, webhooks } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"
import { enable, endpointView, resend, rotateSecret, test } from "./WebhookCare.ts"

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
    limit: wholeNumberFlag("limit", { least: 1, most: 10_000 }).pipe(
      Flag.withDescription("At most so many, the newest first"),
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

const show = Command.make(
  "show",
  {
    event: Argument.String("event_id").pipe(
      Argument.withDescription("event_id of the body, as webhook deliveries shows it")
    ),
    org,
    json
  },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const id = input.event.toLowerCase()
    const found = yield* WebhookEndpoints.use((endpoints) => endpoints.delivery(orgId, id))
    if (Option.isNone(found)) {
      return yield* new CommandRefused({ reason: `there is no delivery ${input.event} of ${orgId}` })
    }
    const { attempts, data, endpointId, state, test } = found.value
    yield* print(
      input.json,
      {
        event_id: id,
        endpoint_id: endpointId,
        test,
        state,
        attempts: attempts.map(({ durationMillis, ...attempt }) => ({ ...attempt, duration_ms: durationMillis })),
        data
      },
      (shown) =>
        [
          record([["event_id", id], ["endpoint_id", endpointId], ["state", state], [
            "body",
            data === null ? null : "kept"
          ]]),
          table(
            ["attempt", "at", "status", "error", "duration_ms", "answer"],
            shown.attempts.map((
              each
            ) => [each.attempt, each.at, each.status, each.error, each.duration_ms, each.answer])
          )
        ].join("\n\n")
    )
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription(
    "Show a delivery with every attempt: when, what was answered and how the answer began, how long it took"
  ),
  Command.withExamples([{
    command: "freehold webhook show 1d3f5a7c-9b2e-4c6d-8f10-2a4b6c8d0e1f --org org_acme",
    description: "Why it did not arrive"
  }])
)

const replaceLostKey = Command.make(
  "replace-key",
  { json },
  Effect.fn(function*(input) {
    const { endpoints, tokens } = yield* replaceKey
    yield* print(input.json, { deleted: endpoints, tokens_deleted: tokens }, () =>
      table(["deleted", "what"], [
        ...endpoints.map((id) => [id, "endpoint of webhooks"]),
        ...tokens.map((name) => [name, "token of the source"])
      ]))
  })
).pipe(
  Command.withDescription(
    "For a lost encryption key: take the present one, and delete the endpoints and tokens of sources that it does not open"
  ),
  Command.withExamples([{
    command: "freehold webhook replace-key",
    description: "Prints the endpoints that have to be registered again, and the sources that want their token again"
  }])
)

export const webhookCommand = Command.make("webhook").pipe(
  Command.withExamples([{ command: "freehold webhook list --org org_acme", description: "The endpoints of org_acme" }]),
  Command.withSubcommands([list, deliveries, show, test, resend, enable, rotateSecret, replaceLostKey])
)
