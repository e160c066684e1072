/** `EventLog` over PostgreSQL. */
import { EventLog, type LoggedEvent } from "@freehold/core/event/EventLog"
import { Effect, Layer } from "effect"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

interface LoggedRow {
  readonly total: number
  /** null: there is none. */
  readonly logged: LoggedEvent | null
}

const record = `json_build_object('id', e.id, 'type', e.type, 'property_id', e.property_id,
  'subject_type', e.subject_type, 'subject_id', e.subject_id, 'withdraws_event_id', e.withdraws_event_id,
  'status', e.status, 'skip_reason', e.skip_reason, 'by_agent', e.by_agent,
  'occurred_at', ${isoTime("e.occurred_at")}, 'fanned_out_at', ${isoTime("e.fanned_out_at")}, 'test', e.test)`

const position =
  `json_build_object('occurredAt', (extract(epoch FROM e.occurred_at) * 1000000)::bigint::text, 'eventId', e.id)`

export const layer: Layer.Layer<EventLog, never, Database.Reads> = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const { rowInArea } = Visibility.make(sql)
    const logged = sql.literal(`json_build_object('event', ${record}, 'position', ${position})`)
    return EventLog.of({
      recent: Effect.fn("EventLog.recent")(function*(orgId, { after, limit, signals, since, type, visible }) {
        const within = visible === null ? sql`` : sql`
          AND EXISTS (
            SELECT FROM property p WHERE p.id = e.property_id AND ${rowInArea(visible)}
          )`
        const found = sql`
          FROM event e
          WHERE e.org_id = ${orgId} AND e.occurred_at >= to_timestamp(${since}::double precision / 1000)
            ${type === null ? sql`` : sql`AND e.type = ${type}`}
            ${signals ? sql`` : sql`AND NOT starts_with(e.type, 'signal.')`} ${within}`
        const occurredAt = sql`timestamptz 'epoch' + ${after?.occurredAt ?? null}::bigint * interval '1 microsecond'`
        const older = after === null ? sql`` : sql`
          AND e.occurred_at <= ${occurredAt} AND (e.occurred_at < ${occurredAt} OR e.id > ${after.eventId}::uuid)`
        const rows = yield* sql<LoggedRow>`
          SELECT counted.total, page.logged
          FROM (SELECT count(*)::integer AS total ${found}) counted
          LEFT JOIN LATERAL (
            SELECT ${logged} AS logged ${found} ${older} ORDER BY e.occurred_at DESC, e.id LIMIT ${limit}
          ) page ON true`
        return { events: rows.flatMap(({ logged }) => logged ?? []), total: rows[0]?.total ?? 0 }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
