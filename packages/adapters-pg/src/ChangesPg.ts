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
import { Array, Effect, Layer, Option } from "effect"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { isoTime } from "./PropertyRowPg.ts"

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
}

export const layer: Layer.Layer<Changes, never, Database.Reads> = Layer.effect(
  Changes,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const shown = sql.literal(columns)
    const subjects = sql.literal(subject)
    const yes = sql.literal("true")

    return Changes.of({
      list: Effect.fn("Changes.list")(
        function*({ after, kinds, limit, orgId, since, subject, visible }) {
          const inArea = (alias: "p" | "place") =>
            visible.nationwide
              ? yes
              : sql`in_area(${
                sql.literal(alias)
              }.county_fips, ${visible.stateFips}::text[], ${visible.countyFips}::text[])`
          const about = subject === null
            ? yes
            : subject.type === "property"
            ? sql`c.property_id IN (
                SELECT id FROM property WHERE id = ${subject.id}::uuid OR retired_into = ${subject.id}::uuid
              )`
            : sql`c.contact_id = ${subject.id}::uuid`
          const rows = yield* sql<ChangeRow>`
            SELECT ${shown}
            FROM (SELECT ${orgId}::text AS org_id) AS reader CROSS JOIN property_change c ${subjects}
            WHERE c.kind = ANY(${kinds}::text[]) AND ${about}
              AND c.detected_at >= to_timestamp(${since}::double precision / 1000)
              AND ${
            after === null
              ? yes
              : sql`(c.detected_at, c.id) < (
                  timestamptz 'epoch' + ${after.detectedAt}::bigint * interval '1 microsecond', ${after.signalId}::uuid
                )`
          }
              AND CASE WHEN c.property_id IS NULL THEN EXISTS (
                SELECT FROM property_contact t JOIN property place ON place.id = t.property_id
                WHERE t.contact_id = c.contact_id AND place.retired_into IS NULL AND ${inArea("place")}
              ) ELSE ${inArea("p")} END
            ORDER BY c.detected_at DESC, c.id DESC LIMIT ${limit}`.unprepared
          return rows.map((row): ListedChange => ({
            ...changeOf(row),
            eventId: row.event_id,
            position: { detectedAt: row.position, signalId: row.id }
          }))
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      ofEvent: Effect.fn("Changes.ofEvent")(function*(orgId, eventId) {
        const rows = yield* sql<EventRow>`
          SELECT ${shown}, ${
          sql.literal(isoTime("e.occurred_at"))
        } AS told_at, e.withdraws_event_id, e.withdrawal_reason,
            ARRAY(SELECT change_places(c.property_id, c.contact_id)) AS counties,
            EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = c.contact_id) AS person_suppressed
          FROM (SELECT ${orgId}::text AS org_id) AS reader
          JOIN event e ON e.org_id = reader.org_id AND e.id = ${eventId}::uuid
          JOIN property_change c ON c.id = e.change_id ${subjects}`
        return Option.map(Array.head(rows), (row): SignalEvent => ({
          eventId,
          occurredAt: row.told_at,
          change: changeOf(row),
          withdraws: row.withdraws_event_id === null || row.withdrawal_reason === null
            ? null
            : { eventId: row.withdraws_event_id, reason: row.withdrawal_reason },
          counties: row.counties,
          personSuppressed: row.person_suppressed
        }))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
