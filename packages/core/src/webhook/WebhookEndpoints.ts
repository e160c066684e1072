/** The addresses to which an organization has its events sent. */
import { Context, type Duration, type Effect, type Option, type Redacted, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { CrmSettings } from "./CrmSettings.ts"
import type { WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "./WebhookRefusals.ts"

/** Why an endpoint is not active. */
export const DisabledReason = Schema.Literals([
  "deleted",
  "gone",
  "failing",
  "private_address",
  "superseded",
  "disabled"
])

/** A registered address; its signing secret is never read back. Times are ISO-8601. */
export interface WebhookEndpoint {
  readonly id: string
  readonly orgId: OrganizationId
  readonly url: string
  readonly label: string | null
  readonly subscribedEvents: ReadonlyArray<string>
  readonly includeEvidence: boolean
  readonly active: boolean
  readonly createdVia: "api" | "manual" | "zapier"
  readonly createdAt: string
  /** Why it is not active, null while it is. */
  readonly disabledReason: typeof DisabledReason.Type | null
  /** Deliveries in a row whose five attempts are used up. */
  readonly consecutiveFailures: number
  /** Set of a CRM; null: a webhook. */
  readonly crm: CrmSettings | null
}

/** Its customer removed or replaced it, for good. */
export const isGone = ({ disabledReason }: Pick<WebhookEndpoint, "disabledReason">): boolean =>
  disabledReason === "deleted" || disabledReason === "superseded"

/** A delivery and how far it came, for people. Times are ISO-8601. */
export interface DeliveryRow {
  /** The `event_id` of the body. */
  readonly deliveryId: string
  /** The id of GET /events. */
  readonly eventId: string
  readonly eventType: string
  readonly propertyId: string | null
  readonly test: boolean
  readonly state: string
  /** Those of resending included. */
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly deliveredAt: string | null
}

/** A delivery with what became of it. */
export interface DeliveryDetail {
  readonly endpointId: string
  readonly propertyId: string | null
  readonly test: boolean
  readonly state: string
  /** The JSON text of `data`; null: not built, or removed since. */
  readonly data: string | null
  /** Times are ISO-8601. */
  readonly attempts: ReadonlyArray<{
    readonly attempt: number
    readonly at: string
    readonly status: number | null
    readonly error: string | null
    readonly durationMillis: number
    /** How the body of an answer that was no success begins. */
    readonly answer: string | null
  }>
}

/** How deliveries end that nobody took: once the endpoint is well, they may be sent again. For want of a credit is not among them. */
export const failedStates = [
  "failed",
  "endpoint_gone",
  "blocked_private_address",
  "cancelled_endpoint_disabled"
] as const

/** What is asked of the endpoint cannot be, since it was removed, replaced, or is not active. */
export class EndpointNotEnabled extends Schema.TaggedError<EndpointNotEnabled>()("EndpointNotEnabled", {
  reason: DisabledReason
}) {
  override get message() {
    return `the endpoint is not active (${this.reason})`
  }
}

/** What is asked to be sent again has not ended yet. */
export class DeliveryUnderWay extends Schema.TaggedError<DeliveryUnderWay>()("DeliveryUnderWay", {
  state: Schema.String
}) {
  override get message() {
    return `the delivery is still under way (${this.state})`
  }
}

/** To tell how an endpoint does, so many of the deliveries that ended last are looked at. */
export const endedLookedAt = 50

/** Those that were made so many days ago or later. */
export const endedDaysLookedAt = 7

/** What waits for an endpoint is counted up to here. */
export const waitingCountedAtMost = 1000

/**
 * Which endpoints are asked for: `troubled` were disabled by the service, gave something up lately, or have something to try again; none
 * that its organization disabled.
 */
export type EndpointsAsked = "troubled" | "waiting" | "all"

/** An endpoint among those of all organizations. */
export interface EndpointStanding extends WebhookEndpoint {
  readonly organization: Pick<Organization, "name" | "status">
  /** Deliveries that have not ended, up to `waitingCountedAtMost`. */
  readonly waiting: number
  /** When the first of these is due: ISO-8601. */
  readonly nextAttemptAt: string | null
  /** Of the deliveries that ended lately. */
  readonly ended: number
  /** Those of them in one of `failedStates`. */
  readonly givenUp: number
  /** The newest delivery that was given up or is tried again, and why; null: there is none. */
  readonly lastFault: Pick<DeliveryRow, "createdAt" | "lastError" | "lastStatus" | "state"> | null
}

/** What people know an endpoint by. */
export const subjectOf = ({ id, label, url }: WebhookEndpoint) => ({ id, name: label ?? url })

/** Port: where organizations receive webhooks, and what each subscribed to. */
export class WebhookEndpoints extends Context.Service<WebhookEndpoints, {
  /**
   * Registers an address and stores its secret sealed. An endpoint of the same organization with the same `targetKey`
   * is replaced (its id is `superseded`) before the limits of 10 active and 100 in all are counted, and what waited for it, or is
   * being sent to it, is the new one's from then on, as far as that subscribes to it. Atomic.
   */
  register(endpoint: {
    readonly id: string
    readonly orgId: OrganizationId
    readonly url: string
    /** Equal for addresses that differ only in ways that do not matter. */
    readonly targetKey: string
    readonly label: string | null
    readonly events: ReadonlyArray<string>
    readonly includeEvidence: boolean
    readonly createdVia: WebhookEndpoint["createdVia"]
    readonly secret: Redacted.Redacted
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<
    { readonly endpoint: WebhookEndpoint; readonly superseded: string | null },
    WebhookEndpointLimitReached | WebhookEndpointTotalLimitReached | TemporarilyUnavailable
  >

  /**
   * Makes an endpoint of a CRM that wants qualified leads, its credentials sealed, under the same limits; or gives the one
   * that stands for the same `targetKey` these settings and credentials, and has it active. Atomic.
   */
  connect(crm: {
    readonly id: string
    readonly orgId: OrganizationId
    readonly url: string
    readonly targetKey: string
    readonly label: string
    readonly crm: CrmSettings
    readonly credentials: Redacted.Redacted
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<
    WebhookEndpoint,
    WebhookEndpointLimitReached | WebhookEndpointTotalLimitReached | TemporarilyUnavailable
  >

  /**
   * Removes an endpoint, active or disabled, for good, and cancels what waits; false when the organization has no such endpoint.
   * Repeating changes nothing, and one that was replaced stays that.
   */
  remove(orgId: OrganizationId, endpointId: string): Effect.Effect<boolean, TemporarilyUnavailable>

  /** With `of`: none also when it is not that organization's; so for every method that takes it. */
  find(endpointId: string, of?: OrganizationId): Effect.Effect<Option.Option<WebhookEndpoint>, TemporarilyUnavailable>

  /**
   * Makes an endpoint that was disabled, for its failures or by an admin, active again, its failures forgotten; an active one stays as it
   * is. What its customer removed or replaced stays removed.
   */
  enable(endpointId: string, of?: OrganizationId): Effect.Effect<
    Option.Option<WebhookEndpoint>,
    EndpointNotEnabled | WebhookEndpointLimitReached | TemporarilyUnavailable
  >

  /** Has nothing sent there until it is enabled again, and cancels what waits; one that is not active stays as it is. */
  disable(
    orgId: OrganizationId,
    endpointId: string
  ): Effect.Effect<Option.Option<WebhookEndpoint>, TemporarilyUnavailable>

  /** Replaces the label or the events of an endpoint that was not removed; what is absent stays. */
  change(
    orgId: OrganizationId,
    endpointId: string,
    change: { readonly label?: string | null; readonly events?: ReadonlyArray<string> }
  ): Effect.Effect<Option.Option<WebhookEndpoint>, TemporarilyUnavailable>

  /** The secret before stays in force beside the new one for `overlap`; answers until when. None of a CRM, which has none. */
  rotateSecret(
    endpointId: string,
    secret: Redacted.Redacted,
    overlap: Duration.Duration,
    of?: OrganizationId
  ): Effect.Effect<Option.Option<string>, TemporarilyUnavailable>

  /** Records a test event and its delivery to this one endpoint, with its `data` as JSON text. `now`: milliseconds. */
  sendTest(test: {
    readonly endpointId: string
    readonly eventId: string
    readonly deliveryId: string
    readonly eventType: string
    readonly data: string
    readonly now: number
  }): Effect.Effect<void, EndpointNotEnabled | TemporarilyUnavailable>

  /**
   * Has a delivery that ended, however, sent once more: one further attempt under the same id, with the same data unless
   * a suppression has removed it since. None: there is no such delivery.
   */
  resend(deliveryId: string, of?: OrganizationId): Effect.Effect<
    Option.Option<{ readonly endpointId: string; readonly eventType: string }>,
    DeliveryUnderWay | EndpointNotEnabled | TemporarilyUnavailable
  >

  /** Deliveries to the endpoint that ended in one of `failedStates` and were made within the span (milliseconds), the oldest first. */
  failed(
    orgId: OrganizationId,
    endpointId: string,
    span: { readonly since: number; readonly until: number; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  /** One delivery with every attempt, the oldest first; none when the organization has no such delivery. */
  delivery(
    orgId: OrganizationId,
    deliveryId: string
  ): Effect.Effect<Option.Option<DeliveryDetail>, TemporarilyUnavailable>

  /** The deliveries of an event of the feed, whatever their state, by id; none for an event that went nowhere or is unknown. */
  deliveriesOf(eventId: string): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  /**
   * Endpoints of one organization or of all (null), in the order of organizations, those that were removed or replaced left out.
   * At most `lookAt` are looked at for an answer, of which `limit` are in it: it may have few or none, and more follow nevertheless.
   * `after` and `next`: an endpoint's id; nothing follows one that is not known.
   */
  standings(asked: {
    readonly which: EndpointsAsked
    readonly orgId: OrganizationId | null
    readonly after: string | null
    readonly limit: number
    readonly lookAt: number
  }): Effect.Effect<
    { readonly endpoints: ReadonlyArray<EndpointStanding>; readonly next: string | null },
    TemporarilyUnavailable
  >

  /** How one endpoint does, also one that was removed or replaced. */
  standing(endpointId: string): Effect.Effect<Option.Option<EndpointStanding>, TemporarilyUnavailable>

  /** Newest first, superseded ones left out. */
  list(orgId: OrganizationId): Effect.Effect<ReadonlyArray<WebhookEndpoint>, TemporarilyUnavailable>

  /**
   * Newest first; none when there is no such endpoint. With `of`: none also when the endpoint is not the organization's,
   * and only those after the delivery `after` (null: from the first); none when the endpoint has no such delivery.
   */
  deliveries(
    endpointId: string,
    limit: number,
    of?: { readonly orgId: OrganizationId; readonly after: string | null }
  ): Effect.Effect<Option.Option<ReadonlyArray<DeliveryRow>>, TemporarilyUnavailable>
}>()("@freehold/core/webhook/WebhookEndpoints") {}
