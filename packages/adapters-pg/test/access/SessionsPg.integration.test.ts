/** `Sessions` over PostgreSQL: the contract, and what a sign-in leaves that comes after a removal. */
import { assert, layer } from "@effect/vitest"
import { Sessions } from "@freehold/core/access/Sessions"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { member } from "@freehold/core/testing/Seed"
import { sessionsContract } from "@freehold/core/testing/SessionsContract"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as SessionsPg from "../../src/access/SessionsPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const adapters = Layer.mergeAll(SessionsPg.layer, OrganizationsPg.layer)

sessionsContract("PostgreSQL", adapters.pipe(Layer.provide(TestDatabase.layer)))

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("SessionsPg", (it) => {
  it.effect("a session that was opened as its member was removed is not kept alive, and ends as they are added again", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const organizations = yield* Organizations
      const sql = yield* SqlClient.SqlClient
      const now = Date.UTC(2026, 2, 30, 12)
      const orgId = "org_removed"
      const ana = member({ memberId: "00000000-0000-4000-8000-0000000000aa", email: "ana@people.example" })
      const [linkHash, secretHash] = ["a".repeat(64), "b".repeat(64)] as const
      yield* organizations.save(defaults(orgId))
      yield* organizations.saveMember(orgId, ana)
      yield* sessions.issueLink({ orgId, memberId: ana.memberId, secretHash: linkHash, now })
      const session = { sessionId: "00000000-0000-4000-8000-0000000000bb", secretHash, userAgent: null, now }
      assert.isTrue(Option.isSome(yield* sessions.redeem(linkHash, session)))
      const used = Effect.map(
        sessions.list(orgId, ana.memberId, now),
        (all) => all.map(({ lastUsedAt }) => lastUsedAt.getTime())
      )
      const later = now + 120_000
      assert.isTrue(Option.isSome(yield* sessions.authorize(secretHash, later)))
      assert.deepStrictEqual(yield* used, [later])

      yield* sql`UPDATE member SET status = 'removed' WHERE org_id = ${orgId}`
      assert.isTrue(Option.isNone(yield* sessions.authorize(secretHash, later + 120_000)))
      assert.deepStrictEqual(yield* used, [later])
      yield* organizations.saveMember(orgId, ana)
      assert.isTrue(Option.isNone(yield* sessions.authorize(secretHash, later)))
      assert.deepStrictEqual(yield* used, [])
    }))
})
