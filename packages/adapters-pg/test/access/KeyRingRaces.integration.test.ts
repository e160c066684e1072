/**
 * Two processes that count a request at the same moment, both having read that there is room for one: one is let in; and two
 * that recognize a person.
 *
 * All data is made up.
 */
import { assert, layer } from "@effect/vitest"
import { Connections, maximumConnections } from "@freehold/core/access/Connections"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { key, member } from "@freehold/core/testing/Seed"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as ConnectionsPg from "../../src/access/ConnectionsPg.ts"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const now = Date.UTC(2026, 2, 30)

const memberId = "00000000-0000-4000-8000-0000000000aa"

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
    yield* keys.create(key({ credentialId: `00000000-0000-4000-8000-00000000000${index}`, orgId, secretHash }))
  }
})

const adapters = Layer.merge(KeyRingPg.layer, ConnectionsPg.layer)

/** What counts requests in a process of its own, with connections to the database of its own. */
const elsewhere = Effect.gen(function*() {
  const url = yield* TestDatabase.Url
  return yield* Layer.build(
    Layer.fresh(adapters.pipe(Layer.provide(Database.layer({ url, maxConnections: 2 }))))
  )
})

const admitted = (secretHash: string) =>
  Effect.map(
    KeyRing.use((keys) => keys.authorize(secretHash, now)),
    (found) => Option.isSome(found) && found.value.minute.admitted && found.value.day?.admitted !== false
  )

/** Whether a member gets in with that client. */
const connected = (client: number) =>
  Effect.map(
    Connections.use((connections) =>
      connections.authorize({
        issuer: "https://issuer.example",
        subject: "ana",
        email: "ana@people.example",
        clientId: `client ${client}`,
        orgId: null,
        connectionId: `00000000-0000-4000-8000-0000000001${String(client).padStart(2, "0")}`,
        now
      })
    ),
    ({ _tag }) => _tag === "Connected"
  )

/** Both calls, each of a process of its own, have read and wait to count; then they go on. */
const race = Effect.fnUntraced(function*<A, E>(
  rows: string,
  callers: ReadonlyArray<Effect.Effect<A, E, KeyRing | Connections>>
) {
  const sql = yield* SqlClient.SqlClient
  const observer = yield* Database.Pipeline
  const processes = yield* Effect.forEach(
    callers,
    (call) => Effect.map(elsewhere, (services) => Effect.provide(call, services))
  )
  const calls = yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql.unsafe(`SELECT FROM ${rows} FOR UPDATE`)
    const waiting = yield* Effect.forEach(processes, (call) => Effect.forkDetach(call))
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

layer(Layer.merge(adapters, OrganizationsPg.layer).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true
})("KeyRingPg", (it) => {
  it.effect("of two processes that count the last request of a minute one is let in (R1)", () =>
    Effect.gen(function*() {
      const [key = ""] = hashes
      yield* arrange("org_minute", { minute: 2, day: 100 })
      assert.isTrue(yield* admitted(key))
      const answers = yield* race("credential_window", [admitted(key), admitted(key)])
      assert.deepStrictEqual(answers.toSorted(), [false, true])
    }))

  it.effect("of two keys that count the last request of a day one is let in, and the other's minute is untouched (R7)", () =>
    Effect.gen(function*() {
      const keys = yield* KeyRing
      yield* arrange("org_day", { minute: 100, day: 2 })
      const [key = ""] = hashes
      assert.isTrue(yield* admitted(key))
      const answers = yield* race("organization_day", hashes.map(admitted))
      assert.deepStrictEqual(answers.toSorted(), [false, true])
      const counted = yield* Effect.forEach(hashes, (secretHash) => keys.authorize(secretHash, now))
      const used = counted.map((found) => Option.isSome(found) ? found.value.minute.used : -1)
      assert.strictEqual(used.reduce((sum, each) => sum + each, 0), 2)
    }))

  it.effect("of two clients that would be a member's tenth connection one is let in (R9)", () =>
    Effect.gen(function*() {
      yield* arrange("org_clients", { minute: 100, day: 100 })
      yield* Organizations.use((organizations) =>
        organizations.saveMember("org_clients", member({ memberId, email: "ana@people.example" }))
      )
      for (let client = 1; client < maximumConnections; client++) assert.isTrue(yield* connected(client))
      const answers = yield* race("organization_day", [connected(10), connected(11)])
      assert.deepStrictEqual(answers.toSorted(), [false, true])
    }))

  it.effect("of two first calls of a member, who is recognized by one of them, both are let in", () =>
    Effect.gen(function*() {
      yield* arrange("org_first", { minute: 100, day: 100 })
      yield* Organizations.use((organizations) =>
        organizations.saveMember("org_first", member({ memberId, email: "ana@people.example" }))
      )
      assert.deepStrictEqual(yield* race("member", [connected(1), connected(1)]), [true, true])
    }))
})
