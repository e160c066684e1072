/** What an endpoint's being disabled or replaced brings with it, in memory. */
import * as DisabledNotice from "../../webhook/DisabledNotice.ts"
import type { WebhookEndpoint } from "../../webhook/WebhookEndpoints.ts"
import type { State, StoredEndpoint } from "../MemoryState.ts"
import { keepNotice } from "../notice/NoticesMemory.ts"
import { finished } from "./EndedDelivery.ts"

/** Cancels what waits for a disabled endpoint; what is being sent ends with its own outcome. */
export const cancelWaiting = (state: State, endpointId: string, now: number): void => {
  for (const delivery of state.deliveries.values()) {
    const held = delivery.claimedUntil !== null && delivery.claimedUntil > now
    if (delivery.endpointId === endpointId && delivery.dueAt !== null && !held) {
      state.deliveries.set(delivery.id, finished(delivery, "cancelled_endpoint_disabled", now))
    }
  }
}

/** Gives what waits for an endpoint, or is being sent to it, to the one that replaces it, as far as that subscribes to it. */
export const handOver = (state: State, endpointId: string, heir: StoredEndpoint): void => {
  for (const delivery of state.deliveries.values()) {
    if (
      delivery.endpointId === endpointId && delivery.dueAt !== null &&
      heir.subscribedEvents.includes(delivery.eventType)
    ) {
      state.deliveries.set(delivery.id, { ...delivery, endpointId: heir.id })
    }
  }
}

/** Tells whoever has to know of it. */
export const tellDisabled = (
  state: State,
  endpoint: StoredEndpoint,
  reason: WebhookEndpoint["disabledReason"],
  now: number
): void => {
  const text = DisabledNotice.textOf(endpoint, reason)
  if (text === null) return
  keepNotice(state, {
    id: `notice of ${endpoint.id} at ${now}`,
    orgId: endpoint.orgId,
    kind: "endpoint_disabled",
    cause: endpoint.id,
    text,
    now
  })
}
