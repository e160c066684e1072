/** `WebhookEndpointsPg` under the contract of every `WebhookEndpoints`, on a real PostgreSQL, and what meets a removal. */
import { assert, describe, it } from "@effect/vitest"
import { webhookEndpointsContract } from "@freehold/core/testing/WebhookEndpointsContract"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Fiber, Layer, Option } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import { holding, waiting } from "../database/Holding.ts"

const layer = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

describe("WebhookEndpointsPg", () => {
  webhookEndpointsContract(layer)

  it.live("brings back none that is being removed: it is not enabled, and a CRM that is connected is another one", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const endpoints = yield* WebhookEndpoints
      const { id } = yield* Scene.connect("org_a", 0)
      yield* endpoints.disable("org_a", id)
      const whileRemoving = Effect.fnUntraced(function*<A, E, R>(id: string, bringing: Effect.Effect<A, E, R>) {
        const removed = yield* holding(endpoints.remove("org_a", id))
        const brought = yield* Effect.forkChild(bringing)
        yield* waiting(1)
        yield* removed
        return yield* Fiber.join(brought)
      })
      const refused = yield* whileRemoving(id, Effect.flip(endpoints.enable(id)))
      assert.deepInclude(refused, { _tag: "EndpointNotEnabled", reason: "deleted" })

      const { id: second } = yield* Scene.connect("org_a", 1)
      const { id: third } = yield* whileRemoving(second, Scene.connect("org_a", 2))
      assert.strictEqual(third, Scene.endpointId(2))
      const found = yield* endpoints.find(second)
      assert.strictEqual(Option.getOrUndefined(found)?.disabledReason, "deleted")
    }).pipe(Effect.provide(layer)))
})
