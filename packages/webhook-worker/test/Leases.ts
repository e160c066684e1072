/** The end of what a worker holds, as the suites of the worker need it of any adapter: nobody waits for a lease. */
import { end } from "@freehold/adapters-pg/testing/Leases"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class Leases extends Context.Service<Leases, {
  /** As if the time of every lease were over. */
  readonly end: Effect.Effect<void>
}>()("@freehold/webhook-worker/test/Leases") {
  static readonly layerMemory = Layer.effect(
    Leases,
    Effect.map(MemoryState, ({ deliveries }) =>
      Leases.of({
        end: Effect.map(Clock.currentTimeMillis, (now) => {
          for (const [id, delivery] of deliveries) {
            if (delivery.claimedUntil !== null) deliveries.set(id, { ...delivery, claimedUntil: now, dueAt: now })
          }
        })
      }))
  )

  static readonly layerPg = Layer.effect(
    Leases,
    Effect.map(
      SqlClient.SqlClient,
      (sql) =>
        Leases.of({ end: end.pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.orDie, Effect.asVoid) })
    )
  )
}
