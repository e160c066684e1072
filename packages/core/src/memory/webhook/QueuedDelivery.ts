/** A delivery that nobody has tried yet, put among those that wait in memory. */
import type { State, StoredDelivery } from "../MemoryState.ts"

/** `now`: milliseconds; it is due at once. */
export const queueDelivery = (
  state: State,
  delivery: Pick<
    StoredDelivery,
    "id" | "orgId" | "eventId" | "endpointId" | "eventType" | "propertyId" | "test" | "partial" | "data"
  >,
  now: number
): void => {
  state.deliveries.set(delivery.id, {
    ...delivery,
    state: "queued",
    attempts: 0,
    resending: false,
    resends: 0,
    deliveredAt: null,
    claim: 0,
    place: 0,
    claimedUntil: null,
    dueAt: now,
    reason: null,
    createdAt: now,
    finishedAt: null,
    hold: null,
    booking: "none",
    log: []
  })
}
