/**
 * What an operator or an admin does with an endpoint: try it, send to it again, enable it again, give it a new secret.
 * With `of`, only what is that organization's is found. operator.md "webhook".
 */
import { Clock, Context, type Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { sampleOf } from "./SampleEvents.ts"
import {
  type DeliveryUnderWay,
  type EndpointNotEnabled,
  type WebhookEndpoint,
  WebhookEndpoints
} from "./WebhookEndpoints.ts"
import type { WebhookEndpointLimitReached } from "./WebhookRefusals.ts"

/** A new signing secret: `whsec_` and 32 random bytes in standard base64, as the libraries of Standard Webhooks read it. */
export const newSecret = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(32)),
  (bytes) => Redacted.make(`whsec_${Base64.encode(bytes)}`)
)

const isSubscribable = (event: string): event is SubscribableEvent =>
  SubscribableEvent.literals.some((known) => known === event)

/** What became of one delivery of an event that is sent again. */
export interface Resent {
  readonly deliveryId: string
  /** Where it is sent; null: it is not. */
  readonly endpointId: string | null
  /** null: it is queued. */
  readonly refusal: string | null
}

export class EndpointDesk extends Context.Service<EndpointDesk, {
  /**
   * Sends a made-up event of the first kind that the endpoint subscribed to, marked as a test, through the worker. Free,
   * and in no feed. None: there is no such endpoint. The id is that of the delivery.
   */
  test(endpointId: string, of?: OrganizationId): Effect.Effect<
    Option.Option<{ readonly deliveryId: string; readonly eventType: string }>,
    EndpointNotEnabled | TemporarilyUnavailable
  >

  /**
   * Has a delivery that ended sent once more through the worker, as a further attempt: the same event_id and data, a fresh
   * signature. What was delivered before is not billed again. None: there is no such delivery.
   */
  resend(deliveryId: string, of?: OrganizationId): Effect.Effect<
    Option.Option<{ readonly endpointId: string; readonly eventType: string }>,
    DeliveryUnderWay | EndpointNotEnabled | TemporarilyUnavailable
  >

  /**
   * The same for each delivery of an event of the feed, by itself: with what `note` writes down of it, both or neither. What is under
   * way or of an endpoint that is not active is left as it is. None: there is no such event, or it went nowhere.
   */
  resendEvent<E, R>(
    eventId: string,
    note: (sent: { readonly deliveryId: string; readonly endpointId: string }) => Effect.Effect<void, E, R>
  ): Effect.Effect<Option.Option<ReadonlyArray<Resent>>, E | TemporarilyUnavailable, R>

  /** Makes a disabled endpoint active again and counts its failures anew. None: there is no such endpoint. */
  enable(endpointId: string, of?: OrganizationId): Effect.Effect<
    Option.Option<WebhookEndpoint>,
    EndpointNotEnabled | WebhookEndpointLimitReached | TemporarilyUnavailable
  >

  /** A new secret; deliveries are signed with both until the overlap is over. None: there is no such endpoint. */
  rotateSecret(endpointId: string, overlap: Duration.Duration, of?: OrganizationId): Effect.Effect<
    Option.Option<{ readonly secret: Redacted.Redacted; readonly previousUntil: string }>,
    TemporarilyUnavailable
  >
}>()("@freehold/core/webhook/EndpointDesk") {
  static readonly layer = Layer.effect(
    EndpointDesk,
    Effect.gen(function*() {
      const endpoints = yield* WebhookEndpoints
      const organizations = yield* Organizations
      const random = yield* SecureRandom.SecureRandom
      const { appUrl } = yield* ServiceSettings

      return EndpointDesk.of({
        test: Effect.fn("EndpointDesk.test")(function*(endpointId, of) {
          const endpoint = yield* endpoints.find(endpointId, of)
          if (Option.isNone(endpoint)) return Option.none()
          const organization = Option.getOrThrow(yield* organizations.find(endpoint.value.orgId))
          const eventType = endpoint.value.subscribedEvents.find(isSubscribable) ?? "lead.qualified"
          const now = yield* Clock.currentTimeMillis
          const [eventId, deliveryId] = yield* Effect.orDie(Effect.all([random.uuidV4(), random.uuidV4()]))
          const { data } = sampleOf(eventType, { organization, appUrl, now })
          yield* endpoints.sendTest({
            endpointId,
            eventId,
            deliveryId,
            eventType,
            data: JSON.stringify(data),
            now
          })
          return Option.some({ deliveryId, eventType })
        }),
        resend: Effect.fn("EndpointDesk.resend")((deliveryId, of) => endpoints.resend(deliveryId, of)),
        resendEvent: Effect.fn("EndpointDesk.resendEvent")(function*(eventId, note) {
          const deliveries = yield* endpoints.deliveriesOf(eventId)
          if (deliveries.length === 0) return Option.none()
          // In one transaction, two events that go to the same endpoints could each wait for what the other holds.
          return Option.some(
            yield* Effect.forEach(deliveries, (deliveryId) =>
              endpoints.resend(deliveryId).pipe(
                Effect.map(Option.match({
                  onNone: (): Resent => ({ deliveryId, endpointId: null, refusal: "the delivery is gone" }),
                  onSome: ({ endpointId }): Resent => ({ deliveryId, endpointId, refusal: null })
                })),
                Effect.catchTag(["DeliveryUnderWay", "EndpointNotEnabled"], ({ message }) =>
                  Effect.succeed<Resent>({ deliveryId, endpointId: null, refusal: message })),
                Effect.tap(({ endpointId }) =>
                  endpointId === null ? Effect.void : note({ deliveryId, endpointId })
                ),
                organizations.atomically
              ))
          )
        }),
        enable: Effect.fn("EndpointDesk.enable")((endpointId, of) => endpoints.enable(endpointId, of)),
        rotateSecret: Effect.fn("EndpointDesk.rotateSecret")(function*(endpointId, overlap, of) {
          const secret = yield* Effect.orDie(Effect.provideService(newSecret, SecureRandom.SecureRandom, random))
          const rotated = yield* endpoints.rotateSecret(endpointId, secret, overlap, of)
          return Option.map(rotated, (previousUntil) => ({ secret, previousUntil }))
        })
      })
    })
  )
}
