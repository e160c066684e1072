/** `ResearchRuns` over PostgreSQL against its contract; then the auditor finds nothing. */
import { assert } from "@effect/vitest"
import { Auditor } from "@freehold/core/credit/Auditor"
import { researchRunsContract } from "@freehold/core/testing/ResearchRunsContract"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as ContactsPg from "../../src/contact/ContactsPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as ImportStorePg from "../../src/import/ImportStorePg.ts"
import * as PipelinePg from "../../src/pipeline/PipelinePg.ts"
import * as PropertiesPg from "../../src/property/PropertiesPg.ts"
import * as PropertyMergesPg from "../../src/property/PropertyMergesPg.ts"
import * as ResearchRunsPg from "../../src/research/ResearchRunsPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const ports = Layer.mergeAll(
  ResearchRunsPg.layer,
  ContactsPg.layer,
  PipelinePg.layer,
  PropertiesPg.layer,
  PropertyMergesPg.layer,
  SeederPg.layer,
  AuditorPg.layer
).pipe(
  Layer.provideMerge(Layer.merge(LedgerPg.layer, ImportStorePg.layer)),
  Layer.provide(TestDatabase.layer),
  Layer.merge(SecureRandom.layerWebCrypto)
)

researchRunsContract("over PostgreSQL", ports, {
  histories: 30,
  inspect: Effect.gen(function*() {
    const reports = yield* Auditor.use((auditor) => auditor.audit)
    assert.deepStrictEqual(reports.flatMap(({ law, violations }) => violations.map((each) => ({ law, ...each }))), [])
  })
})
