/** How busy a pool of connections is, published for as long as its scope lives and read when somebody asks. */
import { Effect, Metric } from "effect"

export interface PoolCounts {
  inUse: number
  waiting: number
}

const gauge = (name: string, description: string, pool: string) =>
  Metric.gauge(name, { description, attributes: { pool } })

const reading = (value: () => number) => ({
  get: () => ({ value: value() }),
  update: () => {},
  modify: () => {}
})

/** `size`: connections that the pool may have. */
export const publish = (pool: string, counts: PoolCounts, size: number) =>
  Effect.acquireRelease(
    Effect.map(Effect.context<never>(), (context) => [
      Metric.registerUnsafe(
        gauge("freehold_pool_in_use", "Connections in use; of a pipelined pool, statements under way.", pool),
        context,
        reading(() => counts.inUse)
      ),
      Metric.registerUnsafe(
        gauge("freehold_pool_waiting", "Statements and transactions that wait for a connection.", pool),
        context,
        reading(() => counts.waiting)
      ),
      Metric.registerUnsafe(
        gauge("freehold_pool_size", "Connections that a pool may have.", pool),
        context,
        reading(() => size)
      )
    ]),
    (registrations) =>
      Effect.sync(() => {
        for (const { remove } of registrations) remove()
      })
  )
