/** `freehold webhook`: where events are sent to, and what became of them. */
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { type WebhookEndpoint, WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { deliveryView } from "@freehold/core/webhook/WebhookLog"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { replaceKey, webhooks } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { overlapFlag } from "./MomentFlag.ts"
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

const endpointArgument = Argument.String("endpoint").pipe(Argument.withDescription("Id of the endpoint"))

const unknown = (endpointId: string) => new CommandRefused({ reason: `there is no webhook endpoint ${endpointId}` })

const test = Command.make(
  "test",
  { endpoint: endpointArgument, json },
  Effect.fn(function*(input) {
    const sent = yield* EndpointDesk.use((desk) => desk.test(input.endpoint.toLowerCase()))
    if (Option.isNone(sent)) return yield* unknown(input.endpoint)
    const { deliveryId, eventType } = sent.value
    yield* print(
      input.json,
      { event_id: deliveryId, event_type: eventType, state: "queued" },
      (shown) => record(Object.entries(shown))
    )
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription("Send a made-up event, marked as a test, to an endpoint; a running worker delivers it"),
  Command.withExamples([{
    command: "freehold webhook test 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "See with webhook deliveries how it went"
  }])
)

/** Each delivery of an event of the feed; one that cannot be sent keeps the others waiting for nothing. */
const resendEvent = Effect.fnUntraced(function*(eventId: string, asJson: boolean) {
  const resent = yield* EndpointDesk.use((desk) => desk.resendEvent(eventId))
  if (Option.isNone(resent)) return yield* new CommandRefused({ reason: `there is no delivery or event ${eventId}` })
  const items = resent.value.map(({ deliveryId, refusal }) => ({
    event_id: deliveryId,
    state: refusal === null ? "queued" : "not sent",
    reason: refusal?.message ?? null
  }))
  yield* print(
    asJson,
    { feed_event_id: eventId, items },
    () => table(["event_id", "state", "reason"], items.map(({ event_id, reason, state }) => [event_id, state, reason]))
  )
  if (items.every(({ reason }) => reason !== null)) {
    return yield* new CommandRefused({ reason: "nothing was sent again" })
  }
})

const resend = Command.make(
  "resend",
  {
    event: Argument.String("event_id").pipe(
      Argument.withDescription(
        "event_id of the body, as webhook deliveries shows it; or its feed_event_id, as GET /leads and GET /events show "
          + "it, for every endpoint that the event went to"
      )
    ),
    json
  },
  Effect.fn(function*(input) {
    const eventId = input.event.toLowerCase()
    const resent = yield* EndpointDesk.use((desk) => desk.resend(eventId))
    if (Option.isNone(resent)) return yield* resendEvent(eventId, input.json)
    const { endpointId, eventType } = resent.value
    yield* print(
      input.json,
      { event_id: eventId, event_type: eventType, endpoint_id: endpointId, state: "queued" },
      (shown) => record(Object.entries(shown))
    )
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription(
    "Send what was delivered, or failed, once more, not billed again; a running worker delivers it"
  ),
  Command.withExamples([{
    command: "freehold webhook resend 1d3f5a7c-9b2e-4c6d-8f10-2a4b6c8d0e1f",
    description: "After the receiver lost it"
  }])
)

const enable = Command.make(
  "enable",
  { endpoint: endpointArgument, json },
  Effect.fn(function*(input) {
    const enabled = yield* EndpointDesk.use((desk) => desk.enable(input.endpoint.toLowerCase()))
    if (Option.isNone(enabled)) return yield* unknown(input.endpoint)
    yield* print(
      input.json,
      endpointView(enabled.value),
      ({ active, id, url }) => record(Object.entries({ id, url, active }))
    )
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription("Make an endpoint active again that was disabled for its failures"),
  Command.withExamples([{
    command: "freehold webhook enable 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "After the receiver was mended"
  }])
)

const rotateSecret = Command.make(
  "rotate-secret",
  {
    endpoint: endpointArgument,
    overlap: overlapFlag("How long the old secret signs as well, such as 24h"),
    json
  },
  Effect.fn(function*(input) {
    const rotated = yield* EndpointDesk.use((desk) => desk.rotateSecret(input.endpoint.toLowerCase(), input.overlap))
    if (Option.isNone(rotated)) return yield* unknown(input.endpoint)
    const { previousUntil, secret } = rotated.value
    yield* print(
      input.json,
      {
        endpoint_id: input.endpoint.toLowerCase(),
        signing_secret: Redacted.value(secret),
        previous_until: previousUntil
      },
      (shown) => record(Object.entries(shown))
    )
  }, Effect.provide(webhooks))
).pipe(
  Command.withDescription("Give an endpoint a new signing secret, shown once; both sign until the overlap is over"),
  Command.withExamples([{
    command: "freehold webhook rotate-secret 6b8b4567-327b-43c6-9869-66334873b0dc --overlap 48h",
    description: "Two days to bring the new secret to the receiver"
  }])
)

const replaceLostKey = Command.make(
  "replace-key",
  { json },
  Effect.fn(function*(input) {
    const ids = yield* replaceKey
    yield* print(input.json, { deleted: ids }, () => table(["deleted"], ids.map((id) => [id])))
  })
).pipe(
  Command.withDescription(
    "For a lost encryption key: take the present one, and delete the endpoints whose signing secret it does not open"
  ),
  Command.withExamples([{
    command: "freehold webhook replace-key",
    description: "Prints the endpoints that have to be registered again"
  }])
)

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Show and mend webhook endpoints, and show deliveries"),
  Command.withExamples([{ command: "freehold webhook list --org org_acme", description: "The endpoints of org_acme" }]),
  Command.withSubcommands([list, deliveries, show, test, resend, enable, rotateSecret, replaceLostKey])
)
