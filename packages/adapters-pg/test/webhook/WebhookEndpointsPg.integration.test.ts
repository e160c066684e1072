/** `WebhookEndpointsPg` under the contract of every `WebhookEndpoints`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { webhookEndpointsContract } from "@freehold/core/testing/WebhookEndpointsContract"
import { Layer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

describe("WebhookEndpointsPg", () => {
  webhookEndpointsContract(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))
})
