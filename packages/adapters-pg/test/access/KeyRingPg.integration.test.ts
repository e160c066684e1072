/** `KeyRing` over PostgreSQL: the contract, and what only several processes over one database can get wrong. */
import { assert, layer } from "@effect/vitest"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { keyRingContract } from "@freehold/core/testing/KeyRingContract"
import * as Seed from "@freehold/core/testing/Seed"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as Database from "../../src/database/Database.ts"
import { removeRows } from "../../src/diagnosis/OrganizationRowsPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const adapters = Layer.merge(KeyRingPg.layer, OrganizationsPg.layer)

keyRingContract("PostgreSQL", Layer.provide(adapters, TestDatabase.layer))

/** Another process: clients and memory of its own over the same database. */
const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    TestDatabase.Url,
    (url) =>
      Effect.provide(effect, Layer.fresh(adapters).pipe(Layer.provide(Database.layer({ url, maxConnections: 2 }))), {
        local: true
      })
  )

const hash = "a".repeat(64)
const start = Date.UTC(2026, 2, 30)

const key = (orgId: string) =>
  Seed.key({ credentialId: "00000000-0000-4000-8000-000000000001", orgId, secretHash: hash })

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("KeyRingPg", (it) => {
  it.effect("two processes share counters, see each other's changes and revocations at once", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      const organizations = yield* Organizations
      const organization = { ...defaults("org_shared"), requests_per_minute: 3 }
      yield* organizations.save(organization)
      const { credentialId } = yield* keys.create(key(organization.org_id))
      const used = (there: KeyRing["Service"]) =>
        Effect.map(
          there.authorize(hash, start),
          Option.map(({ minute, organization }) => [minute.used, organization.plan])
        )

      yield* elsewhere(Effect.gen(function*() {
        const there = yield* KeyRing
        assert.deepStrictEqual(yield* used(keys), Option.some([1, "team"]))
        assert.deepStrictEqual(yield* used(there), Option.some([2, "team"]))
        yield* organizations.save({ ...organization, plan: "enterprise" })
        assert.deepStrictEqual(yield* used(there), Option.some([3, "enterprise"]))
        assert.deepStrictEqual(yield* used(keys), Option.some([3, "enterprise"]))
        yield* there.revoke(credentialId)
        assert.isTrue(Option.isNone(yield* used(keys)))
        assert.isTrue(Option.isNone(yield* used(there)))
      }))
    }))

  it.effect("a request is let in while its organization is being administered", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      const organizations = yield* Organizations
      const orgId = "org_busy"
      yield* organizations.save(defaults(orgId))
      const secretHash = "b".repeat(64)
      const credentialId = "00000000-0000-4000-8000-000000000002"
      yield* keys.create({ ...key(orgId), credentialId, secretHash })
      yield* organizations.atomically(Effect.gen(function*() {
        yield* organizations.find(orgId)
        yield* organizations.save({ ...defaults(orgId), requests_per_day: 5 })
        yield* keys.update(credentialId, { scopes: ["mcp"] })
        const found = yield* Effect.flatMap(keys.authorize(secretHash, start), Effect.fromOption)
        assert.isNull(found.day)
        assert.isTrue(found.minute.admitted)
      }))
      const found = yield* Effect.flatMap(keys.authorize(secretHash, start), Effect.fromOption)
      assert.deepInclude(found.day, { used: 1, limit: 5 })
      assert.deepStrictEqual(found.credential.scopes, ["mcp"])
    }))

  it.effect("a secret of an organization that was deleted has the settings of the one that got it, whatever their revisions", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      const organizations = yield* Organizations
      const sql = yield* SqlClient.SqlClient
      const secretHash = "e".repeat(64)
      const whose = () =>
        Effect.map(keys.authorize(secretHash, start), Option.map(({ organization }) => organization.org_id))
      for (const orgId of ["org_before", "org_after"]) yield* organizations.save(defaults(orgId))
      // As an earlier version made them.
      yield* sql`UPDATE organization SET revision = 1 WHERE org_id IN ('org_before', 'org_after')`
      const credentialId = "00000000-0000-4000-8000-000000000005"
      yield* keys.create({ ...key("org_before"), credentialId, secretHash })
      assert.deepStrictEqual(yield* whose(), Option.some("org_before"))
      yield* organizations.setStatus("org_before", "closed")
      yield* removeRows("org_before")
      yield* keys.create({ ...key("org_after"), credentialId, secretHash })
      assert.deepStrictEqual(yield* whose(), Option.some("org_after"))
    }))

  it.effect("a refused request writes nothing", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      const sql = yield* SqlClient.SqlClient
      const orgId = "org_flooded"
      yield* Organizations.use((organizations) => organizations.save({ ...defaults(orgId), requests_per_minute: 1 }))
      const secretHash = "c".repeat(64)
      const credentialId = "00000000-0000-4000-8000-000000000003"
      yield* keys.create({ ...key(orgId), credentialId, secretHash })
      yield* keys.authorize(secretHash, start)
      const version =
        sql`SELECT xmin::text, ctid::text FROM credential_window WHERE credential_id = ${credentialId}::uuid`
      const before = yield* version
      yield* Effect.repeat(keys.authorize(secretHash, start + 1), { times: 20 })
      assert.deepStrictEqual(yield* version, before)
    }))

  it.effect("a request whose last place is taken while it waits is refused and counted nowhere", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      const sql = yield* SqlClient.SqlClient
      const url = yield* TestDatabase.Url
      const orgId = "org_contended"
      yield* Organizations.use((organizations) =>
        organizations.save({ ...defaults(orgId), requests_per_minute: 2, requests_per_day: 9 })
      )
      const secretHash = "d".repeat(64)
      const credentialId = "00000000-0000-4000-8000-000000000004"
      yield* keys.create({ ...key(orgId), credentialId, secretHash })
      yield* keys.authorize(secretHash, start)
      const waiting = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`UPDATE credential_window SET count = 2 WHERE credential_id = ${credentialId}::uuid`
        const waiting = yield* Effect.forkDetach(keys.authorize(secretHash, start + 1))
        // On a connection of its own: within a transaction the activity of others stands still.
        yield* TestDatabase.administer(url, (observer) =>
          Effect.repeat(
            observer<{ readonly blocked: number }>`
              SELECT count(*)::int AS blocked FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            { until: ([row]) => row?.blocked === 1 }
          ))
        return waiting
      }))
      const refused = yield* Effect.flatMap(Fiber.join(waiting), Effect.fromOption)
      assert.deepInclude(refused.minute, { admitted: false, used: 2 })
      assert.deepInclude(refused.day, { admitted: true, used: 1 })
      assert.deepStrictEqual(yield* sql`SELECT requests FROM organization_day WHERE org_id = ${orgId}`, [{
        requests: 1
      }])
    }))

  it.effect("an unreachable database is a failure that may pass", () =>
    Effect.gen(function*() {
      const url = TestDatabase.inDatabase(Redacted.make(Redacted.value(yield* TestDatabase.Url)), "missing")
      const failure = yield* KeyRing.use((keys) => keys.authorize(hash, start)).pipe(
        Effect.flip,
        Effect.provide(Layer.fresh(KeyRingPg.layer).pipe(Layer.provide(Database.layer({ url }))), { local: true })
      )
      assert.deepInclude(failure, { _tag: "TEMPORARILY_UNAVAILABLE", retryAfterSeconds: 1 })
    }))
})
