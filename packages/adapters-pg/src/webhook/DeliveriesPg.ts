/**
 * `Deliveries` over PostgreSQL.
 *
 * The hot table `delivery` holds what waits or is being sent; what is finished moves to `delivery_log` in the statement
 * that records how it ended (`DeliveryOutcomes`). All time is the database's, so that the clocks of the workers do not
 * matter.
 *
 * Work is noticed in three ways: a notification when an event is recorded, a timer to the nearest delivery that comes
 * due, and the `atMost` of `awaitWork` behind both.
 */
import { PgClient } from "@effect/sql-pg"
import { Ledger } from "@freehold/core/credit/Ledger"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Organization } from "@freehold/core/organization/Organization"
import type { CrmSettings } from "@freehold/core/webhook/CrmSettings"
import { type ClaimedDelivery, Deliveries, type DeliveryClaim } from "@freehold/core/webhook/Deliveries"
import * as Reconsidered from "@freehold/core/webhook/Reconsidered"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Clock, Duration, Effect, Exit, Layer, Option, Queue, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as Together from "../database/Together.ts"
import * as DeliveryOutcomes from "./DeliveryOutcomes.ts"
import { listen } from "./EventSignal.ts"
import * as FanOut from "./FanOut.ts"
import { secretContext } from "./WebhookEndpointsPg.ts"

/** What is the same for every delivery of an endpoint. */
interface ReceiverRow {
  readonly url: string
  readonly crm: CrmSettings | null
  readonly secret_sealed: Uint8Array
  readonly previous_secret_sealed: Uint8Array | null
  /** Of its organization. */
  readonly profile: unknown
}

/** One row of each endpoint tells what is the same for all; the others have null there. */
interface ClaimRow extends Omit<ReceiverRow, "url"> {
  readonly url: string | null
  /** When the claim was made, in full precision; null like the rest. Told by itself where nothing was claimed. */
  readonly asked: string | null
  readonly asked_millis: number
  /** null: nothing was claimed. */
  readonly delivery_id: string | null
  readonly event_id: string
  readonly endpoint_id: string
  readonly claim: number
  readonly place: number
  readonly attempt: number
  readonly delivered: boolean
  readonly event_type: string
  readonly test: boolean
  readonly include_evidence: boolean
  readonly org_id: string
  /** The last survivor of a property that was merged meanwhile. */
  readonly heir_id: string | null
  readonly partial: boolean
  readonly data: string | null
}

const tellsReceiver = (row: ClaimRow): row is ClaimRow & ReceiverRow => row.url !== null

const decodeOrganization = Schema.decodeUnknownEffect(Organization)

interface Storing extends DeliveryClaim {
  readonly data: string
  /** "", which is no JSON: nothing is. */
  readonly outdated: string
}

/** Bundles are large. */
const storedTogether = 100

/** Receivers refuse a signature that is five minutes off, and the signature carries this machine's time. */
const skewLimit = 60_000

export const layer: Layer.Layer<
  Deliveries,
  never,
  PgClient.PgClient | Database.Pipeline | Ledger | Sealer
> = Layer.effect(
  Deliveries,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const pipeline = yield* Database.Pipeline
    const outcomes = yield* DeliveryOutcomes.make(sql, yield* Ledger)
    const sealer = yield* Sealer
    const { fanOut } = FanOut.make(sql)
    const wakes = yield* Queue.sliding<void>(1)
    yield* Effect.forkScoped(listen(sql, wakes))

    /** Under this name places are taken, and filled up. */
    const claimer = randomUUID()
    /** Deliveries that came due until then were seen by a claim. */
    let askedUntil = "-infinity"
    let skewed = false
    /** The revisions of the organizations at the last look. */
    const reconsidered = Reconsidered.make<string>()

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
    const openSecrets = Effect.fnUntraced(function*(row: ClaimRow & ReceiverRow) {
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

    const store = Together.make(
      Effect.fn("Deliveries.storeData")(function*(given: ReadonlyArray<Storing>) {
        const rows = yield* sql<{ readonly id: string; readonly data: string | null }>`
          SELECT * FROM delivery_store(
            ${given.map(({ orgId }) => orgId)}::text[], ${given.map(({ deliveryId }) => deliveryId)}::uuid[],
            ${given.map(({ claim }) => claim)}::integer[], ${given.map(({ data }) => data)}::text[],
            ${given.map(({ outdated }) => outdated)}::text[]
          )`
        const found = new Map(rows.map(({ data, id }) => [id, data]))
        return given.map(({ deliveryId }) => ({ held: found.has(deliveryId), data: found.get(deliveryId) ?? null }))
      }, Effect.catchTag("SqlError", unavailable)),
      storedTogether
    )

    return Deliveries.of({
      fanOut: Effect.fn("Deliveries.fanOut")(
        fanOut,
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })
      ),

      claim: Effect.fn("Deliveries.claim")(function*({ lease, limit, perEndpoint, turns = new Map(), unproven }) {
        const rows = yield* sql<ClaimRow>`
          SELECT c.delivery_id, c.event_id, c.endpoint_id, c.claim, c.place, c.attempt, c.delivered, c.event_type, c.test,
            c.org_id, c.heir_id, c.partial, c.data, c.include_evidence,
            CASE WHEN coalesce(c.nth, 1) = 1 THEN now()::text END AS asked,
            CASE WHEN coalesce(c.nth, 1) = 1 THEN extract(epoch FROM clock_timestamp())::double precision * 1000 END
              AS asked_millis,
            CASE WHEN c.nth = 1 THEN c.url END AS url, CASE WHEN c.nth = 1 THEN w.crm END AS crm,
            CASE WHEN c.nth = 1 THEN c.secret_sealed END AS secret_sealed,
            CASE WHEN c.nth = 1 THEN c.previous_secret_sealed END AS previous_secret_sealed,
            CASE WHEN c.nth = 1 THEN o.profile END AS profile
          FROM (VALUES (1)) AS once
          LEFT JOIN (
            SELECT *, row_number() OVER (PARTITION BY org_id, endpoint_id) AS nth FROM delivery_claim(
              ${limit}::integer, ${perEndpoint}::integer, ${
          Duration.toMillis(lease)
        }::double precision * interval '1 millisecond', ${JSON.stringify(Object.fromEntries(turns))}::jsonb,
              ${claimer}::uuid, ${unproven ?? null}::integer
            )
          ) c ON true
          LEFT JOIN organization o ON o.org_id = c.org_id
          LEFT JOIN webhook_endpoint w ON w.org_id = c.org_id AND w.id = c.endpoint_id`
        const first = rows.find(({ asked }) => asked !== null)
        if (first !== undefined && first.asked !== null) {
          askedUntil = first.asked
          yield* watchClock(first.asked_millis)
        }
        const organizations = new Map<string, Organization>()
        const receivers = new Map<string, Pick<ClaimedDelivery, "crm" | "organization" | "secrets" | "url">>()
        for (const row of rows.filter(tellsReceiver)) {
          const organization = organizations.get(row.org_id) ?? (yield* decodeOrganization(row.profile))
          organizations.set(row.org_id, organization)
          const secrets = yield* openSecrets(row)
          if (Option.isNone(secrets)) continue
          receivers.set(row.endpoint_id, {
            organization,
            url: row.url,
            crm: row.crm,
            secrets: secrets.value
          })
        }
        return rows.flatMap((row): ReadonlyArray<ClaimedDelivery> => {
          const receiver = receivers.get(row.endpoint_id)
          if (row.delivery_id === null || receiver === undefined) return []
          return [{
            ...receiver,
            deliveryId: row.delivery_id,
            eventId: row.event_id,
            endpointId: row.endpoint_id,
            includeEvidence: row.include_evidence,
            claim: row.claim,
            place: row.place,
            attempt: row.attempt,
            delivered: row.delivered,
            eventType: row.event_type,
            test: row.test,
            propertyId: row.heir_id,
            partial: row.partial,
            data: row.data
          }]
        })
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      storeData: (claim, data, outdated) =>
        Effect.flatMap(store({ ...claim, data, outdated: outdated ?? "" }), ({ data, held }) =>
          !held
            ? Effect.succeedNone
            : data === null
            ? Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 }))
            : Effect.succeedSome(data)),

      complete: Effect.fn("Deliveries.complete")(
        outcomes.complete,
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die, Held: Effect.die })
      ),

      reconsider: Effect.fn("Deliveries.reconsider")(function*(lease) {
        const found = yield* sql<{ readonly org_id: string; readonly revision: string }>`
          SELECT o.org_id, o.revision::text AS revision FROM organization o
          WHERE o.org_id IN (SELECT d.org_id FROM delivery d WHERE d.limited)`
        const orgIds = reconsidered.take(
          found.map(({ org_id, revision }) => [org_id, revision] as const),
          yield* Clock.currentTimeMillis,
          Duration.toMillis(lease)
        )
        if (orgIds.length === 0) return 0
        const [due] = yield* sql<{ readonly count: number }>`
          SELECT delivery_reconsider(${orgIds}::text[]) AS count`
        return due?.count ?? 0
      }, Effect.catchTag("SqlError", unavailable)),

      awaitWork: Effect.fn("Deliveries.awaitWork")(function*(atMost) {
        // Pipelined, so that interrupting the wait needs no cancellation on the server.
        const [row] = yield* pipeline<{ readonly millis: number | null }>`
          SELECT (extract(epoch FROM (
            SELECT min(due_at) FROM delivery_lane WHERE due_at > ${askedUntil}::timestamptz AND due_at < 'infinity') - now())
            * 1000)::double precision AS millis`
        const nearest = row === undefined || row.millis === null ? atMost : Duration.millis(Math.max(0, row.millis))
        yield* Effect.raceFirst(Queue.take(wakes), Effect.sleep(Duration.min(nearest, atMost)))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
