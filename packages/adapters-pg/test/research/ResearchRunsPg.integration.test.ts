/** `ResearchRuns` over PostgreSQL against its contract; then the auditor finds nothing. And what a launch locks. */
import { assert, layer } from "@effect/vitest"
import { Auditor } from "@freehold/core/credit/Auditor"
import type { LedgerSnapshot } from "@freehold/core/credit/Ledger"
import { decide } from "@freehold/core/credit/LedgerDecision"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { researchRunsContract } from "@freehold/core/testing/ResearchRunsContract"
import { Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as ContactsPg from "../../src/contact/ContactsPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as ImportStorePg from "../../src/import/ImportStorePg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as PipelinePg from "../../src/pipeline/PipelinePg.ts"
import * as PropertiesPg from "../../src/property/PropertiesPg.ts"
import * as PropertyMergesPg from "../../src/property/PropertyMergesPg.ts"
import * as ResearchRunsPg from "../../src/research/ResearchRunsPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const adapters = Layer.mergeAll(
  ResearchRunsPg.layer,
  ContactsPg.layer,
  OrganizationsPg.layer,
  PipelinePg.layer,
  PropertiesPg.layer,
  PropertyMergesPg.layer,
  SeederPg.layer,
  AuditorPg.layer
).pipe(
  Layer.provideMerge(Layer.merge(LedgerPg.layer, ImportStorePg.layer)),
  Layer.merge(SecureRandom.layerWebCrypto)
)

const ports = Layer.provide(adapters, TestDatabase.layer)

researchRunsContract("over PostgreSQL", ports, {
  histories: 30,
  inspect: Effect.gen(function*() {
    const reports = yield* Auditor.use((auditor) => auditor.audit)
    assert.deepStrictEqual(reports.flatMap(({ law, violations }) => violations.map((each) => ({ law, ...each }))), [])
  })
})

/** Those of another process. */
const elsewhere = Effect.gen(function*() {
  const url = yield* TestDatabase.Url
  const parts = Layer.provideMerge(
    Layer.merge(LedgerPg.layer, ImportStorePg.layer),
    Database.layer({ url, maxConnections: 4 })
  )
  return Context.get(yield* Layer.build(Layer.fresh(Layer.provide(ResearchRunsPg.layer, parts))), ResearchRuns)
})

const accepted = ({ version }: LedgerSnapshot) => Result.succeed({ ...decide(version), value: [] })

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("ResearchRunsPg", (it) => {
  it.effect("a launch that is refused takes no lock, which would be in the way of one that is not", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const orgId = "org_dry"
      yield* Effect.flatMap(Organizations, (organizations) => organizations.save(defaults(orgId)))
      const subjectId = "00000000-0000-4000-9000-000000000001"
      const launch = {
        runId: "00000000-0000-7000-9000-000000000002",
        orgId,
        action: "draft_email",
        batch: false,
        subjects: [{ subjectId, jobId: "00000000-0000-4000-9000-000000000003" }],
        propertyId: null,
        wish: null,
        actor: { kind: "operator", id: null, name: "Sample Operator" },
        claimedFor: null,
        now: Date.UTC(2026, 2, 30),
        usage: queryOf(limitsOf(defaults(orgId), null, Date.UTC(2026, 2, 30)))
      } as const
      const refused = { _tag: "REFUSED" } as const
      const there = yield* elsewhere
      const told = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`
          SELECT pg_advisory_xact_lock(hashtextextended(${`ledger ${orgId} Research draft_email ${subjectId} null`}, 0))`
        assert.strictEqual((yield* Effect.flip(there.launch(launch, accepted)))._tag, "ACTION_IN_PROGRESS")
        return yield* Effect.flip(there.launch(launch, () => Result.fail(refused)))
      }))
      assert.deepStrictEqual(told, refused)
    }))
})
