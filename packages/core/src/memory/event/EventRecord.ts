/** Recording an event in memory: its place in the order, and the wake-up of whoever delivers. */
import { mostMoves } from "../../pipeline/Pipeline.ts"
import type { State, StoredEvent } from "../MemoryState.ts"

const microsecond = 0.001

/** What an event says of itself; what is left out is none. */
export type RecordedEvent =
  & Pick<StoredEvent, "id" | "orgId" | "type" | "propertyId" | "partial" | "test" | "byAgent" | "occurredAt">
  & Partial<Pick<StoredEvent, "subjectType" | "subjectId" | "withdrawsEventId" | "changeId" | "withdrawalReason">>

/**
 * `now`: milliseconds. The event's `createdAt` is later than that of every event before. With `skipReason` it is never
 * sent.
 */
export const recordEvent = (
  state: State,
  event: RecordedEvent,
  now: number,
  skipReason: string | null = null
): void => {
  let last = 0
  for (const { createdAt } of state.events.values()) last = Math.max(last, createdAt)
  state.events.set(event.id, {
    subjectType: null,
    subjectId: null,
    withdrawsEventId: null,
    ...event,
    status: skipReason === null ? "pending" : "skipped",
    skipReason,
    createdAt: Math.max(now, Math.round((last + microsecond) * 1000) / 1000),
    fannedOutAt: null
  })
  for (const listener of state.eventListeners) listener()
}

/** A change of a lead after its qualification, which is never sent; of very many, the last are kept. decisions, section 12. */
export const recordLeadChange = (
  state: State,
  change: Pick<StoredEvent, "id" | "orgId" | "byAgent" | "occurredAt"> & { readonly propertyId: string },
  now: number
): void => {
  recordEvent(
    state,
    {
      ...change,
      type: "lead.changed",
      subjectType: "property",
      subjectId: change.propertyId,
      partial: false,
      test: false
    },
    now,
    "record_only"
  )
  const ofLead = Array.from(state.events.values()).filter(({ orgId, propertyId, type }) =>
    type === "lead.changed" && orgId === change.orgId && propertyId === change.propertyId
  )
  for (const { id } of ofLead.slice(0, -mostMoves)) state.events.delete(id)
}
