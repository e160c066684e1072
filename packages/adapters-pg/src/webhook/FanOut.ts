/**
 * Turns recorded events into deliveries: one to each endpoint that subscribes to the event and may hear of its subject.
 *
 * Organizations take turns, each with as many events as the others have, the oldest first; and changes that wait to become events do so
 * a batch at a time, when hardly any other event waits, or after some looks. So nobody waits until the others have nothing. What cannot
 * be handled now, of an organization that is suspended or moves to another cell, costs a glance at the first event, however many there are.
 *
 * One statement decides about each event, writes its deliveries and notes on the event what became of it. Nobody waits until that
 * is on the disk: a server that ends before has both undone, and whoever claims what was written waits for all of it.
 */
import type { PgClient } from "@effect/sql-pg"
import { switchedOn } from "@freehold/core/coverage/Territory"
import { Organization } from "@freehold/core/organization/Organization"
import { Array, Effect, Schema } from "effect"
import * as Arrivals from "../change/Arrivals.ts"
import { relaySome } from "../change/ChangeRelay.ts"

/** In so many looks, at least one batch of changes becomes events, whoever has much waiting. */
export const looksOfChanges = 10

const decodeOrganization = Schema.decodeUnknownEffect(Organization)

/** What has to become events first. */
const waiting = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ readonly arrivals: boolean; readonly changes: boolean }>`
      SELECT EXISTS (SELECT FROM cell_arrival) AS arrivals, EXISTS (SELECT FROM change_outbox) AS changes`,
    ([found]) => found ?? { arrivals: false, changes: false }
  )

/** The first `limit` organizations after that one of which an event waits; the profile of one that cannot be handled now is null. */
const inTurn = (sql: PgClient.PgClient, after: string, limit: number) =>
  sql<{ readonly org_id: string; readonly profile: unknown }>`
    WITH RECURSIVE turn AS (
      SELECT * FROM (
        SELECT e.org_id, 1 AS nth FROM event e
        WHERE e.status = 'pending' AND e.org_id > ${after} ORDER BY e.org_id LIMIT 1
      ) first
      UNION ALL
      SELECT n.org_id, t.nth + 1 FROM turn t CROSS JOIN LATERAL (
        SELECT e.org_id FROM event e WHERE e.status = 'pending' AND e.org_id > t.org_id ORDER BY e.org_id LIMIT 1
      ) n
      WHERE t.nth < ${limit}
    )
    SELECT t.org_id, CASE WHEN o.status = 'active' AND NOT EXISTS (
      SELECT FROM organization_move m WHERE m.org_id = t.org_id AND m.moved_at IS NULL
    ) THEN o.profile END AS profile
    FROM turn t JOIN organization o ON o.org_id = t.org_id
    ORDER BY t.nth`

/** The organizations of the events that were handled, of each at most `share`. */
const fanOutOf = Effect.fnUntraced(function*(
  sql: PgClient.PgClient,
  found: ReadonlyArray<{ readonly org_id: string; readonly profile: unknown }>,
  share: number
) {
  const areas = yield* Effect.forEach(
    found,
    (row) =>
      Effect.map(decodeOrganization(row.profile), (organization) => {
        const area = switchedOn(organization)
        return {
          org_id: row.org_id,
          signals: organization.features.signals,
          pushes: organization.features.full_crm_export,
          state_fips: area.stateFips,
          county_fips: area.countyFips
        }
      })
  )
  const handled = yield* sql<{ readonly org_id: string }>`
    WITH area AS MATERIALIZED (
      SELECT a.*, EXISTS (SELECT FROM webhook_endpoint w WHERE w.org_id = a.org_id AND w.active) AS hears
      FROM jsonb_to_recordset(${JSON.stringify(areas)}::jsonb)
        AS a(org_id text, signals boolean, pushes boolean, state_fips text[], county_fips text[])
      WHERE set_config('synchronous_commit', 'off', true) = 'off'
    ), due AS MATERIALIZED (
      SELECT e.org_id, e.id, e.type, e.property_id, e.test, e.partial, e.before_subscription, e.change_id,
        e.withdraws_event_id, e.type LIKE 'signal.%' AND e.type <> 'signal.withdrawn' AS tells_change,
        CASE WHEN e.subject_type = 'contact' THEN e.subject_id::uuid END AS contact_id
      FROM area a CROSS JOIN LATERAL (
        SELECT p.* FROM event p WHERE p.status = 'pending' AND p.org_id = a.org_id
        ORDER BY p.created_at LIMIT ${share}
        FOR UPDATE SKIP LOCKED
      ) e
    ), place AS MATERIALIZED (
      /* An event of a property that was merged away is sent for the last survivor. */
      WITH RECURSIVE heir AS (
        SELECT d.id AS event_id, d.property_id AS id FROM due d WHERE d.property_id IS NOT NULL
        UNION
        SELECT h.event_id, p.retired_into FROM heir h JOIN property p ON p.id = h.id WHERE p.retired_into IS NOT NULL
      )
      SELECT h.event_id, p.id, p.county_fips FROM heir h JOIN property p ON p.id = h.id WHERE p.retired_into IS NULL
    ), endpoint AS MATERIALIZED (
      SELECT w.org_id, w.id, w.events, w.target_key FROM area a JOIN webhook_endpoint w ON w.org_id = a.org_id
      WHERE w.active AND (w.crm IS NULL OR a.pushes)
    ), receiver AS MATERIALIZED (
      /*
       * That a change was taken back is told to those who were, or are being, sent the change, at an endpoint that
       * theirs replaced as well; no change to an organization that subscribed to changes only later.
       */
      SELECT d.id AS event_id, array_agg(w.id) AS endpoints
      FROM due d JOIN endpoint w ON w.org_id = d.org_id AND d.type = ANY(w.events)
      WHERE CASE
        WHEN d.type = 'signal.withdrawn' THEN EXISTS (
          SELECT FROM webhook_endpoint t WHERE t.org_id = w.org_id AND t.target_key = w.target_key AND (
            EXISTS (
              SELECT FROM delivery s
              WHERE s.org_id = d.org_id AND s.event_id = d.withdraws_event_id AND s.endpoint_id = t.id
                AND s.claim > 0
            ) OR delivery_was_tried(d.org_id, d.withdraws_event_id, t.id)
          )
        )
        WHEN d.tells_change THEN NOT d.before_subscription
        ELSE true
      END
      GROUP BY d.id
    ), verdict AS MATERIALIZED (
      SELECT d.*, p.id AS place_id, r.endpoints,
        CASE
          WHEN d.type = 'lead.changed' THEN 'record_only'
          WHEN d.property_id IS NOT NULL AND p.id IS NULL THEN 'property_retired'
          WHEN d.tells_change AND (
            EXISTS (SELECT FROM property_change w WHERE w.withdraws = d.change_id)
            OR EXISTS (SELECT FROM event w
              WHERE w.change_id = d.change_id AND w.org_id = d.org_id AND w.type = 'signal.withdrawn')
          ) THEN 'retracted_before_send'
          WHEN d.tells_change AND EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = d.contact_id)
            THEN 'owner_suppressed'
          WHEN d.tells_change AND NOT a.signals THEN 'signals_not_enabled'
          WHEN d.type <> 'signal.withdrawn' AND (
            d.property_id IS NOT NULL AND NOT in_area(p.county_fips, a.state_fips, a.county_fips)
            OR d.contact_id IS NOT NULL AND NOT EXISTS (
              SELECT FROM change_places(NULL, d.contact_id) AS c WHERE in_area(c, a.state_fips, a.county_fips)
            )
          ) THEN 'out_of_territory'
          WHEN NOT a.hears THEN 'no_active_endpoint'
          WHEN r.endpoints IS NULL THEN CASE
            WHEN NOT a.pushes AND EXISTS (
              SELECT FROM webhook_endpoint w
              WHERE w.org_id = d.org_id AND w.active AND w.crm IS NOT NULL AND d.type = ANY(w.events)
            ) THEN 'plan_not_eligible' ELSE 'no_subscriber'
          END
        END AS skip_reason
      FROM due d
      JOIN area a ON a.org_id = d.org_id
      LEFT JOIN place p ON p.event_id = d.id
      LEFT JOIN receiver r ON r.event_id = d.id
    ), made AS (
      INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, property_id, test, partial)
      SELECT uuid_of_now(), v.org_id, v.id, receiver, v.type, v.place_id, v.test, v.partial
      FROM verdict v CROSS JOIN unnest(v.endpoints) AS receiver
      WHERE v.skip_reason IS NULL
      ON CONFLICT (org_id, event_id, endpoint_id) DO NOTHING
    )
    UPDATE event e
    SET status = CASE WHEN v.skip_reason IS NULL THEN 'fanned_out' ELSE 'skipped' END, skip_reason = v.skip_reason,
      fanned_out_at = CASE WHEN v.skip_reason IS NULL THEN now() END
    FROM verdict v
    WHERE e.org_id = v.org_id AND e.id = v.id
    RETURNING e.org_id`
  return handled.map(({ org_id }) => org_id)
})

export const make = (sql: PgClient.PgClient) => {
  /** The organization that had its turn last; "": the first is next. */
  let last = ""
  /** Looks since changes became events. */
  let looks = 0

  /** How many events were handled, at most `limit`, and whether more may wait that could be. It ends where everybody had a turn. */
  const takeTurns = Effect.fnUntraced(function*(limit: number) {
    let isFromFirst = last === ""
    while (true) {
      const after = last
      const found = yield* inTurn(sql, after, limit)
      last = found.length < limit ? "" : found.at(-1)?.org_id ?? ""
      const open = found.filter(({ profile }) => profile !== null)
      const share = Math.floor(limit / Math.max(1, open.length))
      const handled = open.length === 0 ? [] : yield* fanOutOf(sql, open, share)
      if (handled.length > 0) {
        const isWhole = after === "" && last === ""
        const some = Object.values(Array.groupBy(handled, (orgId) => orgId))
        return { handled: handled.length, more: !isWhole || some.some((events) => events.length === share) }
      }
      if (isFromFirst && last === "") return { handled: 0, more: false }
      if (last === "") isFromFirst = true
    }
  })

  /** How many events were handled, at most `limit`, and how many changes became events; 0: nothing is left to do now. */
  const fanOut = Effect.fnUntraced(function*(limit: number) {
    const { arrivals, changes } = yield* waiting(sql)
    if (arrivals) yield* Arrivals.settle(sql)
    const { handled, more } = yield* takeTurns(limit)
    looks++
    if (!changes || more && looks < looksOfChanges) return handled
    looks = 0
    const relayed = yield* relaySome(sql)
    const others = handled === limit ? 0 : (yield* takeTurns(limit - handled)).handled
    return handled + relayed + others
  })

  return { fanOut }
}
