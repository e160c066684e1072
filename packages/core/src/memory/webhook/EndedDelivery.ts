/** A delivery that has ended, in memory. */
import type { StoredDelivery } from "../MemoryState.ts"

/** The delivery as it ended; delivered once, it stays delivered. */
export const finished = (delivery: StoredDelivery, how: string, now: number): StoredDelivery => ({
  ...delivery,
  state: delivery.deliveredAt === null ? how : "delivered",
  resending: false,
  deliveredAt: how === "delivered" ? delivery.deliveredAt ?? now : delivery.deliveredAt,
  claimedUntil: null,
  dueAt: null,
  finishedAt: now
})
