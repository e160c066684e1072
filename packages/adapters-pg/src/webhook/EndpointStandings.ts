/**
 * How the endpoints of all organizations do, for the operator.
 *
 * *Gotchas.* No index tells which endpoints are in trouble. They are walked in the order of their key, so many at once, and of each a
 * bounded number of deliveries is looked at by `delivery_of_endpoint` and `delivery_log_of_endpoint`, in the latest days alone. A plan
 * that sorts would read everything that was sent to one endpoint first, which nothing bounds: none may sort what an index has in order.
 */
import { Uuid } from "@freehold/core/operation/Uuid"
import {
  endedDaysLookedAt,
  endedLookedAt,
  type EndpointsAsked,
  type EndpointStanding,
  failedStates,
  waitingCountedAtMost,
  type WebhookEndpoint,
  type WebhookEndpoints
} from "@freehold/core/webhook/WebhookEndpoints"
import { Array, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"
import * as StandingEndpoints from "./StandingEndpoints.ts"

/** Deliveries that wait, looked at to see whether one of them was tried. */
const waitingLookedAt = 100

interface Figures {
  readonly organization: EndpointStanding["organization"]
  readonly waiting: number
  readonly next_attempt_at: string | null
  readonly ended: number
  readonly given_up: number
  readonly last_fault: EndpointStanding["lastFault"]
}

const isUuid = Schema.is(Uuid)

/** `columns`: those of an endpoint, of which `toEndpoint` makes it. */
export const make = <Row extends { readonly id: string }>(
  sql: SqlClient.SqlClient,
  columns: Statement.Fragment,
  toEndpoint: (row: Row) => WebhookEndpoint
): Pick<WebhookEndpoints["Service"], "standing" | "standings"> => {
  const toStanding = (row: Row & Figures): EndpointStanding => ({
    ...toEndpoint(row),
    organization: row.organization,
    waiting: row.waiting,
    nextAttemptAt: row.next_attempt_at,
    ended: row.ended,
    givenUp: row.given_up,
    lastFault: row.last_fault
  })

  /** What ended lately at the endpoint `w`, the newest first. */
  const endedLately = sql`
    SELECT id, state, reason, created_at FROM delivery_log
    WHERE org_id = w.org_id AND endpoint_id = w.id AND created_at >= now() - ${endedDaysLookedAt} * interval '1 day'
    ORDER BY created_at DESC, id LIMIT ${endedLookedAt}`

  /** What is due first at the endpoint `w`, and what is due later first: among these is what was tried and is tried again. */
  const triedAgain = sql`
    SELECT id, state, reason, created_at FROM (
      (SELECT id, state, reason, created_at FROM delivery
        WHERE org_id = w.org_id AND endpoint_id = w.id AND due_at <= now() ORDER BY due_at LIMIT ${waitingLookedAt})
      UNION ALL
      (SELECT id, state, reason, created_at FROM delivery
        WHERE org_id = w.org_id AND endpoint_id = w.id AND due_at > now() ORDER BY due_at LIMIT ${waitingLookedAt})
    ) soon WHERE state = 'retry_wait'`

  const isAsked: Readonly<Record<EndpointsAsked, Statement.Fragment>> = {
    all: sql`true`,
    waiting: sql`EXISTS (SELECT FROM delivery WHERE org_id = w.org_id AND endpoint_id = w.id)`,
    troubled: sql`w.disabled_reason IS DISTINCT FROM 'disabled' AND (
      w.disabled_reason IN ('gone', 'failing', 'private_address') OR w.consecutive_failures > 0
      OR EXISTS (SELECT FROM (${endedLately}) l WHERE state = ANY(${failedStates}::text[]))
      OR EXISTS (${triedAgain})
    )`
  }

  /** The endpoints `which`, with how they do, in the order of their key. */
  const figures = (which: Statement.Fragment) =>
    sql<Row & Figures>`
      SELECT w.*, json_build_object('name', o.profile ->> 'name', 'status', o.status) AS organization, waits.waiting,
        to_iso(waits.next_at) AS next_attempt_at, ends.ended, ends.given_up, fault.told AS last_fault
      FROM (SELECT ${columns} FROM webhook_endpoint WHERE ${which}) w
      JOIN organization o ON o.org_id = w.org_id
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS waiting, min(due_at) AS next_at
        FROM (
          SELECT due_at FROM delivery WHERE org_id = w.org_id AND endpoint_id = w.id ORDER BY due_at
          LIMIT ${waitingCountedAtMost}
        ) d
      ) waits
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS ended, (count(*) FILTER (WHERE state = ANY(${failedStates}::text[])))::integer AS given_up
        FROM (${endedLately}) l
      ) ends
      LEFT JOIN LATERAL (
        SELECT json_build_object('state', f.state, 'lastStatus', a.status, 'lastError', coalesce(f.reason, a.error),
          'createdAt', to_iso(f.created_at)) AS told
        FROM (
          SELECT * FROM (${triedAgain}) t
          UNION ALL
          SELECT * FROM (${endedLately}) l WHERE state = ANY(${failedStates}::text[])
          ORDER BY created_at DESC, id LIMIT 1
        ) f
        LEFT JOIN LATERAL (
          SELECT status, error FROM delivery_attempt
          WHERE org_id = w.org_id AND delivery_id = f.id AND at >= f.created_at ORDER BY attempt DESC, at DESC LIMIT 1
        ) a ON true
      ) fault ON true
      ORDER BY w.org_id, w.id`

  const inOrder = <A>(looking: Effect.Effect<A, SqlError.SqlError>) =>
    transaction(sql, Effect.andThen(sql`SET LOCAL enable_sort = off`, looking))

  return {
    standings: Effect.fn("WebhookEndpoints.standings")(
      function*({ after, limit, lookAt, orgId, which }) {
        if (after !== null && !isUuid(after)) return { endpoints: [], next: null }
        const position = after === null ? sql`true` : sql`
        (w.org_id, w.id) > (SELECT org_id, id FROM webhook_endpoint WHERE id = ${after}::uuid)`
        const walked = yield* sql<{ readonly id: string; readonly chosen: boolean }>`
        SELECT w.id, ${isAsked[which]} AS chosen FROM (
          SELECT org_id, id, disabled_reason, consecutive_failures FROM webhook_endpoint w
          WHERE ${sql.literal(StandingEndpoints.stands)}
            AND ${orgId === null ? sql`true` : sql`org_id = ${orgId}`} AND ${position}
          ORDER BY org_id, id LIMIT ${lookAt}
        ) w ORDER BY w.org_id, w.id`
        const chosen = walked.flatMap(({ chosen, id }) => chosen ? [id] : [])
        const ids = chosen.slice(0, limit)
        const rows = ids.length === 0 ? [] : yield* figures(sql`id = ANY(${ids}::uuid[])`)
        const last = chosen.length > limit
          ? ids.at(-1)
          : walked.length === lookAt
          ? walked.at(-1)?.id
          : undefined
        return { endpoints: rows.map(toStanding), next: last ?? null }
      },
      inOrder,
      Effect.catchTag("SqlError", unavailable)
    ),

    standing: Effect.fn("WebhookEndpoints.standing")(
      function*(endpointId) {
        if (!isUuid(endpointId)) return Option.none()
        const rows = yield* figures(sql`id = ${endpointId}::uuid`)
        return Option.map(Array.head(rows), toStanding)
      },
      inOrder,
      Effect.catchTag("SqlError", unavailable)
    )
  }
}
