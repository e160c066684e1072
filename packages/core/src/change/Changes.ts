/** What was recorded to have changed about properties and people. decisions, section 16. */
import { Context, type Effect, type Option } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { SignalKind } from "./SignalKind.ts"

export interface ChangeSubject {
  readonly type: "property" | "contact"
  /** Of a property that was merged: the last survivor. */
  readonly id: string
}

/** What was before, or is after. Names are those of an import row. */
export type ChangeSide = Readonly<Record<string, string | number | null>>

/** A change, and how its subject stands with the organization that reads. Times are ISO-8601. */
export interface Change {
  /** The same for every organization. */
  readonly signalId: string
  readonly kind: SignalKind
  readonly subject: ChangeSubject
  readonly detectedAt: string
  readonly effectiveDate: string | null
  readonly source: "county_record" | "research" | "provider" | "customer" | "web"
  readonly before: ChangeSide | null
  readonly after: ChangeSide | null
  /** Whether the owner before, and the one after, asked not to be listed. */
  readonly suppressed: { readonly before: boolean; readonly after: boolean }
  /** County of the property; null for a person. */
  readonly countyFips: string | null
  /** The organization has unlocked the property. */
  readonly unlocked: boolean
  /** Taken back, for everyone or for the organization. */
  readonly withdrawn: boolean
}

export interface ListedChange extends Change {
  /** The organization's event about it; null when none was recorded for it. */
  readonly eventId: string | null
  readonly position: ChangePosition
}

/** Microseconds since the epoch, then the id. */
export interface ChangePosition {
  readonly detectedAt: string
  readonly signalId: string
}

export interface ChangeQuery {
  readonly orgId: OrganizationId
  readonly visible: Area
  /** null: every visible one. */
  readonly subject: ChangeSubject | null
  readonly kinds: ReadonlyArray<SignalKind>
  /** Milliseconds; detected at or after. */
  readonly since: number
  /** The last one of the page before. */
  readonly after: ChangePosition | null
  readonly limit: number
}

/** Why a change was taken back. */
export type WithdrawalReason = "source_correction" | "duplicate" | "suppressed"

/** The event of one organization about a change, or about taking one back. */
export interface SignalEvent {
  readonly eventId: string
  /** When what the event tells was noticed. */
  readonly occurredAt: string
  readonly change: Change
  /** Null unless this event takes another one back. */
  readonly withdraws: { readonly eventId: string; readonly reason: WithdrawalReason } | null
  /** Where the subject is: the counties of the properties. */
  readonly counties: ReadonlyArray<string>
  /** The person asked not to be listed. */
  readonly personSuppressed: boolean
}

/** Port: what changed about properties and people, with its evidence. */
export class Changes extends Context.Service<Changes, {
  /** Newest first, at most `limit`; withdrawn ones too. A suppressed person has none. */
  list(query: ChangeQuery): Effect.Effect<ReadonlyArray<ListedChange>, TemporarilyUnavailable>

  /** None when it is no event about a change. */
  ofEvent(orgId: OrganizationId, eventId: string): Effect.Effect<Option.Option<SignalEvent>, TemporarilyUnavailable>
}>()("@freehold/core/change/Changes") {}
