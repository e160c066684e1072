/** `SavedSearches` over PostgreSQL: each method is one statement. */
import { nameKey } from "@freehold/core/list/List"
import {
  maximumSavedCharacters,
  maximumSavedSearches,
  type SavedSearch,
  SavedSearches
} from "@freehold/core/search/SavedSearches"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { type Paged, pageOf } from "../database/Page.ts"
import { transaction, writing } from "../database/Transaction.ts"

const columns = `s.id, s.name, s.owner_name AS "ownerName", s.search, to_iso(s.created_at) AS "createdAt"`

export const layer: Layer.Layer<SavedSearches, never, SqlClient.SqlClient | Database.Reads> = Layer.effect(
  SavedSearches,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const fields = reads.literal(columns)

    const seen = (orgId: string, reader: string | null) =>
      reads`s.org_id = ${orgId} AND (${reader}::uuid IS NULL OR s.owner_id = ${reader}::uuid)`

    return SavedSearches.of({
      list: Effect.fn("SavedSearches.list")(function*({ after, limit, orgId, reader }) {
        const behind = after === null ? reads`` : reads`
          AND s.created_at <= ${after.at}::timestamptz
          AND (s.created_at < ${after.at}::timestamptz OR s.id > ${after.id}::uuid)`
        const rows = yield* reads<Paged<SavedSearch>>`
          SELECT counted.total, page.*
          FROM (SELECT count(*)::integer AS total FROM saved_search s WHERE ${seen(orgId, reader)}) counted
          LEFT JOIN LATERAL (
            SELECT ${fields} FROM saved_search s WHERE ${seen(orgId, reader)} ${behind}
            ORDER BY s.created_at DESC, s.id LIMIT ${limit}
          ) page ON true
          ORDER BY page."createdAt" DESC, page.id`
        const { rows: searches, total } = pageOf(rows)
        return { searches, total }
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
            ${maximumSavedCharacters}::integer, to_timestamp(${now}::double precision / 1000)
          ) AS outcome`)
        return row?.outcome ?? (yield* Effect.die("saved_search_add answers what it did"))
      }, Effect.catchTag("SqlError", unavailable)),

      rename: Effect.fn("SavedSearches.rename")(function*({ id, name, orgId, ownerId }) {
        const key = nameKey(name)
        const renamed = Effect.gen(function*() {
          // The lock of `saved_search_add`: what is looked at next is what it left.
          yield* sql`
            SELECT FROM member m WHERE m.org_id = ${orgId} AND m.member_id = ${ownerId}::uuid FOR NO KEY UPDATE`
          const [row] = yield* sql<{ readonly taken: boolean }>`
            SELECT EXISTS (
              SELECT FROM saved_search o
              WHERE o.org_id = s.org_id AND o.owner_id = s.owner_id AND o.name_key = ${key} AND o.id <> s.id
            ) AS taken
            FROM saved_search s WHERE s.org_id = ${orgId} AND s.id = ${id}::uuid AND s.owner_id = ${ownerId}::uuid`
          if (row === undefined) return "no_search" as const
          if (row.taken) return "in_use" as const
          yield* sql`
            UPDATE saved_search SET name = ${name}, name_key = ${key} WHERE org_id = ${orgId} AND id = ${id}::uuid`
          return "renamed" as const
        })
        return yield* transaction(sql, renamed)
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
