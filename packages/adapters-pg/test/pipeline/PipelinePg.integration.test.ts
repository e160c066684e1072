/** `PipelinePg` under the contract of every `Pipeline`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { pipelineContract } from "@freehold/core/testing/PipelineContract"
import { Layer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

describe("PipelinePg", () => {
  pipelineContract(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))
})
