/** The delivery worker over a real PostgreSQL. */
import { describe } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { Layer } from "effect"
import { meteringSuite } from "./MeteringSuite.ts"
import { workerSuite } from "./WorkerSuite.ts"

describe("DeliveryWorker over PostgreSQL", () => {
  const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)
  workerSuite(ports)
  meteringSuite(ports)
})
