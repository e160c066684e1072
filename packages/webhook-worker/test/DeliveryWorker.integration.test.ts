/** The delivery worker over a real PostgreSQL. */
import { describe } from "@effect/vitest"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { Layer } from "effect"
import { crmSuite } from "./CrmSuite.ts"
import { Leases } from "./Leases.ts"
import { meteringSuite } from "./MeteringSuite.ts"
import { suppressionSuite } from "./SuppressionSuite.ts"
import { workerSuite } from "./WorkerSuite.ts"

// Most of the time a test waits for what is due later: others go on meanwhile, each over a database of its own.
describe.concurrent("DeliveryWorker over PostgreSQL", () => {
  const ports = Layer.mergeAll(WebhookPorts.layer, BundleSourcePg.layer, SuppressionsPg.layer, Leases.layerPg).pipe(
    Layer.provideMerge(TestDatabase.layer)
  )
  workerSuite(ports)
  crmSuite(ports)
  meteringSuite(ports)
  suppressionSuite(ports)
})
