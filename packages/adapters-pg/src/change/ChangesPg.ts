/** `Changes` over PostgreSQL: one statement each. */
import {
  type Change,
  Changes,
  type ChangeSide,
  type ListedChange,
  type SignalEvent,
  type WithdrawalReason
} from "@freehold/core/change/Changes"
import type { SignalKind } from "@freehold/core/change/SignalKind"
import { Effect, Layer, Option } from "effect"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as Together from "../database/Together.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

interface ChangeRow {
  readonly id: string
  readonly kind: SignalKind
  readonly property_id: string | null
  readonly contact_id: string
  readonly detected_at: string
  readonly position: string
  readonly effective_date: string | null
  readonly source: Change["source"]
  readonly before: ChangeSide | null
  readonly after: ChangeSide | null
  readonly suppressed_before: boolean
  readonly suppressed_after: boolean
  readonly county_fips: string | null
  readonly unlocked: boolean
  readonly withdrawn: boolean
  readonly event_id: string | null
}

const suppressed = (side: "before" | "after"): string =>
  `(c.kind = 'ownership_transfer' AND (
  EXISTS (SELECT FROM suppressed_property s WHERE s.property_id = p.id)
  OR EXISTS (SELECT FROM suppressed_owner s WHERE s.name_key = owner_name_key(c.${side} ->> 'value'))))`

/** Of `c` (property_change) and `p` (its property), as `reader` sees them. */
const columns = `c.id, c.kind, p.id AS property_id, c.contact_id, ${isoTime("c.detected_at")} AS detected_at,
  (extract(epoch FROM c.detected_at) * 1000000)::bigint::text AS position, c.effective_date::text AS effective_date,
  c.source, c.before, c.after, ${suppressed("before")} AS suppressed_before, ${suppressed("after")} AS suppressed_after,
  p.county_fips,
  EXISTS (SELECT FROM property_access a
    WHERE a.org_id = reader.org_id AND a.property_id = p.id AND a.source = 'paid') AS unlocked,
  EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id) OR EXISTS (SELECT FROM event w
    WHERE w.change_id = c.id AND w.org_id = reader.org_id AND w.type = 'signal.withdrawn') AS withdrawn,
  (SELECT told.id FROM event told
    WHERE told.change_id = c.id AND told.org_id = reader.org_id AND told.type <> 'signal.withdrawn') AS event_id`

/** A change stands with the last survivor of its property. */
const subject = `LEFT JOIN property own ON own.id = c.property_id
  LEFT JOIN property p ON p.id = coalesce(own.retired_into, own.id)`

const changeOf = (row: ChangeRow): Change => ({
  signalId: row.id,
  kind: row.kind,
  subject: row.property_id === null
    ? { type: "contact", id: row.contact_id }
    : { type: "property", id: row.property_id },
  detectedAt: row.detected_at,
  effectiveDate: row.effective_date,
  source: row.source,
  before: row.before,
  after: row.after,
  suppressed: { before: row.suppressed_before, after: row.suppressed_after },
  countyFips: row.county_fips,
  unlocked: row.unlocked,
  withdrawn: row.withdrawn
})

interface EventRow extends ChangeRow {
  readonly told_at: string
  readonly withdraws_event_id: string | null
  readonly withdrawal_reason: WithdrawalReason | null
  readonly counties: ReadonlyArray<string>
  readonly person_suppressed: boolean
  /** Of the question, from 1. */
  readonly place: number
}

interface EventId {
  readonly orgId: string
  readonly eventId: string
}

const keyOf = ({ eventId, orgId }: EventId): string => `${orgId} ${eventId}`

export const layer: Layer.Layer<Changes, never, Database.Reads> = Layer.effect(
  Changes,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const shown = sql.literal(columns)
    const subjects = sql.literal(subject)

    /** Webhooks are built many at a time; those of one event ask for the same. */
    const ofEvent = Together.make(
      Effect.fn("Changes.ofEvent")(function*(asked: ReadonlyArray<EventId>) {
        const events = [...new Map(asked.map((each) => [keyOf(each), each])).values()]
        const rows = yield* sql<EventRow>`
          SELECT ${shown}, ${
          sql.literal(isoTime("e.occurred_at"))
        } AS told_at, e.withdraws_event_id, e.withdrawal_reason, reader.place::integer AS place,
            CASE WHEN c.contact_id IS NULL THEN array_remove(ARRAY[p.county_fips], NULL)
              ELSE ARRAY(SELECT change_places(c.property_id, c.contact_id)) END AS counties,
            EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = c.contact_id) AS person_suppressed
          FROM unnest(${events.map(({ orgId }) => orgId)}::text[], ${events.map(({ eventId }) => eventId)}::uuid[])
            WITH ORDINALITY AS reader (org_id, event_id, place)
          JOIN event e ON e.org_id = reader.org_id AND e.id = reader.event_id
          JOIN property_change c ON c.id = e.change_id ${subjects}`
        const found = new Map(rows.map((row) => [row.place - 1, row]))
        const places = new Map(events.map((each, place) => [keyOf(each), place]))
        return asked.map((each) =>
          Option.map(Option.fromUndefinedOr(found.get(places.get(keyOf(each)) ?? -1)), (row): SignalEvent => ({
            eventId: each.eventId,
            occurredAt: row.told_at,
            change: changeOf(row),
            withdraws: row.withdraws_event_id === null || row.withdrawal_reason === null
              ? null
              : { eventId: row.withdraws_event_id, reason: row.withdrawal_reason },
            counties: row.counties,
            personSuppressed: row.person_suppressed
          }))
        )
      }, Effect.catchTag("SqlError", unavailable)),
      100
    )

    return Changes.of({
      list: Effect.fn("Changes.list")(
        function*({ after, kinds, limit, orgId, since, subject, visible }) {
          const seen = Visibility.make(sql)
          const wanted = sql.and([
            sql`c.kind = ANY(${kinds}::text[])`,
            sql`c.detected_at >= to_timestamp(${since}::double precision / 1000)`,
            ...after === null ? [] : [sql`(c.detected_at, c.id) < (
              timestamptz 'epoch' + ${after.detectedAt}::bigint * interval '1 microsecond', ${after.signalId}::uuid
            )`]
          ])
          const newest = sql`ORDER BY c.detected_at DESC, c.id DESC LIMIT ${limit}`
          const person = sql`SELECT c.id, c.detected_at FROM property_change c
            WHERE ${wanted} AND c.property_id IS NULL AND c.contact_id IS NOT NULL AND EXISTS (
              SELECT FROM property_contact pc WHERE pc.contact_id = c.contact_id AND pc.county_fips IS NOT NULL
                AND ${Visibility.make(sql, Visibility.personTie).inArea(visible)}
            )`
          // Of each county the newest alone: however much changed elsewhere, nobody looks at it.
          const found = subject === null
            ? sql`(
                SELECT c.id, c.detected_at
                FROM (
                  SELECT unnest(${visible.countyFips}::text[]) AS county_fips
                  UNION SELECT p.county_fips FROM county p WHERE ${seen.inArea(visible)}
                ) place
                CROSS JOIN LATERAL (
                  SELECT c.id, c.detected_at FROM property_change c
                  WHERE c.county_fips = place.county_fips AND ${wanted} ${newest}
                ) c
              ) UNION ALL (${person} ${newest})`
            : subject.type === "property"
            ? sql`SELECT c.id, c.detected_at FROM property_change c JOIN property p ON p.county_fips = c.county_fips
                WHERE p.id = ${subject.id}::uuid AND ${wanted} AND ${seen.inArea(visible)} AND c.property_id IN (
                  SELECT id FROM property WHERE id = ${subject.id}::uuid OR retired_into = ${subject.id}::uuid
                )`
            : sql`${person} AND c.contact_id = ${subject.id}::uuid`
          const rows = yield* sql<ChangeRow>`
            SELECT ${shown}
            FROM (SELECT ${orgId}::text AS org_id) AS reader
            CROSS JOIN (SELECT c.id FROM (${found}) AS c ${newest}) AS found
            JOIN property_change c ON c.id = found.id ${subjects}
            ORDER BY c.detected_at DESC, c.id DESC`.unprepared
          return rows.map((row): ListedChange => ({
            ...changeOf(row),
            eventId: row.event_id,
            position: { detectedAt: row.position, signalId: row.id }
          }))
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      ofEvent: (orgId, eventId) => ofEvent({ orgId, eventId })
    })
  })
)
