/** `Notes` over PostgreSQL. */
import { type NotedProperty, Notes } from "@freehold/core/note/Notes"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { storable } from "./internal/StorableText.ts"
import { writing } from "./internal/Transaction.ts"

const notes = `(
  SELECT coalesce(json_agg(
    json_build_object('id', n.id, 'propertyId', p.id, 'content', n.content, 'author', n.author,
      'createdAt', to_iso(n.created_at))
    ORDER BY n.created_at DESC, n.id), '[]')
  FROM newest n)`

export const layer: Layer.Layer<Notes, never, Database.Reads | SqlClient.SqlClient> = Layer.effect(
  Notes,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    return Notes.of({
      of: Effect.fn("Notes.of")(function*({ limit, orgId, property }) {
        const rows = yield* reads<NotedProperty>`
          SELECT p.id, p.county_fips AS "countyFips", p.retired_into AS "retiredInto", n.notes
          FROM property p CROSS JOIN LATERAL (
            WITH newest AS (
              SELECT * FROM note WHERE note.org_id = ${orgId} AND note.property_id = p.id
              ORDER BY created_at DESC, id LIMIT ${limit}
            )
            SELECT ${reads.literal(notes)} AS notes
          ) n
          WHERE ${
          property._tag === "Id" ? reads`p.id = ${property.id}::uuid` : reads`p.key = ${storable(property.key)}`
        }`
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      add: Effect.fn("Notes.add")(function*({ author, content, id, now, orgId, propertyId }) {
        const [row] = yield* writing(sql<{ readonly at: string }>`
          INSERT INTO note (org_id, id, property_id, content, author, author_id, created_at)
          VALUES (${orgId}, ${id}::uuid, ${propertyId}::uuid, ${storable(content)}, ${author.name},
            ${author.memberId}::uuid, to_timestamp(${now}::double precision / 1000))
          RETURNING to_iso(created_at) AS at`)
        if (row === undefined) return yield* Effect.die("an insert answers its row")
        return { id, propertyId, content, author: author.name, createdAt: row.at }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
