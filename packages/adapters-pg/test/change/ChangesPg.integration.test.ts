/** `ChangesPg` under the contract of every `Changes`. */
import { describe } from "@effect/vitest"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { changesContract } from "@freehold/core/testing/ChangesContract"
import { Layer } from "effect"

describe("ChangesPg", () => {
  changesContract(
    Layer.mergeAll(WebhookPorts.layer, PropertyMergesPg.layer, SuppressionsPg.layer).pipe(
      Layer.provideMerge(TestDatabase.layer)
    )
  )
})
