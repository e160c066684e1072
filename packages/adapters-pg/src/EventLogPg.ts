/** `EventLog` over PostgreSQL. */
import { EventLog, type EventRecord } from "@freehold/core/event/EventLog"
import { Effect, Layer } from "effect"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import * as Visibility from "./internal/Visibility.ts"
import { isoTime } from "./PropertyRowPg.ts"

interface LoggedRow {
  readonly total: number
  /** null: there is none. */
  readonly event: EventRecord | null
}

const record = `json_build_object('id', e.id, 'type', e.type, 'property_id', e.property_id,
  'subject_type', e.subject_type, 'subject_id', e.subject_id, 'withdraws_event_id', e.withdraws_event_id,
  'status', e.status, 'skip_reason', e.skip_reason, 'by_agent', e.by_agent,
  'occurred_at', ${isoTime("e.occurred_at")}, 'fanned_out_at', ${isoTime("e.fanned_out_at")}, 'test', e.test)`

export const layer: Layer.Layer<EventLog, never, Database.Reads> = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const { rowInArea } = Visibility.make(sql)
    const event = sql.literal(record)
    return EventLog.of({
      recent: Effect.fn("EventLog.recent")(function*(orgId, { limit, signals, since, type, visible }) {
        const within = visible === null ? sql`` : sql`
          AND EXISTS (
            SELECT FROM property p WHERE p.id = e.property_id AND ${rowInArea(visible)}
          )`
        const found = sql`
          FROM event e
          WHERE e.org_id = ${orgId} AND e.occurred_at >= to_timestamp(${since}::double precision / 1000)
            ${type === null ? sql`` : sql`AND e.type = ${type}`}
            ${signals ? sql`` : sql`AND NOT starts_with(e.type, 'signal.')`} ${within}`
        const rows = yield* sql<LoggedRow>`
          SELECT counted.total, page.event
          FROM (SELECT count(*)::integer AS total ${found}) counted
          LEFT JOIN LATERAL (
            SELECT ${event} AS event ${found} ORDER BY e.occurred_at DESC, e.id LIMIT ${limit}
          ) page ON true`
        return { events: rows.flatMap(({ event }) => event ?? []), total: rows[0]?.total ?? 0 }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
