/** A new encryption key takes the place of another: nothing is lost on the way, wherever it is interrupted. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Sources } from "@freehold/core/source/Sources"
import { sampleSource } from "@freehold/core/testing/SampleSource"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Duration, Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { answerContext } from "../../src/operation/IdempotencyPg.ts"
import * as SourcesPg from "../../src/source/SourcesPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import * as KeyProofPg from "../../src/webhook/KeyProofPg.ts"
import * as ResealPg from "../../src/webhook/ResealPg.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"
import { secretContext } from "../../src/webhook/WebhookEndpointsPg.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

const before = WebhookPorts.key
const after = Redacted.make(new Uint8Array(32).fill(8))
const wrong = Redacted.make(new Uint8Array(32).fill(9))

/** With that key, and those whose place it takes. */
const under = (key: typeof before, ...earlier: ReadonlyArray<typeof before>) =>
  Effect.provide(SealerNode.layer(key, earlier), { local: true })

const proved = Effect.map(Effect.result(KeyProofPg.prove), Result.isSuccess)

/** The token of the source as it is read under a key; null: there is none that opens. */
const tokenUnder = (key: typeof before) =>
  Sources.use((sources) => sources.list).pipe(
    Effect.map(([source]) => source === undefined || source.token === null ? null : Redacted.value(source.token)),
    Effect.provide(Layer.provide(SourcesPg.layer, SealerNode.layer(key)), { local: true })
  )

/** More than two batches of endpoints, one with a rotation that overlaps, the token of a source, and an answer. */
const arrange = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealer = yield* Sealer
  yield* Scene.seed(["org_a", "org_b", "org_c"], 1)
  yield* Scene.register("org_a", 0)
  for (let index = 1; index <= 210; index++) {
    const id = Scene.endpointId(index)
    const sealed = yield* sealer.seal(Scene.secretOf(index), secretContext(id))
    yield* sql`
      INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed, previous_secret_sealed)
      VALUES (${index <= 100 ? "org_b" : "org_c"}, ${id}::uuid, 'https://receiver.example', ${
      String(index)
    }, '{}', 'api',
        ${sealed}, ${index === 1 ? sealed : null})`
  }
  const credential = Scene.uuid(4, 1)
  yield* sql`
    INSERT INTO credential (org_id, credential_id, name, label, secret_hash, scopes, daily_limits, created_at)
    VALUES ('org_a', ${credential}::uuid, 'sample', 'sample', decode(repeat('ab', 32), 'hex'), '{}', '{}', now())`
  const answer = yield* sealer.seal(Redacted.make("{}"), answerContext(credential, "key"))
  yield* sql`
    INSERT INTO idempotent_answer (
      org_id, credential_id, key, operation, fingerprint, answer_sealed, must_replay, room_end, expires_at
    ) VALUES ('org_a', ${credential}::uuid, 'key', 'sample', 'sample', ${answer}, false, 1, now() + interval '1 day')`
  const token = yield* sealer.seal(Redacted.make("made-up-token"), SourcesPg.tokenContext("sample"))
  yield* sql`
    INSERT INTO source (name, document, token_sealed) VALUES ('sample', ${
    JSON.stringify(sampleSource("sample"))
  }::jsonb, ${token})`
  yield* KeyProofPg.prove
})

it.live("both keys open while one takes the place of the other; then the new one alone does", () =>
  Effect.gen(function*() {
    yield* arrange
    assert.isFalse(yield* proved.pipe(under(after)))
    assert.isFalse(yield* proved.pipe(under(wrong, after)))
    assert.isTrue(yield* proved.pipe(under(after, before)))
    assert.deepStrictEqual(yield* ResealPg.standing.pipe(under(after, before)), { earlier: 214, closed: 0 })

    assert.deepStrictEqual(yield* ResealPg.reseal.pipe(under(after, before)), { earlier: 214, closed: 0 })
    assert.deepStrictEqual(yield* ResealPg.standing.pipe(under(after)), { earlier: 0, closed: 0 })
    assert.isTrue(yield* proved.pipe(under(after)))
    assert.isFalse(yield* proved)
    assert.deepStrictEqual(yield* ResealPg.reseal.pipe(under(after, before)), { earlier: 0, closed: 0 })
  }).pipe(Effect.provide(ports)))

it.live("the token of a source is sealed anew, too; without its key it is none, and a lost key takes it away by name", () =>
  Effect.gen(function*() {
    yield* arrange
    assert.deepStrictEqual([yield* tokenUnder(before), yield* tokenUnder(after)], ["made-up-token", null])
    yield* ResealPg.reseal.pipe(under(after, before))
    assert.deepStrictEqual([yield* tokenUnder(before), yield* tokenUnder(after)], [null, "made-up-token"])
    const { endpoints, tokens } = yield* KeyProofPg.replace.pipe(under(wrong))
    assert.lengthOf(endpoints, 211)
    assert.deepStrictEqual(tokens, ["sample"])
    assert.isNull(yield* tokenUnder(after))
    assert.deepStrictEqual((yield* KeyProofPg.replace.pipe(under(wrong))).tokens, [])
  }).pipe(Effect.provide(ports)))

it.live("what was interrupted leaves every secret open to both, and is done to its end the next time", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* arrange
    // The process dies while it writes the second batch.
    yield* sql`
      CREATE FUNCTION made_up_end() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`
    yield* sql`
      CREATE TRIGGER made_up_end BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
      WHEN (NEW.target_key = '150') EXECUTE FUNCTION made_up_end()`
    assert.isTrue(Result.isFailure(yield* Effect.result(ResealPg.reseal.pipe(under(after, before)))))
    yield* sql`DROP TRIGGER made_up_end ON webhook_endpoint`
    const left = yield* ResealPg.standing.pipe(under(after, before))
    assert.strictEqual(left.closed, 0)
    assert.isAbove(left.earlier, 0)
    assert.isBelow(left.earlier, 214)
    // Nothing is done yet: without the earlier key nobody starts.
    assert.isFalse(yield* proved.pipe(under(after)))
    assert.deepStrictEqual(yield* ResealPg.reseal.pipe(under(after, before)), left)
    assert.isTrue(yield* proved.pipe(under(after)))
  }).pipe(Effect.provide(ports)))

it.live("deliveries are signed with the same secret before, meanwhile and after", () =>
  Effect.gen(function*() {
    yield* Scene.seed(["org_a"], 1)
    yield* Scene.register("org_a", 0)
    yield* ResealPg.reseal.pipe(under(after, before))
    yield* Scene.qualify("org_a", 0)
    const claimed = yield* Effect.gen(function*() {
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(1)
      return yield* deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.minutes(1) })
    }).pipe(
      Effect.provide(
        WebhookPorts.layerUnder(SealerNode.layer(after)),
        { local: true }
      )
    )
    assert.deepStrictEqual(claimed.flatMap(({ secrets }) => secrets.map(Redacted.value)), ["whsec_made-up-0"])
  }).pipe(Effect.provide(ports)))

it.live("what moves to another cell meanwhile stays under the earlier key, and so does the proof, until it has ended", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* arrange
    const worker = PgClient.layer({ url: yield* TestDatabase.Url, applicationName: "freehold worker" })
    const reseal = ResealPg.reseal.pipe(under(after, before), Effect.provide(worker, { local: true }))
    yield* sql`INSERT INTO organization_move (org_id, to_cell) VALUES ('org_b', 'west')`
    yield* sql`SELECT organization_fence('org_b')`
    assert.isTrue(Result.isFailure(yield* Effect.result(reseal)))
    assert.isTrue(yield* proved.pipe(under(before)))
    assert.isFalse(yield* proved.pipe(under(after)))
    yield* sql`SELECT organization_stay('org_b')`
    yield* reseal
    assert.deepStrictEqual(yield* ResealPg.standing.pipe(under(after)), { earlier: 0, closed: 0 })
    assert.isTrue(yield* proved.pipe(under(after)))
  }).pipe(Effect.provide(ports)))
