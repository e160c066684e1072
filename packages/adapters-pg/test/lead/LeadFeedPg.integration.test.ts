/** `LeadFeedPg` under the contract of every `LeadFeed`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { leadFeedContract } from "@freehold/core/testing/LeadFeedContract"
import { Layer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

describe("LeadFeedPg", () => {
  leadFeedContract(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))
})
