/** Recording an event in memory: its place in the order, and the wake-up of whoever delivers. */
import type { State, StoredEvent } from "./MemoryState.ts"

const microsecond = 0.001

/** `now`: milliseconds. The event's `createdAt` is later than that of every event before. */
export const recordEvent = (
  state: State,
  event: Pick<StoredEvent, "id" | "orgId" | "type" | "propertyId" | "partial" | "test" | "byAgent" | "occurredAt">,
  now: number
): void => {
  let last = 0
  for (const { createdAt } of state.events.values()) last = Math.max(last, createdAt)
  state.events.set(event.id, {
    ...event,
    status: "pending",
    skipReason: null,
    createdAt: Math.max(now, Math.round((last + microsecond) * 1000) / 1000),
    fannedOutAt: null
  })
  for (const listener of state.eventListeners) listener()
}
