/**
 * Two processes that count a request at the same moment, both having read that there is room for one: one is let in.
 *
 * All data is made up.
 */
import { assert, layer } from "@effect/vitest"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/access/Organization"
import { Organizations } from "@freehold/core/access/Organizations"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../src/Database.ts"
import * as KeyRingPg from "../src/KeyRingPg.ts"
import * as OrganizationsPg from "../src/OrganizationsPg.ts"
import * as TestDatabase from "../src/testing/TestDatabase.ts"

const now = Date.UTC(2026, 2, 30)

const hashes = ["a", "b"].map((letter) => letter.repeat(64))

/** An organization with room for two, and two keys. */
const arrange = Effect.fnUntraced(function*(orgId: string, limits: { readonly minute: number; readonly day: number }) {
  const keys = yield* KeyRing
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE organization CASCADE`
  yield* Organizations.use((organizations) =>
    organizations.save({ ...defaults(orgId), requests_per_minute: limits.minute, requests_per_day: limits.day })
  )
  for (const [index, secretHash] of hashes.entries()) {
    yield* keys.create({
      credentialId: `00000000-0000-4000-8000-00000000000${index}`,
      orgId,
      name: "sample",
      label: "sample fhk_00000000",
      secretHash,
      scopes: [],
      dailyLimits: {}
    })
  }
})

/** The key ring of a process of its own, with connections of its own. */
const elsewhere = Effect.gen(function*() {
  const url = yield* TestDatabase.Url
  const built = yield* Layer.build(
    Layer.fresh(KeyRingPg.layer.pipe(Layer.provide(Database.layer({ url, maxConnections: 2 }))))
  )
  return Context.get(built, KeyRing)
})

const admitted = (keys: KeyRing["Service"], secretHash: string) =>
  Effect.map(
    keys.authorize(secretHash, now),
    (found) => Option.isSome(found) && found.value.minute.admitted && found.value.day?.admitted !== false
  )

/** Both calls have read and wait to count; then they go on. */
const race = Effect.fnUntraced(function*(rows: string, callers: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const observer = yield* Database.Pipeline
  const rings = yield* Effect.forEach(callers, () => elsewhere)
  const calls = yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql.unsafe(`SELECT FROM ${rows} FOR UPDATE`)
    const waiting = yield* Effect.forEach(
      rings,
      (ring, index) => Effect.forkDetach(admitted(ring, callers[index] ?? ""))
    )
    yield* Effect.repeat(
      observer<{ readonly blocked: number }>`
        SELECT count(*)::int AS blocked FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { until: ([row]) => row?.blocked === callers.length }
    )
    return waiting
  }))
  return yield* Effect.forEach(calls, (call) => Fiber.join(call))
})

layer(Layer.merge(KeyRingPg.layer, OrganizationsPg.layer).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true
})("KeyRingPg", (it) => {
  it.effect("of two processes that count the last request of a minute one is let in (R1)", () =>
    Effect.gen(function*() {
      const [key = ""] = hashes
      yield* arrange("org_minute", { minute: 2, day: 100 })
      assert.isTrue(yield* admitted(yield* KeyRing, key))
      const answers = yield* race("credential_window", [key, key])
      assert.deepStrictEqual(answers.toSorted(), [false, true])
    }))

  it.effect("of two keys that count the last request of a day one is let in, and the other's minute is untouched (R7)", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      yield* arrange("org_day", { minute: 100, day: 2 })
      const [key = ""] = hashes
      assert.isTrue(yield* admitted(keys, key))
      const answers = yield* race("organization_day", hashes)
      assert.deepStrictEqual(answers.toSorted(), [false, true])
      const counted = yield* Effect.forEach(hashes, (secretHash) => keys.authorize(secretHash, now))
      const used = counted.map((found) => Option.isSome(found) ? found.value.minute.used : -1)
      assert.strictEqual(used.reduce((sum, each) => sum + each, 0), 2)
    }))
})
