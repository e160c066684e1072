/** `Idempotency` over PostgreSQL against its contract, and what only a database can promise. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as IdempotencyPg from "@freehold/adapters-pg/operation/IdempotencyPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import { Idempotency, lifeMillis } from "@freehold/core/operation/Idempotency"
import { idempotencyContract } from "@freehold/core/testing/IdempotencyContract"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(IdempotencyPg.layer, KeyRingPg.layer, SeederPg.layer).pipe(
  Layer.provide(SealerNode.layer(Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(TestDatabase.layer)
)

idempotencyContract("over PostgreSQL", layer)

const credentialId = "00000000-0000-4000-8000-000000000009"
const now = 1_767_225_600_000

withLayer(layer, { excludeTestServices: true })("Idempotency: transactions", (it) => {
  const prepared = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { once } = yield* Idempotency
    yield* sql`
      INSERT INTO organization (org_id, profile) VALUES ('sample-org', '{"status": "active"}') ON CONFLICT DO NOTHING`
    yield* sql`
      INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes)
      VALUES (${credentialId}::uuid, 'sample-org', 'Sample', 'Sample', ${new Uint8Array(32).fill(9)}, '{}')
      ON CONFLICT DO NOTHING`
    const write = (name: string) =>
      Effect.orDie(sql`INSERT INTO county (county_fips, name) VALUES ('99999', ${name})
        ON CONFLICT (county_fips) DO UPDATE SET name = excluded.name`)
    const written = Effect.map(
      sql<{ readonly name: string }>`SELECT name FROM county WHERE county_fips = '99999'`,
      ([row]) => row?.name
    )
    const ask = (key: string, at: number, effect: Effect.Effect<string, string>, operation = "service_sample") =>
      once({ orgId: "sample-org", credentialId, key, operation, fingerprint: "ff", mustReplay: false, now: at }, effect)
    return { ask, sql, write, written }
  })

  it.effect("what was written stays with its answer, and goes with a failure", () =>
    Effect.gen(function*() {
      const { ask, write, written } = yield* prepared
      yield* ask("a", now, Effect.as(write("first"), "done"))
      assert.strictEqual(yield* written, "first")
      yield* Effect.flip(ask("b", now, Effect.andThen(write("second"), Effect.fail("refused"))))
      assert.strictEqual(yield* written, "first")
    }))

  it.effect("what was revealed of people is forgotten when one of them asks not to be listed", () =>
    Effect.gen(function*() {
      const { ask, sql } = yield* prepared
      yield* ask("e", now, Effect.succeed("a person"), "service_reveal_contact")
      yield* ask("f", now, Effect.succeed("a list"), "service_create_list")
      yield* sql`INSERT INTO contact (id, key, full_name) VALUES (${credentialId}::uuid, 'sample', 'Sample Person')`
      yield* sql`SELECT contact_suppress(${credentialId}::uuid)`
      const again = yield* ask("e", now, Effect.succeed("nobody"), "service_reveal_contact")
      assert.deepStrictEqual(again, { answer: "nobody", replayed: false })
      assert.isTrue((yield* ask("f", now, Effect.fail("not run"), "service_create_list")).replayed)
    }))

  it.effect("what is stored gives no answer away, and is removed once it is too old", () =>
    Effect.gen(function*() {
      const { ask, sql } = yield* prepared
      yield* ask("c", now, Effect.succeed("whsec_made-up"))
      const [stored] = yield* sql<{ readonly told: number }>`
        SELECT count(*) FILTER (WHERE position('whsec'::bytea IN answer_sealed) > 0)::int AS told FROM idempotent_answer`
      assert.strictEqual(stored?.told, 0)
      yield* ask("d", now + lifeMillis, Effect.succeed("later"))
      const kept = yield* sql<{ readonly key: string }>`SELECT key FROM idempotent_answer ORDER BY key`
      assert.deepStrictEqual(kept.map(({ key }) => key), ["d"])
    }))
})
