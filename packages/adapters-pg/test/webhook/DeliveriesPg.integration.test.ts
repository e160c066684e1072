/** `DeliveriesPg` under the contract of every `Deliveries`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { deliveriesContract } from "@freehold/core/testing/DeliveriesContract"
import { Layer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

describe("DeliveriesPg", () => {
  deliveriesContract(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))
})
