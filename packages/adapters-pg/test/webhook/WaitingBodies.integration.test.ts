/** What waits with a body is found by its property, however much waits. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

it.effect("forgetting and holding the bodies of a property reads nothing of the others", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const idOf = (n: string) => sql.literal(`('00000000-0000-4000-8000-' || lpad(${n}::text, 12, '0'))::uuid`)
    yield* sql.withTransaction(Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql`
        INSERT INTO delivery (org_id, id, event_id, endpoint_id, event_type, property_id, test, partial, data)
        SELECT 'org_a', ${idOf("n")}, ${idOf("n")}, ${idOf("1")}, 'lead.qualified', ${idOf("n")}, false, false, '{}'
        FROM generate_series(1, 5000) AS n`
    ))
    yield* sql`ANALYZE delivery`
    const scans = yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`SELECT changes_hold('{}', ARRAY[${idOf("7")}])`
      yield* sql`SELECT bundles_forget(ARRAY[${idOf("7")}])`
      return yield* sql`SELECT pg_stat_get_xact_numscans('delivery'::regclass)::int AS whole`
    }))
    assert.deepStrictEqual(scans, [{ whole: 0 }])
    const forgotten = yield* sql`SELECT count(*)::int AS forgotten FROM delivery WHERE data IS NULL`
    assert.deepStrictEqual(forgotten, [{ forgotten: 1 }])
  }).pipe(Effect.provide(TestDatabase.layer)))
