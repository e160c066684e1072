/** `freehold webhook test`, `resend`, `enable` and `rotate-secret`: what is done about an endpoint, and written down. */
import { enabledNoted, endpointNoted } from "@freehold/core/operator/OperatorNote"
import { Organizations } from "@freehold/core/organization/Organizations"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { type WebhookEndpoint, WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { webhooks } from "../LazyComposition.ts"
import { type Accountable, accountable, accountably, note } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { overlapFlag } from "./MomentFlag.ts"

/** An endpoint as the commands show it. */
export const endpointView = (endpoint: WebhookEndpoint) => ({
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

const endpointArgument = Argument.String("endpoint").pipe(Argument.withDescription("Id of the endpoint"))

/** The endpoint of an id. */
const endpointOf = Effect.fnUntraced(function*(id: string) {
  const found = yield* WebhookEndpoints.use((endpoints) => endpoints.find(id.toLowerCase()))
  return Option.isSome(found)
    ? found.value
    : yield* new CommandRefused({ reason: `there is no webhook endpoint ${id}` })
})

/** What can be gone in the moment after it was found. */
const orGone = <A>(found: Option.Option<A>, id: string) =>
  Effect.mapError(Effect.fromOption(found), () => new CommandRefused({ reason: `there is no webhook endpoint ${id}` }))

export const test = Command.make(
  "test",
  { endpoint: endpointArgument, ...accountable, json },
  Effect.fn(function*(input) {
    const endpoint = yield* endpointOf(input.endpoint)
    const sending = EndpointDesk.use((desk) => desk.test(endpoint.id)).pipe(
      Effect.flatMap((sent) => orGone(sent, endpoint.id))
    )
    const { deliveryId, eventType } = yield* accountably(
      input,
      sending,
      () => endpointNoted("endpoint.tested", endpoint, null)
    )
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

/** Writes down which deliveries are sent to an endpoint once more, as a part of the transaction that is under way. */
const noteResent = Effect.fnUntraced(
  function*(given: Accountable, endpointId: string, eventIds: ReadonlyArray<string>) {
    const endpoint = yield* endpointOf(endpointId)
    yield* note(given, endpointNoted("endpoint.resent", endpoint, { event_ids: eventIds }))
  }
)

/** Each delivery of an event of the feed; one that cannot be sent keeps the others waiting for nothing. */
const resendEvent = Effect.fnUntraced(function*(eventId: string, given: Accountable) {
  const desk = yield* EndpointDesk
  const resent = yield* desk.resendEvent(
    eventId,
    ({ deliveryId, endpointId }) => noteResent(given, endpointId, [deliveryId])
  )
  if (Option.isNone(resent)) return yield* new CommandRefused({ reason: `there is no delivery or event ${eventId}` })
  return resent.value.map(({ deliveryId, refusal }) => ({
    event_id: deliveryId,
    state: refusal === null ? "queued" : "not sent",
    reason: refusal
  }))
})

/** The delivery of an id; none: it is no delivery's. */
const resendDelivery = Effect.fnUntraced(function*(deliveryId: string, given: Accountable) {
  const resent = yield* EndpointDesk.use((desk) => desk.resend(deliveryId))
  if (Option.isSome(resent)) yield* noteResent(given, resent.value.endpointId, [deliveryId])
  return resent
})

export const resend = Command.make(
  "resend",
  {
    event: Argument.String("event_id").pipe(
      Argument.withDescription(
        "event_id of the body, as webhook deliveries shows it; or its feed_event_id, as GET /leads and GET /events show "
          + "it, for every endpoint that the event went to"
      )
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const eventId = input.event.toLowerCase()
    const { atomically } = yield* Organizations
    const resent = yield* atomically(resendDelivery(eventId, input))
    if (Option.isSome(resent)) {
      const { endpointId, eventType } = resent.value
      return yield* print(
        input.json,
        { event_id: eventId, event_type: eventType, endpoint_id: endpointId, state: "queued" },
        (shown) => record(Object.entries(shown))
      )
    }
    const items = yield* resendEvent(eventId, input)
    yield* print(
      input.json,
      { feed_event_id: eventId, items },
      (shown) =>
        table(
          ["event_id", "state", "reason"],
          shown.items.map(({ event_id, reason, state }) => [event_id, state, reason])
        )
    )
    if (items.every(({ reason }) => reason !== null)) {
      return yield* new CommandRefused({ reason: "nothing was sent again" })
    }
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

export const enable = Command.make(
  "enable",
  { endpoint: endpointArgument, ...accountable, json },
  Effect.fn(function*(input) {
    const before = yield* endpointOf(input.endpoint)
    const enabling = EndpointDesk.use((desk) => desk.enable(before.id)).pipe(
      Effect.flatMap((enabled) => orGone(enabled, before.id))
    )
    const enabled = yield* accountably(input, enabling, (after) => enabledNoted(before, after))
    yield* print(
      input.json,
      endpointView(enabled),
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

export const rotateSecret = Command.make(
  "rotate-secret",
  {
    endpoint: endpointArgument,
    overlap: overlapFlag("How long the old secret signs as well, such as 24h"),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const endpoint = yield* endpointOf(input.endpoint)
    const rotating = EndpointDesk.use((desk) => desk.rotateSecret(endpoint.id, input.overlap)).pipe(
      Effect.flatMap((rotated) => orGone(rotated, endpoint.id))
    )
    const { previousUntil, secret } = yield* accountably(
      input,
      rotating,
      ({ previousUntil }) => endpointNoted("endpoint.secret_rotated", endpoint, { previous_until: previousUntil })
    )
    yield* print(
      input.json,
      { endpoint_id: endpoint.id, signing_secret: Redacted.value(secret), previous_until: previousUntil },
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
