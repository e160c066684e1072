/**
 * `LeadFeed` over PostgreSQL.
 *
 * Nothing is skipped, however long a transaction that records an event takes: the table of events gives `created_at` so
 * that its order within an organization is that of the commits. The age that an event must have keeps nothing from being skipped, so it
 * is not asked for where the clock of the database ran ahead and was set back: all that an organization records from then on has times
 * that lie ahead, for as long as the clock was wrong.
 *
 * An event of a property that was merged shows the survivor. The merge gives it to that in the same transaction, but in a cell the
 * worker does, some time after the merge has arrived: who polls in between would never see it.
 */
import { type FeedItem, LeadFeed } from "@freehold/core/lead/LeadFeed"
import { Effect, Layer } from "effect"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"

interface FeedRow {
  readonly id: string
  readonly property_id: string
  readonly occurred_at: Date
  readonly created_at: Date
  /** Microseconds. */
  readonly position: string
}

/** So far the clocks of a database and of its standby may be apart: what lies further ahead was recorded by a clock that was wrong. */
const skew = "1 minute"

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
          SELECT e.id, p.id AS property_id, e.occurred_at, e.created_at,
            (extract(epoch FROM e.created_at) * 1000000)::bigint::text AS position
          FROM event e
          JOIN property o ON o.id = e.property_id
          JOIN property p ON p.id = coalesce(o.retired_into, o.id)
          WHERE e.org_id = ${orgId} AND e.type = 'lead.qualified' AND NOT e.test
            AND e.created_at <= greatest(
              to_timestamp(${recordedBefore}::double precision / 1000),
              (SELECT c.last_at FROM event_clock c WHERE c.org_id = ${orgId} AND c.last_at > now() + ${skew}::interval)
            )
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
