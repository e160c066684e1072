/** What is logged of deliveries is bounded, however many are in trouble at once. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import * as DeliveryLog from "../src/DeliveryLog.ts"

it.effect("of trouble of ours with many deliveries at once, ten are told", () => {
  const lines: Array<unknown> = []
  const trouble = Effect.forEach(
    Array.from({ length: 200 }, (_, index) => ({ deliveryId: `made-up-${index}` })),
    (delivery) => DeliveryLog.tellTrouble(delivery, Cause.die("the database is away")),
    { discard: true }
  )
  return trouble.pipe(
    Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))])),
    Effect.andThen(Effect.sync(() => assert.strictEqual(lines.length, 10)))
  )
})
