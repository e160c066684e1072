/**
 * What a webhook about a change carries, decided when it is sent.
 *
 * A change that is no longer to be told is not sent: taken back, outside the area, about a person who asked not to be
 * listed. That a change was taken back is always told to those who were sent it. service-api "Webhook delivery".
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import * as Territory from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization } from "../organization/Organization.ts"
import { Changes, type SignalEvent } from "./Changes.ts"
import { Evidence, evidenceOf } from "./Evidence.ts"
import { SignalKind } from "./SignalKind.ts"

/** The version that `data` names. */
const payload_version = "signal.v1"

const common = {
  payload_version: Schema.Literal(payload_version),
  event_id: Schema.String.annotate({
    description: "The organization's id of the event, the same at every endpoint; a later withdrawal names it."
  }),
  subject: Schema.Struct({ type: Schema.Literals(["property", "contact"]), id: Schema.String })
}

/** `data` of a change. */
export const SignalData = Schema.Struct({
  ...common,
  kind: SignalKind,
  detected_at: Schema.String,
  source: Schema.Literals(["county_record", "research", "provider", "customer", "web"]),
  signal_id: Schema.String,
  evidence: Schema.optionalKey(
    Evidence.annotate({ description: "Only to endpoints with include_evidence; what plan and unlocks reveal." })
  )
}).annotate({ identifier: "SignalData" })

/** `data` of the withdrawal of a change. */
export const WithdrawalData = Schema.Struct({
  ...common,
  kind: Schema.Literal("withdrawn"),
  withdraws_event_id: Schema.String.annotate({ description: "The event_id in the data of what is taken back." }),
  reason: Schema.Literals(["source_correction", "duplicate", "suppressed"]),
  detected_at: Schema.String
}).annotate({ identifier: "WithdrawalData" })

export type SignalBody =
  | { readonly _tag: "Body"; readonly data: typeof SignalData.Type | typeof WithdrawalData.Type }
  /** Not to be sent; the reason in the words of an event's skip_reason. */
  | { readonly _tag: "Withheld"; readonly reason: string }

export const bodyOf = (event: SignalEvent, organization: Organization, includeEvidence: boolean): SignalBody => {
  const { change, counties, personSuppressed, withdraws } = event
  if (withdraws !== null) {
    return {
      _tag: "Body",
      data: {
        payload_version,
        event_id: event.eventId,
        kind: "withdrawn",
        subject: change.subject,
        withdraws_event_id: withdraws.eventId,
        reason: withdraws.reason,
        detected_at: event.occurredAt
      }
    }
  }
  const perspective = Territory.wholeArea(organization)
  const reason = change.withdrawn
    ? "retracted_before_send"
    : personSuppressed
    ? "owner_suppressed"
    : !organization.features.signals
    ? "signals_not_enabled"
    : counties.some((county) => Territory.sees(perspective, county))
    ? null
    : "out_of_territory"
  if (reason !== null) return { _tag: "Withheld", reason }
  return {
    _tag: "Body",
    data: {
      payload_version,
      event_id: event.eventId,
      kind: change.kind,
      subject: change.subject,
      detected_at: change.detectedAt,
      source: change.source,
      signal_id: change.signalId,
      ...includeEvidence ? { evidence: evidenceOf(change, organization) } : {}
    }
  }
}

export class Signals extends Context.Service<Signals, {
  /** None when it is no event about a change. */
  build(request: {
    readonly organization: Organization
    readonly eventId: string
    readonly includeEvidence: boolean
  }): Effect.Effect<Option.Option<SignalBody>, TemporarilyUnavailable>
}>()("@freehold/core/change/Signals") {
  static readonly layer = Layer.effect(
    Signals,
    Effect.map(Changes, (changes) =>
      Signals.of({
        build: Effect.fnUntraced(function*({ eventId, includeEvidence, organization }) {
          const event = yield* changes.ofEvent(organization.org_id, eventId)
          return Option.map(event, (each) => bodyOf(each, organization, includeEvidence))
        })
      }))
  )
}
