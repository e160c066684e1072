/** The load generator as a child process. */
import { Effect, Schema } from "effect"
import { fileURLToPath } from "node:url"
import * as Child from "./Child.ts"
import type { Order } from "./LoadGenerator.ts"

const main = fileURLToPath(new URL("./LoadGenerator.ts", import.meta.url))

const Outcome = Schema.Struct({
  answered: Schema.Int,
  refused: Schema.Record(Schema.String, Schema.Int),
  failed: Schema.Int,
  millis: Schema.Finite,
  latencies: Schema.Array(Schema.Finite)
})

/** Runs orders one after the other; fails when anything but 200 was answered. */
export const make = Effect.gen(function*() {
  const child = yield* Child.start({ command: process.execPath, args: [main] })
  return (order: Order) =>
    Effect.gen(function*() {
      const outcome = yield* Effect.flatMap(child.ask(order), Schema.decodeUnknownEffect(Outcome))
      if (outcome.failed > 0 || Object.keys(outcome.refused).length > 0 || outcome.answered === 0) {
        const told = JSON.stringify({ answered: outcome.answered, failed: outcome.failed, refused: outcome.refused })
        return yield* new Child.ChildFailed({
          program: `load on ${order.root}`,
          detail: `not every answer was 200: ${told}`
        })
      }
      return outcome
    })
})
