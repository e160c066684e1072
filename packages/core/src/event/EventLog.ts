/** What happened at an organization, as it looks back on it. */
import { Context, type Effect } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** An event in its wire shape (service-api "Lead event record"). */
export interface EventRecord {
  readonly id: string
  readonly type: string
  readonly property_id: string | null
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly withdraws_event_id: string | null
  readonly status: "pending" | "fanned_out" | "skipped"
  readonly skip_reason: string | null
  readonly by_agent: boolean
  readonly occurred_at: string
  readonly fanned_out_at: string | null
  readonly test: boolean
}

/** Where an event stands in the log. */
export interface EventPosition {
  /** Microseconds since 1970. */
  readonly occurredAt: string
  readonly eventId: string
}

export interface LoggedEvent {
  readonly event: EventRecord
  readonly position: EventPosition
}

/** Port: what happened at an organization. */
export class EventLog extends Context.Service<EventLog, {
  /** Events, newest first, and how many there are in all, before and after the position. One round trip. */
  recent(
    orgId: OrganizationId,
    request: {
      /** Milliseconds: events that occurred then or later. */
      readonly since: number
      /** Only of this type; null: of any. */
      readonly type: string | null
      /** Change events (`signal.…`) too. */
      readonly signals: boolean
      /** Only events about properties in this area; null: all. */
      readonly visible: Area | null
      /** Only those that come after it, so older ones; null: from the newest. */
      readonly after: EventPosition | null
      readonly limit: number
    }
  ): Effect.Effect<
    { readonly events: ReadonlyArray<LoggedEvent>; readonly total: number },
    TemporarilyUnavailable
  >
}>()("@freehold/core/event/EventLog") {}
