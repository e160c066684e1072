/**
 * The work of the delivery worker: events waiting to be fanned out, and deliveries waiting to be sent.
 *
 * Any number of workers may run. A claim is a lease with a fencing token: a worker that lost its lease cannot write an
 * outcome. A transaction never stays open while something is sent. Delivery is at least once.
 */
import { Context, type Duration, type Effect, type Option, type Redacted } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { CrmSettings } from "./CrmSettings.ts"

/** A claimed delivery. */
export interface ClaimedDelivery {
  /** The body's `event_id`: one per delivery to one endpoint, the same on every attempt. */
  readonly deliveryId: string
  /** The organization's event that is delivered. */
  readonly eventId: string
  readonly endpointId: string
  /** The endpoint asked for what changed, before and after. */
  readonly includeEvidence: boolean
  /** Fencing token of this claim. */
  readonly claim: number
  /** Which of its endpoint's places it has. Those that share one are to be sent one after the other. */
  readonly place: number
  /** The attempt that this claim is for: those whose outcome was recorded before, plus one. Above those of the waits only when resent. */
  readonly attempt: number
  /** It was answered with a 2xx before and is sent again: it is not counted a second time. */
  readonly delivered: boolean
  readonly url: string
  /** Set of a CRM, which is pushed to with its credentials as the one secret; null: a webhook. */
  readonly crm: CrmSettings | null
  /** The signing secrets in force, the newest first: two while a rotation overlaps. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly eventType: string
  readonly test: boolean
  readonly organization: Organization
  readonly propertyId: string | null
  /** The property was neither unlocked nor covered when the event happened. */
  readonly partial: boolean
  /** The JSON text of `data` as first built; null: not built yet. */
  readonly data: string | null
}

/** How an attempt ended. */
export type AttemptOutcome =
  | {
    readonly _tag: "Delivered"
    readonly status: number
    /** What a CRM calls what was written there; absent: nothing is known of it. */
    readonly answer?: string
  }
  /** 410: the endpoint is disabled. */
  | { readonly _tag: "Gone" }
  /** Any other answer, or none; tried again while attempts are left. */
  | {
    readonly _tag: "Failed"
    readonly status: number | null
    readonly reason: string
    /** How the body of the answer begins, in plain text; absent: it had none. */
    readonly answer?: string
  }
  /** The address is not public: the endpoint is disabled. */
  | { readonly _tag: "Blocked"; readonly reason: string }
  /** Not to be sent before `until` (milliseconds); the attempt does not count. */
  | {
    readonly _tag: "Postponed"
    readonly until: number
    /** `retry_wait`: for a fault of ours, or for what else is under way. */
    readonly state: "postponed_daily_limit" | "retry_wait"
    readonly reason: string
  }
  /** Nobody tried: due again at once, as if it had not been claimed. */
  | { readonly _tag: "Returned" }
  /** Not to be sent at all; not the endpoint's failure. */
  | {
    readonly _tag: "Cancelled"
    readonly state: "refused_no_credit" | "cancelled_endpoint_disabled" | "failed"
    readonly reason: string
  }

/** What a worker holds of a delivery, until the lease ends. */
export interface DeliveryClaim {
  readonly orgId: OrganizationId
  readonly deliveryId: string
  /** Fencing token. */
  readonly claim: number
}

export interface AttemptRecord extends DeliveryClaim {
  readonly endpointId: string
  readonly attempt: number
  /** Nobody is charged when it arrives (`DeliveryMeter.isMetered`), so that it needs no account; absent: the delivery decides. */
  readonly unmetered?: boolean
  /** The data that was sent, where it follows from the event and so was not stored before; it is kept with the outcome. */
  readonly data?: string
  readonly outcome: AttemptOutcome
  /** Milliseconds from the first byte sent to the decision. */
  readonly durationMillis: number
}

/** Port: what is to be sent to endpoints, who is sending it now, and how it ended. */
export class Deliveries extends Context.Service<Deliveries, {
  /**
   * Turns up to `limit` pending events into one delivery per subscribed endpoint, once each, and marks the events
   * fanned_out, or skipped with the reason: of each organization as many as of the others, the oldest first. Answers how many
   * events it handled, and how many changes it made events of; 0: nothing is left to do now.
   */
  fanOut(limit: number): Effect.Effect<number, TemporarilyUnavailable>

  /**
   * Claims up to `limit` due deliveries for `lease`, the longest due first and fair between endpoints. An endpoint has
   * `perEndpoint` places, among all who claim: so many deliveries are in flight to it at most. Where `turns` says more than
   * one, so many deliveries have a place together, one after the other. Deliveries of suspended or closed organizations wait.
   */
  claim(request: {
    readonly limit: number
    readonly perEndpoint: number
    readonly lease: Duration.Duration
    /** By endpoint; one where nothing is said. */
    readonly turns?: ReadonlyMap<string, number>
    /** The most places of an endpoint of which `turns` says nothing; absent: all. */
    readonly unproven?: number
  }): Effect.Effect<ReadonlyArray<ClaimedDelivery>, TemporarilyUnavailable>

  /**
   * Keeps the built data of a delivery, before it is sent; the data that was stored first stays and is answered, unless it is `outdated`: then
   * it is replaced. None when the claim is no longer held: somebody else has the delivery, and nothing must be sent.
   */
  storeData(
    claim: DeliveryClaim,
    data: string,
    outdated?: string
  ): Effect.Effect<Option.Option<string>, TemporarilyUnavailable>

  /**
   * Records outcomes: the attempt's line, then done, or due again after the delay of its attempt. Failing once more than
   * there are delays ends a delivery; 20 such deliveries in a row, a 410 or a private address disable the endpoint, and what else waits
   * for it is cancelled. One that is resent ends with its one attempt, which counts neither as one of those nor as a
   * failed delivery; delivered once, it stays delivered. Records whose claim is no longer held are ignored, so that recording twice is harmless.
   *
   * The place of an attempt that failed rests for `RetryPolicy.restAfterFailure`, unless another one of its endpoint arrived.
   *
   * A lead delivery that is recorded as delivered is booked in the same transaction (an export of its organization, and
   * what it delivers), once, however often it is sent; test sends are not.
   *
   * Answers what is not recorded yet, since somebody else is changing what belongs to its organization for longer than others may be
   * kept waiting, or a fault of ours is about it. An answer that cannot be kept is left out, or the attempt has failed.
   */
  complete(
    records: ReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ): Effect.Effect<ReadonlyArray<AttemptRecord>, TemporarilyUnavailable>

  /**
   * Makes deliveries that a limit postponed due again where the settings of their organization changed since the last
   * look of this process, or were never looked at; and once more a `lease` later, since by then all is recorded that was decided by the
   * settings of before. Answers how many.
   */
  reconsider(lease: Duration.Duration): Effect.Effect<number, TemporarilyUnavailable>

  /** Waits until there may be work: a new event, the nearest due delivery, or `atMost`. */
  awaitWork(atMost: Duration.Duration): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/webhook/Deliveries") {}
