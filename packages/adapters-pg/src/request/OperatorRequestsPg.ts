/** `OperatorRequests` over PostgreSQL: each method is one statement; closing what was closed before asks for its answer. */
import {
  type AskedCounty,
  ClosedBefore,
  type OperatorRequest,
  OperatorRequests
} from "@freehold/core/request/OperatorRequests"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import { columnsOf } from "../database/Columns.ts"
import * as Database from "../database/Database.ts"
import { type Paged, pageOf } from "../database/Page.ts"
import { writing } from "../database/Transaction.ts"

const fields: Readonly<Record<keyof OperatorRequest, string>> = {
  id: "r.id",
  orgId: "r.org_id",
  kind: "r.kind",
  status: "r.status",
  subject: "r.subject",
  message: "r.message",
  countyFips: "r.county_fips",
  actor: "r.actor",
  requestId: "r.request_id",
  createdAt: "to_iso(r.created_at)",
  closedAt: "to_iso(r.closed_at)",
  answer: "r.answer"
}

const columns = columnsOf(fields)

interface AddedRow {
  readonly before: ReadonlyArray<AskedCounty>
  readonly next: Date | null
}

export const layer: Layer.Layer<OperatorRequests, never, SqlClient.SqlClient | Database.Reads> = Layer.effect(
  OperatorRequests,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const request = sql.literal(columns)

    return OperatorRequests.of({
      add: Effect.fn("OperatorRequests.add")(function*({ actor, asked, id, most, now, orgId, requestId, spanMillis }) {
        const bounds = sql`${JSON.stringify(actor)}::jsonb, ${requestId}::text, ${most}::integer,
          ${spanMillis}::bigint * interval '1 millisecond', to_timestamp(${now}::double precision / 1000)`
        const [row] = yield* writing(
          asked.kind === "support"
            ? sql<AddedRow>`
              SELECT '[]'::jsonb AS before, request_add(
                ${orgId}::text, ${id}::uuid, 'support', ${asked.subject}::text, ${asked.message}::text, NULL, ${bounds}
              ) AS next`
            : sql<AddedRow>`
              SELECT asked_before AS before, next_at AS next FROM coverage_request_add(
                ${orgId}::text, ${id}::uuid, ${textArray(asked.countyFips)}::text[], ${bounds}
              )`
        )
        if (row === undefined) return yield* Effect.die("it answers whether it recorded the request")
        return { before: row.before, next: Option.map(Option.fromNullOr(row.next), (next) => next.getTime()) }
      }, Effect.catchTag("SqlError", unavailable)),

      list: Effect.fn("OperatorRequests.list")(function*(
        { actorId = null, after, kind = null, limit, offset, orgId, stateFips = null, status }
      ) {
        const where = reads`(${orgId}::text IS NULL OR r.org_id = ${orgId}::text)
          AND (${kind}::text IS NULL OR r.kind = ${kind}::text)
          AND (${status}::text IS NULL OR r.status = ${status}::text)
          AND (${actorId}::text IS NULL OR r.actor ->> 'id' = ${actorId}::text)
          AND (${stateFips}::text IS NULL OR EXISTS (
            SELECT FROM unnest(r.county_fips) AS county WHERE starts_with(county, ${stateFips}::text)
          ))`
        const behind = after === undefined ? reads`` : reads`
          AND r.created_at <= ${after.createdAt}::timestamptz
          AND (r.created_at < ${after.createdAt}::timestamptz OR r.id > ${after.id}::uuid)`
        const rows = yield* reads<Paged<OperatorRequest>>`
          SELECT counted.total, page.*
          FROM (SELECT count(*)::integer AS total FROM operator_request r WHERE ${where}) counted
          LEFT JOIN LATERAL (
            SELECT ${request} FROM operator_request r WHERE ${where} ${behind}
            ORDER BY r.created_at DESC, r.id LIMIT ${limit} OFFSET ${offset}
          ) page ON true
          ORDER BY page."createdAt" DESC, page.id`
        const { rows: requests, total } = pageOf(rows)
        return { requests, total }
      }, Effect.catchTag("SqlError", unavailable)),

      close: Effect.fn("OperatorRequests.close")(function*(id, now, answer) {
        const rows = yield* sql<OperatorRequest>`
          UPDATE operator_request r SET status = 'closed', closed_at = to_timestamp(${now}::double precision / 1000),
            answer = ${answer}::text
          WHERE r.id = ${id}::uuid AND r.closed_at IS NULL
          RETURNING ${request}`
        if (rows.length === 0) {
          const [before] = yield* sql<Pick<OperatorRequest, "answer">>`
            SELECT r.answer FROM operator_request r WHERE r.id = ${id}::uuid`
          if (before !== undefined) return yield* new ClosedBefore(before)
        }
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
