/**
 * `Deliveries` over PostgreSQL.
 *
 * The hot table `delivery` holds what waits or is being sent; what is finished moves to `delivery_log` in the statement
 * that records how it ended. All time is the database's, so that the clocks of the workers do not matter.
 *
 * Work is noticed in three ways: a notification when an event is recorded, a timer to the nearest delivery that comes
 * due, and the `atMost` of `awaitWork` behind both. Notifications are heard on a connection of their own; when that is
 * lost it is opened anew, and the caller is woken, since something may have happened meanwhile.
 *
 * What arrived is booked in the transaction that records it, with the day and the month of this machine's clock, like
 * every other use of a limit.
 */
import { PgClient } from "@effect/sql-pg"
import { Organization } from "@freehold/core/access/Organization"
import { switchedOn } from "@freehold/core/coverage/Territory"
import { Ledger } from "@freehold/core/credit/Ledger"
import {
  type AttemptOutcome,
  type AttemptRecord,
  type ClaimedDelivery,
  Deliveries
} from "@freehold/core/webhook/Deliveries"
import * as DeliveryMeter from "@freehold/core/webhook/DeliveryMeter"
import { maximumAttempts, maximumConsecutiveFailures } from "@freehold/core/webhook/RetryPolicy"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Array, Clock, Duration, Effect, Exit, Layer, Option, Queue, Schema } from "effect"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { relay } from "./internal/ChangeRelay.ts"
import { transaction } from "./internal/Transaction.ts"
import { secretContext } from "./WebhookEndpointsPg.ts"

interface ClaimRow {
  /** When the claim was made, in full precision; every row carries it. */
  readonly asked: string
  readonly asked_millis: number
  /** null: nothing was claimed. */
  readonly delivery_id: string | null
  readonly event_id: string
  readonly endpoint_id: string
  readonly include_evidence: boolean
  readonly claim: number
  readonly attempt: number
  readonly delivered: boolean
  readonly url: string
  readonly secret_sealed: Uint8Array
  readonly previous_secret_sealed: Uint8Array | null
  readonly event_type: string
  readonly test: boolean
  readonly org_id: string
  /** On one row of each organization. */
  readonly profile: unknown
  /** The last survivor of a property that was merged meanwhile. */
  readonly heir_id: string | null
  readonly partial: boolean
  readonly data: string | null
}

/** An outcome in the columns that `delivery_complete` reads. */
const toColumns = (outcome: AttemptOutcome) => {
  switch (outcome._tag) {
    case "Delivered":
      return { outcome: "delivered", status: outcome.status }
    case "Gone":
      return { outcome: "gone", status: 410 }
    case "Failed":
      return { outcome: "failed", status: outcome.status, reason: outcome.reason }
    case "Blocked":
      return { outcome: "blocked", reason: outcome.reason }
    case "Postponed":
      return { outcome: "postponed", state: outcome.state, reason: outcome.reason, until: outcome.until }
    case "Cancelled":
      return { outcome: "cancelled", state: outcome.state, reason: outcome.reason }
  }
}

const isDelivered = ({ outcome }: AttemptRecord): boolean => outcome._tag === "Delivered"

const decodeOrganization = Schema.decodeUnknownEffect(Organization)

/** Receivers refuse a signature that is five minutes off, and the signature carries this machine's time. */
const skewLimit = 60_000

const listenAgainAfter = "1 second"

/** Fills `wakes` with a mark for each notification, for as long as the scope lives. */
const listen = Effect.fnUntraced(function*(sql: PgClient.PgClient, wakes: Queue.Queue<void>) {
  let silent = false
  const session = Effect.scoped(Effect.gen(function*() {
    const notifications = yield* sql.listen("freehold_event")
    if (silent) yield* Effect.logInfo("listening for events again")
    silent = false
    // What was recorded before the listening began was not heard.
    yield* Queue.offer(wakes, undefined)
    return yield* Effect.forever(Effect.andThen(Queue.takeAll(notifications), Queue.offer(wakes, undefined)))
  }))
  return yield* session.pipe(
    Effect.catchTag("SqlError", (error) => {
      const first = !silent
      silent = true
      return Effect.andThen(
        first
          ? Effect.logWarning("not listening for events; looking for work at intervals meanwhile", error.message)
          : Effect.void,
        Effect.sleep(listenAgainAfter)
      )
    }),
    Effect.forever
  )
})

export const layer: Layer.Layer<
  Deliveries,
  never,
  PgClient.PgClient | Database.Pipeline | Ledger | Sealer
> = Layer.effect(
  Deliveries,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const pipeline = yield* Database.Pipeline
    const ledger = yield* Ledger
    const sealer = yield* Sealer
    const wakes = yield* Queue.sliding<void>(1)
    yield* Effect.forkScoped(listen(sql, wakes))

    /** Deliveries that came due until then were seen by a claim. */
    let askedUntil = "-infinity"
    let skewed = false
    /** The revisions of the organizations at the last look. */
    let reconsidered: ReadonlyMap<string, string> = new Map()

    const watchClock = Effect.fnUntraced(function*(databaseMillis: number) {
      const skew = (yield* Clock.currentTimeMillis) - databaseMillis
      const wasSkewed = skewed
      skewed = Math.abs(skew) > skewLimit
      if (skewed && !wasSkewed) {
        yield* Effect.logWarning(
          `this machine's clock is ${Math.round(skew / 1000)} s off the database's; receivers may refuse signatures`
        )
      }
    })

    /** None when the secret does not open: one endpoint's trouble is not that of the others. */
    const openSecrets = Effect.fnUntraced(function*(row: ClaimRow) {
      const sealed = row.previous_secret_sealed === null
        ? [row.secret_sealed]
        : [row.secret_sealed, row.previous_secret_sealed]
      const opened = yield* Effect.exit(
        Effect.forEach(sealed, (value) => sealer.open(value, secretContext(row.endpoint_id)))
      )
      if (Exit.isSuccess(opened)) return Option.some(opened.value)
      yield* Effect.logError(
        `cannot open the signing secret of webhook endpoint ${row.endpoint_id}; is the encryption key the one it was made with?`
      )
      return Option.none()
    })

    /** Records outcomes; those of one endpoint in their order. */
    const record = Effect.fnUntraced(function*(
      records: ReadonlyArray<AttemptRecord>,
      retryDelays: ReadonlyArray<Duration.Duration>
    ) {
      const columns = records.map((each, turn) => ({
        id: each.deliveryId,
        claim: each.claim,
        turn,
        duration: Math.round(each.durationMillis),
        ...toColumns(each.outcome)
      }))
      const disabled = yield* sql<{ readonly endpoint_id: string; readonly disabled_reason: string }>`
        SELECT * FROM delivery_complete(
          ${JSON.stringify(columns)}::jsonb,
          ${retryDelays.map((delay) => String(Duration.toMillis(delay)))}::text[]::double precision[],
          ${maximumAttempts}::integer, ${maximumConsecutiveFailures}::integer
        )`
      for (const endpoint of disabled) {
        yield* Effect.logWarning(`webhook endpoint ${endpoint.endpoint_id} was disabled: ${endpoint.disabled_reason}`)
      }
    })

    /**
     * Records the outcomes of one organization's deliveries and books those that arrived, in one transaction: first the
     * rows of deliveries, then the organization's account. Nobody who holds an account waits for a delivery.
     */
    const recordAndBook = (
      orgId: string,
      records: ReadonlyArray<AttemptRecord>,
      retryDelays: ReadonlyArray<Duration.Duration>
    ) =>
      transaction(
        sql,
        Effect.gen(function*() {
          yield* record(records, retryDelays)
          const delivered = records.filter(isDelivered).map(({ deliveryId }) => deliveryId)
          const booked = yield* sql<{
            readonly id: string
            readonly property_id: string | null
            readonly data: string | null
            readonly profile: unknown
          }>`
            WITH arrived AS (
              SELECT l.id, l.property_id, l.data FROM delivery_log l
              WHERE l.id = ANY(${delivered}::uuid[]) AND l.org_id = ${orgId} AND l.state = 'delivered'
                AND l.event_type = 'lead.qualified' AND NOT l.test
            ), booked AS (
              INSERT INTO delivery_booked (org_id, delivery_id) SELECT ${orgId}, a.id FROM arrived a
              ON CONFLICT DO NOTHING RETURNING delivery_id
            )
            SELECT a.id, a.property_id, a.data, o.profile
            FROM arrived a JOIN booked b ON b.delivery_id = a.id JOIN organization o ON o.org_id = ${orgId}
            ORDER BY a.id`
          const [first] = booked
          if (first === undefined) return
          yield* DeliveryMeter.book(
            yield* decodeOrganization(first.profile),
            booked.map(({ data, id, property_id: propertyId }) => ({ deliveryId: id, propertyId, data })),
            yield* Clock.currentTimeMillis
          )
        })
      ).pipe(Effect.provideService(Ledger, ledger))

    const changesWait = Effect.map(
      sql<{ readonly waiting: boolean }>`SELECT EXISTS (SELECT FROM change_outbox) AS waiting`,
      ([found]) => found?.waiting === true
    )

    return Deliveries.of({
      fanOut: Effect.fn("Deliveries.fanOut")(function*(limit) {
        if (yield* changesWait) yield* relay(sql)
        const found = yield* sql<{ readonly org_id: string; readonly profile: unknown }>`
          WITH pending AS (
            SELECT e.org_id FROM event e JOIN organization o ON o.org_id = e.org_id
            WHERE e.status = 'pending' AND o.status = 'active'
            ORDER BY e.created_at LIMIT ${limit}
          )
          SELECT org_id, profile FROM organization WHERE org_id IN (SELECT org_id FROM pending)`
        if (found.length === 0) return 0
        const areas = yield* Effect.forEach(
          found,
          (row) =>
            Effect.map(decodeOrganization(row.profile), (organization) => {
              const area = switchedOn(organization)
              return {
                org_id: row.org_id,
                signals: organization.features.signals,
                state_fips: area.stateFips,
                county_fips: area.countyFips
              }
            })
        )
        const handled = yield* sql`
          WITH area AS MATERIALIZED (
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(areas)}::jsonb)
              AS a(org_id text, signals boolean, state_fips text[], county_fips text[])
          ), due AS MATERIALIZED (
            SELECT e.org_id, e.id, e.type, e.property_id, e.test, e.partial, e.created_at, e.change_id,
              e.withdraws_event_id, e.type LIKE 'signal.%' AND e.type <> 'signal.withdrawn' AS tells_change,
              CASE WHEN e.subject_type = 'contact' THEN e.subject_id::uuid END AS contact_id
            FROM event e
            WHERE e.status = 'pending' AND e.org_id IN (SELECT org_id FROM area)
            ORDER BY e.created_at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          ), place AS MATERIALIZED (
            /* An event of a property that was merged away is sent for the last survivor. */
            WITH RECURSIVE heir AS (
              SELECT d.id AS event_id, d.property_id AS id FROM due d WHERE d.property_id IS NOT NULL
              UNION
              SELECT h.event_id, p.retired_into FROM heir h JOIN property p ON p.id = h.id WHERE p.retired_into IS NOT NULL
            )
            SELECT h.event_id, p.id, p.county_fips FROM heir h JOIN property p ON p.id = h.id WHERE p.retired_into IS NULL
          ), receiver AS MATERIALIZED (
            /*
             * That a change was taken back is told to those who were, or are being, sent the change; no change to an
             * organization that subscribed to changes only later.
             */
            SELECT d.id AS event_id, w.id AS endpoint_id
            FROM due d JOIN webhook_endpoint w ON w.org_id = d.org_id AND w.active AND d.type = ANY(w.events)
            WHERE CASE
              WHEN d.type = 'signal.withdrawn' THEN EXISTS (
                SELECT FROM delivery s WHERE s.event_id = d.withdraws_event_id AND s.endpoint_id = w.id
                  AND (s.attempts + s.resends > 0 OR s.data IS NOT NULL OR s.claimed_until > now())
              ) OR EXISTS (
                SELECT FROM delivery_log s
                WHERE s.event_id = d.withdraws_event_id AND s.endpoint_id = w.id AND s.attempts + s.resends > 0
              )
              WHEN d.tells_change THEN d.created_at >= (
                SELECT min(f.created_at) FROM webhook_endpoint f
                WHERE f.org_id = d.org_id AND EXISTS (SELECT FROM unnest(f.events) AS s WHERE s LIKE 'signal.%')
              )
              ELSE true
            END
          ), verdict AS MATERIALIZED (
            SELECT d.*, p.id AS place_id,
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
                WHEN NOT EXISTS (
                  SELECT 1 FROM webhook_endpoint w WHERE w.org_id = d.org_id AND w.active
                ) THEN 'no_active_endpoint'
                WHEN NOT EXISTS (SELECT FROM receiver r WHERE r.event_id = d.id) THEN 'no_subscriber'
              END AS skip_reason
            FROM due d
            JOIN area a ON a.org_id = d.org_id
            LEFT JOIN place p ON p.event_id = d.id
          ), made AS (
            INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, property_id, test, partial)
            SELECT gen_random_uuid(), v.org_id, v.id, r.endpoint_id, v.type, v.place_id, v.test, v.partial
            FROM verdict v JOIN receiver r ON r.event_id = v.id
            WHERE v.skip_reason IS NULL
            ON CONFLICT (event_id, endpoint_id) DO NOTHING
          )
          UPDATE event e
          SET status = CASE WHEN v.skip_reason IS NULL THEN 'fanned_out' ELSE 'skipped' END, skip_reason = v.skip_reason,
            fanned_out_at = CASE WHEN v.skip_reason IS NULL THEN now() END
          FROM verdict v
          WHERE e.org_id = v.org_id AND e.id = v.id
          RETURNING e.id`
        return handled.length
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      claim: Effect.fn("Deliveries.claim")(function*({ lease, limit, perEndpoint }) {
        const rows = yield* sql<ClaimRow>`
          SELECT now()::text AS asked, extract(epoch FROM clock_timestamp())::double precision * 1000 AS asked_millis, c.*,
            d.event_id, d.delivered_at IS NOT NULL AS delivered, w.include_evidence, coalesce(p.retired_into, p.id) AS heir_id,
            CASE WHEN row_number() OVER (PARTITION BY c.org_id) = 1 THEN o.profile END AS profile
          FROM (VALUES (1)) AS once
          LEFT JOIN delivery_claim(
            ${limit}::integer, ${perEndpoint}::integer, ${
          Duration.toMillis(lease)
        }::double precision * interval '1 millisecond'
          ) c ON true
          LEFT JOIN organization o ON o.org_id = c.org_id
          LEFT JOIN delivery d ON d.id = c.delivery_id
          LEFT JOIN webhook_endpoint w ON w.id = c.endpoint_id
          LEFT JOIN property p ON p.id = c.property_id`
        const [first] = rows
        if (first !== undefined) {
          askedUntil = first.asked
          yield* watchClock(first.asked_millis)
        }
        const organizations = new Map<string, Organization>()
        for (const row of rows) {
          if (row.profile !== null) organizations.set(row.org_id, yield* decodeOrganization(row.profile))
        }
        const claimed = yield* Effect.forEach(rows, (row) =>
          Effect.gen(function*() {
            const organization = organizations.get(row.org_id)
            if (row.delivery_id === null || organization === undefined) return []
            const secrets = yield* openSecrets(row)
            if (Option.isNone(secrets)) return []
            const delivery: ClaimedDelivery = {
              deliveryId: row.delivery_id,
              eventId: row.event_id,
              includeEvidence: row.include_evidence,
              endpointId: row.endpoint_id,
              claim: row.claim,
              attempt: row.attempt,
              delivered: row.delivered,
              url: row.url,
              secrets: secrets.value,
              eventType: row.event_type,
              test: row.test,
              organization,
              propertyId: row.heir_id,
              partial: row.partial,
              data: row.data
            }
            return [delivery]
          }))
        return claimed.flat()
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      storeData: Effect.fn("Deliveries.storeData")(function*(deliveryId, claim, data) {
        const [row] = yield* sql<{ readonly data: string }>`
          UPDATE delivery SET data = coalesce(data, ${data}::text)
          WHERE id = ${deliveryId}::uuid AND claim = ${claim} AND claimed_until IS NOT NULL
          RETURNING data`
        return Option.map(Option.fromUndefinedOr(row), (stored) => stored.data)
      }, Effect.catchTag("SqlError", unavailable)),

      complete: Effect.fn("Deliveries.complete")(
        function*(records, retryDelays) {
          if (records.length === 0) return
          if (!records.some(isDelivered)) return yield* record(records, retryDelays)
          const owners = yield* sql<{ readonly id: string; readonly org_id: string }>`
            SELECT id, org_id FROM delivery WHERE id = ANY(${records.map(({ deliveryId }) => deliveryId)}::uuid[])`
          const ownerOf = new Map(owners.map(({ id, org_id }) => [id, org_id]))
          // What belongs to one endpoint stays together and in its order.
          const byOrganization = Array.groupBy(records, ({ deliveryId }) => ownerOf.get(deliveryId) ?? "")
          yield* Effect.forEach(
            Object.entries(byOrganization),
            ([orgId, ofOrganization]) =>
              ofOrganization.some(isDelivered)
                ? recordAndBook(orgId, ofOrganization, retryDelays)
                : record(ofOrganization, retryDelays)
          )
        },
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })
      ),

      reconsider: Effect.gen(function*() {
        const found = yield* sql<{ readonly org_id: string; readonly revision: string }>`
          SELECT o.org_id, o.revision::text AS revision FROM organization o
          WHERE o.org_id IN (SELECT d.org_id FROM delivery d WHERE d.state = 'postponed_daily_limit')`
        const before = reconsidered
        reconsidered = new Map(found.map(({ org_id, revision }) => [org_id, revision]))
        const changed = found.filter(({ org_id, revision }) => before.get(org_id) !== revision)
        if (changed.length === 0) return 0
        const due = yield* sql`
          UPDATE delivery SET due_at = now()
          WHERE state = 'postponed_daily_limit' AND due_at > now()
            AND org_id = ANY(${changed.map(({ org_id }) => org_id)}::text[])
          RETURNING id`
        return due.length
      }).pipe(Effect.catchTag("SqlError", unavailable), Effect.withSpan("Deliveries.reconsider")),

      awaitWork: Effect.fn("Deliveries.awaitWork")(function*(atMost) {
        // Pipelined, so that interrupting the wait needs no cancellation on the server.
        const [row] = yield* pipeline<{ readonly millis: number | null }>`
          SELECT (extract(epoch FROM (SELECT min(due_at) FROM delivery WHERE due_at > ${askedUntil}::timestamptz) - now())
            * 1000)::double precision AS millis`
        const nearest = row === undefined || row.millis === null ? atMost : Duration.millis(Math.max(0, row.millis))
        yield* Effect.raceFirst(Queue.take(wakes), Effect.sleep(Duration.min(nearest, atMost)))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
