/** `ResearchRuns` over PostgreSQL against its contract; then the auditor finds nothing. And what a launch locks. */
import { assert, layer } from "@effect/vitest"
import { Auditor } from "@freehold/core/credit/Auditor"
import { decideGrant } from "@freehold/core/credit/Grant"
import type { LedgerSnapshot } from "@freehold/core/credit/Ledger"
import { decide } from "@freehold/core/credit/LedgerDecision"
import { parsers } from "@freehold/core/import/ImportRow"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { type Launch, ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { researchRunsContract } from "@freehold/core/testing/ResearchRunsContract"
import { Context, Duration, Effect, Layer, Result } from "effect"
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

/** Pays a launch of one item with what is granted for it. */
const paid = ({ actor, now, runId }: Pick<Launch, "actor" | "now" | "runId">) => (snapshot: LedgerSnapshot) => {
  const grant = { ref: runId, bucket: "included", amount: 1, expiresAt: null, requestId: null } as const
  return Result.map(
    decideGrant(snapshot, { ...grant, actor, now }),
    (granted) => ({ ...granted, value: [granted.value.entry] })
  )
}

const accepted = ({ version }: LedgerSnapshot) => Result.succeed({ ...decide(version), value: [] })

/** A launch that waits for a worker, of an organization that is there from now on. */
const launchOf = Effect.fnUntraced(function*(orgId: string, n: number) {
  yield* Effect.flatMap(Organizations, (organizations) => organizations.save(defaults(orgId)))
  return {
    runId: `00000000-0000-7000-9000-00000000000${n}`,
    orgId,
    action: "draft_email",
    batch: false,
    subjects: [{
      subjectId: `00000000-0000-4000-9000-00000000000${n}`,
      jobId: `00000000-0000-4000-9000-0000000000${n}0`
    }],
    propertyId: null,
    wish: null,
    actor: { kind: "operator", id: null, name: "Sample Operator" },
    claimedFor: null,
    now: Date.UTC(2026, 2, 30),
    usage: queryOf(limitsOf(defaults(orgId), null, Date.UTC(2026, 2, 30)))
  } as const
})

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("ResearchRunsPg", (it) => {
  it.effect("a launch that is refused takes no lock, which would be in the way of one that is not", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const orgId = "org_dry"
      const launch = yield* launchOf(orgId, 1)
      const [{ subjectId }] = launch.subjects
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

  it.effect("what is told as recorded is on the disk, though it is loaded as an import is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [server] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
      // Servers of tests wait for no disk.
      yield* sql`ALTER DATABASE ${sql(server?.name ?? "")} SET synchronous_commit = on`
      yield* sql`CREATE TABLE commit_manner (setting text)`
      yield* sql`
        CREATE FUNCTION note_manner() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO commit_manner VALUES (current_setting('synchronous_commit'));
          RETURN NULL;
        END $$`
      yield* sql`
        CREATE CONSTRAINT TRIGGER noted AFTER UPDATE ON research_run DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION note_manner()`
      const launch = yield* launchOf("org_recorded", 2)
      const [{ jobId }] = launch.subjects
      const there = yield* elsewhere
      yield* there.launch(launch, paid(launch))
      const firm = Result.getOrThrow(
        parsers.firms({ key: "sample", name: "Sample Holdings" }, { latestYear: 2027, idOf: () => jobId })
      )
      const rows = [{ kind: "firms", rows: [firm] }] as const
      assert.strictEqual(yield* there.deliver(jobId, { partial: false, result: null, rows }), "done")
      assert.deepStrictEqual(yield* sql`SELECT setting FROM commit_manner`, [{ setting: "on" }])
    }))

  it.effect("a claim locks what it takes and no more, and waits for nobody", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const here = yield* ResearchRuns
      const there = yield* elsewhere
      const jobIds = yield* Effect.forEach([3, 4, 5], (n) =>
        Effect.gen(function*() {
          const launch = yield* launchOf("org_claimed", n)
          yield* there.launch(launch, paid(launch))
          return launch.subjects[0].jobId
        }))
      const lease = Duration.minutes(1)
      const claims = yield* sql.withTransaction(Effect.all([
        here.claim({ limit: 1, lease }),
        there.claim({ limit: 1, lease }),
        there.claim({ limit: 5, lease })
      ]))
      assert.deepStrictEqual(claims.map((jobs) => jobs.map(({ jobId }) => jobId)), jobIds.map((jobId) => [jobId]))
    }))
})
