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
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Clock, Duration, Effect, Exit, Layer, Option, Queue, type Redacted, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as Together from "../database/Together.ts"
import * as DeliveryOutcomes from "./DeliveryOutcomes.ts"
import { listen } from "./EventSignal.ts"
import { fanOut } from "./FanOut.ts"
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
  readonly place: number
  readonly attempt: number
  readonly delivered: boolean
  readonly url: string
  readonly crm: CrmSettings | null
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
    const outcomes = DeliveryOutcomes.make(sql, yield* Ledger)
    const sealer = yield* Sealer
    const wakes = yield* Queue.sliding<void>(1)
    yield* Effect.forkScoped(listen(sql, wakes))

    /** Under this name places are taken, and filled up. */
    const claimer = randomUUID()
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
        (limit) => fanOut(sql, limit),
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })
      ),

      claim: Effect.fn("Deliveries.claim")(function*({ lease, limit, perEndpoint, turns = new Map(), unproven }) {
        const rows = yield* sql<ClaimRow>`
          SELECT now()::text AS asked, extract(epoch FROM clock_timestamp())::double precision * 1000 AS asked_millis, c.*,
            CASE WHEN row_number() OVER (PARTITION BY c.org_id) = 1 THEN o.profile END AS profile, w.crm
          FROM (VALUES (1)) AS once
          LEFT JOIN delivery_claim(
            ${limit}::integer, ${perEndpoint}::integer, ${
          Duration.toMillis(lease)
        }::double precision * interval '1 millisecond', ${JSON.stringify(Object.fromEntries(turns))}::jsonb,
            ${claimer}::uuid, ${unproven ?? null}::integer
          ) c ON true
          LEFT JOIN organization o ON o.org_id = c.org_id
          LEFT JOIN webhook_endpoint w ON w.org_id = c.org_id AND w.id = c.endpoint_id`
        const [first] = rows
        if (first !== undefined) {
          askedUntil = first.asked
          yield* watchClock(first.asked_millis)
        }
        const organizations = new Map<string, Organization>()
        for (const row of rows) {
          if (row.profile !== null) organizations.set(row.org_id, yield* decodeOrganization(row.profile))
        }
        const secretsOf = new Map<string, Option.Option<ReadonlyArray<Redacted.Redacted>>>()
        for (const row of rows) {
          if (row.delivery_id === null || secretsOf.has(row.endpoint_id)) continue
          secretsOf.set(row.endpoint_id, yield* openSecrets(row))
        }
        return rows.flatMap((row): ReadonlyArray<ClaimedDelivery> => {
          const organization = organizations.get(row.org_id)
          const secrets = Option.flatten(Option.fromUndefinedOr(secretsOf.get(row.endpoint_id)))
          if (row.delivery_id === null || organization === undefined || Option.isNone(secrets)) return []
          return [{
            deliveryId: row.delivery_id,
            eventId: row.event_id,
            includeEvidence: row.include_evidence,
            endpointId: row.endpoint_id,
            claim: row.claim,
            place: row.place,
            attempt: row.attempt,
            delivered: row.delivered,
            url: row.url,
            crm: row.crm,
            secrets: secrets.value,
            eventType: row.event_type,
            test: row.test,
            organization,
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
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })
      ),

      reconsider: Effect.gen(function*() {
        const found = yield* sql<{ readonly org_id: string; readonly revision: string }>`
          SELECT o.org_id, o.revision::text AS revision FROM organization o
          WHERE o.org_id IN (SELECT d.org_id FROM delivery d WHERE d.limited)`
        const before = reconsidered
        reconsidered = new Map(found.map(({ org_id, revision }) => [org_id, revision]))
        const changed = found.filter(({ org_id, revision }) => before.get(org_id) !== revision)
        if (changed.length === 0) return 0
        const [due] = yield* sql<{ readonly count: number }>`
          SELECT delivery_reconsider(${changed.map(({ org_id }) => org_id)}::text[]) AS count`
        return due?.count ?? 0
      }).pipe(Effect.catchTag("SqlError", unavailable), Effect.withSpan("Deliveries.reconsider")),

      awaitWork: Effect.fn("Deliveries.awaitWork")(function*(atMost) {
        // Pipelined, so that interrupting the wait needs no cancellation on the server.
        const [row] = yield* pipeline<{ readonly millis: number | null }>`
          SELECT (extract(epoch FROM (SELECT min(due_at) FROM delivery_lane WHERE due_at > ${askedUntil}::timestamptz) - now())
            * 1000)::double precision AS millis`
        const nearest = row === undefined || row.millis === null ? atMost : Duration.millis(Math.max(0, row.millis))
        yield* Effect.raceFirst(Queue.take(wakes), Effect.sleep(Duration.min(nearest, atMost)))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
