/** What an organization owns is kept under its `org_id` first, so that one organization's rows can be kept together. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Tables with an `org_id`, each with its unique indexes and the columns that these begin with. */
const owned = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    { readonly table: string; readonly index: string | null; readonly primary: boolean; readonly begins: string | null }
  >`
    SELECT c.relname AS table, x.relname AS index, coalesce(i.indisprimary, false) AS primary,
      pg_get_indexdef(i.indexrelid, 1, true) AS begins
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
    LEFT JOIN pg_class x ON x.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY 1, 2`
})

withLayer(TestDatabase.layer, { excludeTestServices: true })("keys", (it) => {
  it.effect("the primary key of every table of organizations begins with org_id", () =>
    Effect.gen(function*() {
      const found = yield* owned
      const tables = new Set(found.map(({ table }) => table))
      const keyed = new Set(
        found.filter(({ begins, primary }) => primary && begins === "org_id").map(({ table }) => table)
      )
      assert.isAbove(tables.size, 30)
      assert.deepStrictEqual([...tables].filter((table) => !keyed.has(table)), [])
    }))

  it.effect("what is unique over all organizations is a secret, a sign-in, or a fact about what is everybody's", () =>
    Effect.gen(function*() {
      const found = yield* owned
      assert.deepStrictEqual(
        found.filter(({ begins, index }) => index !== null && begins !== "org_id").map((
          { begins, index }
        ) => [index, begins]),
        [
          ["app_session_secret_hash_key", "secret_hash"],
          ["credential_secret_hash_key", "secret_hash"],
          ["event_of_change", "change_id"],
          ["member_subject", "issuer"],
          ["operator_view_secret_hash_key", "secret_hash"],
          ["research_item_property", "subject_id"],
          ["sign_in_link_secret_hash_key", "secret_hash"]
        ]
      )
    }))

  it.effect("every table that belongs to an organization's table has its org_id", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const without = yield* sql`
        SELECT DISTINCT o.conrelid::regclass::text AS name FROM pg_constraint o
        WHERE o.contype = 'f' AND EXISTS (
          SELECT FROM pg_attribute a WHERE a.attrelid = o.confrelid AND a.attname = 'org_id' AND NOT a.attisdropped
        ) AND NOT EXISTS (
          SELECT FROM pg_attribute a WHERE a.attrelid = o.conrelid AND a.attname = 'org_id' AND NOT a.attisdropped
        )`
      assert.deepStrictEqual(without, [])
    }))
})
