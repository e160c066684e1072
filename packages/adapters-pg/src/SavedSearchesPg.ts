/** `SavedSearches` over PostgreSQL: each method is one statement. */
import { nameKey } from "@freehold/core/list/List"
import { maximumSavedSearches, type SavedSearch, SavedSearches } from "@freehold/core/search/SavedSearches"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { writing } from "./internal/Transaction.ts"

const columns = `s.id, s.name, s.owner_name AS "ownerName", s.search, to_iso(s.created_at) AS "createdAt"`

/** Rows beside their total; there is none when `id` is null. */
type Listed = { readonly total: number } & (SavedSearch | { readonly id: null })

export const layer: Layer.Layer<SavedSearches, never, SqlClient.SqlClient | Database.Reads> = Layer.effect(
  SavedSearches,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const fields = reads.literal(columns)

    const seen = (orgId: string, reader: string | null) =>
      reads`s.org_id = ${orgId} AND (${reader}::uuid IS NULL OR s.owner_id = ${reader}::uuid)`

    return SavedSearches.of({
      list: Effect.fn("SavedSearches.list")(function*({ orgId, reader }) {
        const rows = yield* reads<Listed>`
          SELECT counted.total, newest.*
          FROM (SELECT count(*)::integer AS total FROM saved_search s WHERE ${seen(orgId, reader)}) counted
          LEFT JOIN LATERAL (
            SELECT ${fields} FROM saved_search s WHERE ${seen(orgId, reader)}
            ORDER BY s.created_at DESC, s.id LIMIT ${maximumSavedSearches}
          ) newest ON true
          ORDER BY newest."createdAt" DESC, newest.id`
        return {
          searches: rows.flatMap(({ total: _, ...row }) => row.id === null ? [] : [row]),
          total: rows[0]?.total ?? 0
        }
      }, Effect.catchTag("SqlError", unavailable)),

      find: Effect.fn("SavedSearches.find")(function*({ id, orgId, reader }) {
        const rows = yield* reads<SavedSearch>`
          SELECT ${fields} FROM saved_search s WHERE s.id = ${id}::uuid AND ${seen(orgId, reader)}`
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      save: Effect.fn("SavedSearches.save")(function*({ id, name, now, orgId, owner, search }) {
        const [row] = yield* writing(sql<{ readonly outcome: "saved" | "in_use" | "too_many" }>`
          SELECT saved_search_add(
            ${orgId}::text, ${id}::uuid, ${owner.memberId}::uuid, ${owner.name}::text, ${name}::text,
            ${nameKey(name)}::text, ${JSON.stringify(search)}::jsonb, ${maximumSavedSearches}::integer,
            to_timestamp(${now}::double precision / 1000)
          ) AS outcome`)
        return row?.outcome ?? (yield* Effect.die("saved_search_add answers what it did"))
      }, Effect.catchTag("SqlError", unavailable)),

      remove: Effect.fn("SavedSearches.remove")(function*({ id, orgId, ownerId }) {
        const rows = yield* writing(sql`
          DELETE FROM saved_search s WHERE s.org_id = ${orgId} AND s.id = ${id}::uuid AND s.owner_id = ${ownerId}::uuid
          RETURNING s.id`)
        return rows.length > 0
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
