/**
 * `LeadFeed` over PostgreSQL.
 *
 * Nothing is skipped, however long a transaction that records an event takes: the table of events gives `created_at` so
 * that its order within an organization is that of the commits.
 */
import { type FeedItem, LeadFeed } from "@freehold/core/lead/LeadFeed"
import { Effect, Layer } from "effect"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import * as Visibility from "./internal/Visibility.ts"

interface FeedRow {
  readonly id: string
  readonly property_id: string
  readonly occurred_at: Date
  readonly created_at: Date
  /** Microseconds. */
  readonly position: string
}

const toItem = (row: FeedRow): FeedItem => ({
  event_id: row.id,
  property_id: row.property_id,
  event_type: "lead.qualified",
  qualified_at: row.occurred_at.toISOString(),
  created_at: row.created_at.toISOString()
})

export const layer: Layer.Layer<LeadFeed, never, Database.Reads> = Layer.effect(
  LeadFeed,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const { rowInArea } = Visibility.make(sql)

    return LeadFeed.of({
      page: Effect.fn("LeadFeed.page")(function*({ from, limit, orgId, recordedBefore, visible }) {
        const start = from._tag === "After"
          ? sql`AND (e.created_at, e.id) > (
              to_timestamp(0) + ${from.position.createdAt}::bigint * interval '1 microsecond', ${from.position.eventId}::uuid
            )`
          : from.since === null
          ? sql``
          : sql`AND e.created_at >= to_timestamp(${from.since}::double precision / 1000)`
        const rows = yield* sql<FeedRow>`
          SELECT e.id, e.property_id, e.occurred_at, e.created_at,
            (extract(epoch FROM e.created_at) * 1000000)::bigint::text AS position
          FROM event e
          JOIN property p ON p.id = e.property_id
          WHERE e.org_id = ${orgId} AND e.type = 'lead.qualified' AND NOT e.test
            AND e.created_at <= to_timestamp(${recordedBefore}::double precision / 1000)
            AND p.retired_into IS NULL
            AND ${rowInArea(visible)}
            ${start}
          ORDER BY e.created_at, e.id
          LIMIT ${limit + 1}`
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        return {
          items: shown.map(toItem),
          last: last === undefined ? null : { createdAt: last.position, eventId: last.id },
          hasMore: rows.length > limit
        }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
