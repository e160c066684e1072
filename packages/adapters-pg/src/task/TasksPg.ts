/** `Tasks` over PostgreSQL: each method is one statement. */
import { type PlacedTask, type Task, Tasks } from "@freehold/core/task/Tasks"
import { Array, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import * as Database from "../database/Database.ts"
import { type Paged, pageOf } from "../database/Page.ts"
import { storable } from "../database/StorableText.ts"
import { writing } from "../database/Transaction.ts"

const fields: Readonly<Record<keyof Task, string>> = {
  id: "t.id",
  propertyId: "t.property_id",
  title: "t.title",
  description: "t.description",
  type: "t.type",
  status: "t.status",
  dueAt: "to_iso(t.due_at)",
  assigneeName: "t.assignee_name",
  createdAt: "to_iso(t.created_at)",
  completedAt: "to_iso(t.completed_at)"
}

const columns = columnsOf(fields)

const placedFields: Readonly<Record<keyof PlacedTask, string>> = {
  ...fields,
  assigneeId: "t.assignee_id",
  propertyKey: "p.key",
  countyFips: "p.county_fips",
  retiredInto: "p.retired_into",
  address: "p.address",
  city: "p.city",
  state: "p.state"
}

const placedColumns = columnsOf(placedFields)

export const layer: Layer.Layer<Tasks, never, Database.Reads | SqlClient.SqlClient> = Layer.effect(
  Tasks,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const { rowInArea } = Visibility.make(reads)
    const task = sql.literal(columns)
    const placed = reads.literal(placedColumns)

    return Tasks.of({
      add: Effect.fn("Tasks.add")(function*(given) {
        const { assignee, author, description, dueAt, id, most, now, orgId, propertyId, title, type } = given
        const rows = yield* writing(sql<{ readonly written: boolean }>`
          SELECT task_add(
            ${orgId}, ${id}::uuid, ${propertyId}::uuid, ${storable(title)},
            ${description === null ? null : storable(description)}, ${type}, ${dueAt}::timestamptz,
            ${assignee?.memberId ?? null}::uuid, ${assignee?.name ?? null}, ${author.memberId}::uuid, ${most},
            to_timestamp(${now}::double precision / 1000)
          ) AS written`)
        const added: Task = {
          id,
          propertyId,
          title,
          description,
          type,
          status: "open",
          dueAt: dueAt === null ? null : DateTime.formatIso(DateTime.makeUnsafe(dueAt)),
          assigneeName: assignee?.name ?? null,
          createdAt: DateTime.formatIso(DateTime.makeUnsafe(now)),
          completedAt: null
        }
        return rows[0]?.written === true ? Option.some(added) : Option.none()
      }, Effect.catchTag("SqlError", unavailable)),

      list: Effect.fn("Tasks.list")(function*({ after, limit, offset, orgId, propertyId, status }) {
        const where = reads`t.org_id = ${orgId} AND (${propertyId}::uuid IS NULL OR t.property_id = ${propertyId}::uuid)
          AND (${status}::text IS NULL OR t.status = ${status}::text)`
        const behind = after === undefined ? reads`` : reads`
          AND t.created_at <= ${after.createdAt}::timestamptz
          AND (t.created_at < ${after.createdAt}::timestamptz OR t.id > ${after.id}::uuid)`
        const rows = yield* reads<Paged<Task>>`
          SELECT counted.total, page.*
          FROM (SELECT count(*)::integer AS total FROM task t WHERE ${where}) counted
          LEFT JOIN LATERAL (
            SELECT ${task} FROM task t WHERE ${where} ${behind}
            ORDER BY t.created_at DESC, t.id LIMIT ${limit} OFFSET ${offset}
          ) page ON true
          ORDER BY page."createdAt" DESC, page.id`
        const { rows: tasks, total } = pageOf(rows)
        return { tasks, total }
      }, Effect.catchTag("SqlError", unavailable)),

      agenda: Effect.fn("Tasks.agenda")(
        function*({ after, assigneeId, dueBefore, limit, offset, orgId, propertyId, status, visible }) {
          const found = reads`FROM task t JOIN property p ON p.id = t.property_id
            WHERE t.org_id = ${orgId} AND p.retired_into IS NULL AND ${rowInArea(visible)}
              AND (${propertyId}::uuid IS NULL OR t.property_id = ${propertyId}::uuid)
              AND (${status}::text IS NULL OR t.status = ${status}::text)
              AND (${assigneeId}::uuid IS NULL OR t.assignee_id = ${assigneeId}::uuid)
              AND (${dueBefore}::double precision IS NULL
                OR t.due_at < to_timestamp(${dueBefore}::double precision / 1000))`
          const behind = after === undefined ? reads`` : reads`AND (
            (t.due_at IS NULL, coalesce(t.due_at, '-infinity'))
              > (${after.dueAt === null}, coalesce(${after.dueAt}::timestamptz, '-infinity'))
            OR t.due_at IS NOT DISTINCT FROM ${after.dueAt}::timestamptz AND (
              t.created_at < ${after.createdAt}::timestamptz
              OR t.created_at = ${after.createdAt}::timestamptz AND t.id > ${after.id}::uuid
            )
          )`
          const rows = yield* reads<Paged<PlacedTask>>`
            SELECT counted.total, page.*
            FROM (SELECT count(*)::integer AS total ${found}) counted
            LEFT JOIN LATERAL (
              SELECT ${placed} ${found} ${behind}
              ORDER BY t.due_at NULLS LAST, t.created_at DESC, t.id LIMIT ${limit} OFFSET ${offset}
            ) page ON true
            ORDER BY page."dueAt" NULLS LAST, page."createdAt" DESC, page.id`
          const { rows: tasks, total } = pageOf(rows)
          return { tasks, total }
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      find: Effect.fn("Tasks.find")((orgId, id) =>
        reads<PlacedTask>`
          SELECT ${placed} FROM task t JOIN property p ON p.id = t.property_id
          WHERE t.org_id = ${orgId} AND t.id = ${id}::uuid`.pipe(
          Effect.map(Array.head),
          Effect.catchTag("SqlError", unavailable)
        )
      ),

      edit: Effect.fn("Tasks.edit")(({ assignee, description, dueAt, id, orgId, title, type }) =>
        writing(sql<Task>`
          UPDATE task AS t SET
            title = coalesce(${title === undefined ? null : storable(title)}::text, t.title),
            description = CASE WHEN ${description === undefined} THEN t.description
              ELSE ${typeof description === "string" ? storable(description) : null}::text END,
            type = coalesce(${type ?? null}::text, t.type),
            due_at = CASE WHEN ${dueAt === undefined} THEN t.due_at ELSE ${dueAt ?? null}::timestamptz END,
            assignee_id = CASE WHEN ${assignee === undefined} THEN t.assignee_id
              ELSE ${assignee?.memberId ?? null}::uuid END,
            assignee_name = CASE WHEN ${assignee === undefined} THEN t.assignee_name
              ELSE ${assignee?.name ?? null}::text END
          WHERE t.org_id = ${orgId} AND t.id = ${id}::uuid AND t.status = 'open'
          RETURNING ${task}`).pipe(
          Effect.map(Array.head),
          Effect.catchTag("SqlError", unavailable)
        )
      ),

      end: Effect.fn("Tasks.end")(function*({ id, now, orgId, status }) {
        const rows = yield* writing(sql<Task>`
          WITH ended AS (
            UPDATE task t SET status = ${status}::text,
              completed_at = CASE ${status}::text WHEN 'done' THEN to_timestamp(${now}::double precision / 1000) END
            WHERE t.org_id = ${orgId} AND t.id = ${id}::uuid AND t.status = 'open'
            RETURNING t.*
          )
          SELECT ${task} FROM ended t
          UNION ALL
          SELECT ${task} FROM task t WHERE t.org_id = ${orgId} AND t.id = ${id}::uuid AND NOT EXISTS (SELECT FROM ended)`)
        const found = Array.head(rows)
        // The statement began before another call's end was there to be seen, and waited for it.
        if (Option.isNone(found) || found.value.status !== "open") return found
        const again = yield* sql<Task>`SELECT ${task} FROM task t WHERE t.org_id = ${orgId} AND t.id = ${id}::uuid`
        return Array.head(again)
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
