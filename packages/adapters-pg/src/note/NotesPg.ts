/** `Notes` over PostgreSQL. */
import { type Note, type NotedProperty, Notes, type PlacedNote } from "@freehold/core/note/Notes"
import { Array, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import { writing } from "../database/Transaction.ts"

const fields: Readonly<Record<keyof Note, string>> = {
  id: "n.id",
  propertyId: "n.property_id",
  content: "n.content",
  author: "n.author",
  authorId: "n.author_id",
  createdAt: "to_iso(n.created_at)"
}

const columns = columnsOf(fields)

const notes = `(
  SELECT coalesce(json_agg(
    json_build_object('id', n.id, 'propertyId', p.id, 'content', n.content, 'author', n.author,
      'authorId', n.author_id, 'createdAt', to_iso(n.created_at))
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

      add: Effect.fn("Notes.add")(function*({ author, content, id, most, now, orgId, propertyId }) {
        const rows = yield* writing(sql<{ readonly written: boolean }>`
          SELECT note_add(
            ${orgId}, ${id}::uuid, ${propertyId}::uuid, ${storable(content)}, ${author.name}, ${author.memberId}::uuid,
            ${most}, to_timestamp(${now}::double precision / 1000)
          ) AS written`)
        const note: Note = {
          id,
          propertyId,
          content,
          author: author.name,
          authorId: author.memberId,
          createdAt: DateTime.formatIso(DateTime.makeUnsafe(now))
        }
        return rows[0]?.written === true ? Option.some(note) : Option.none()
      }, Effect.catchTag("SqlError", unavailable)),

      find: Effect.fn("Notes.find")(function*(orgId, id) {
        const rows = yield* reads<PlacedNote>`
          SELECT ${reads.literal(columns)}, p.county_fips AS "countyFips", p.retired_into AS "retiredInto"
          FROM note n JOIN property p ON p.id = n.property_id
          WHERE n.org_id = ${orgId} AND n.id = ${id}::uuid`
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      edit: Effect.fn("Notes.edit")(function*({ content, id, orgId }) {
        const rows = yield* writing(sql<Note>`
          UPDATE note n SET content = ${storable(content)} WHERE n.org_id = ${orgId} AND n.id = ${id}::uuid
          RETURNING ${sql.literal(columns)}`)
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      delete: Effect.fn("Notes.delete")(function*(orgId, id) {
        const rows = yield* writing(sql`DELETE FROM note WHERE org_id = ${orgId} AND id = ${id}::uuid RETURNING id`)
        return rows.length > 0
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
