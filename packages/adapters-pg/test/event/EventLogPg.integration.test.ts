/** `EventLogPg` under the contract of every `EventLog`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { eventLogContract } from "@freehold/core/testing/EventLogContract"
import { Layer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

describe("EventLogPg", () => {
  eventLogContract(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))
})
