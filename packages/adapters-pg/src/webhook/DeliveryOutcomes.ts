/**
 * Records how attempts ended, and books what arrived.
 *
 * What arrived is booked in the transaction that records it, with the day and the month of this machine's clock, like
 * every other use of a limit.
 */
import type { PgClient } from "@effect/sql-pg"
import { Ledger } from "@freehold/core/credit/Ledger"
import { Organization } from "@freehold/core/organization/Organization"
import type { AttemptOutcome, AttemptRecord } from "@freehold/core/webhook/Deliveries"
import * as DeliveryMeter from "@freehold/core/webhook/DeliveryMeter"
import { attemptsWithin, maximumConsecutiveFailures } from "@freehold/core/webhook/RetryPolicy"
import { Array, Clock, Duration, Effect, Schema } from "effect"
import { transaction } from "../database/Transaction.ts"

/** An outcome in the columns that `delivery_complete` reads. */
const toColumns = ({ attempt, outcome }: AttemptRecord) => {
  switch (outcome._tag) {
    case "Delivered":
      return { outcome: "delivered", status: outcome.status, answer: outcome.answer }
    case "Gone":
      return { outcome: "gone", status: 410 }
    case "Failed":
      return { outcome: "failed", status: outcome.status, reason: outcome.reason, answer: outcome.answer }
    case "Blocked":
      return { outcome: "blocked", reason: outcome.reason }
    case "Postponed":
      return { outcome: "postponed", state: outcome.state, reason: outcome.reason, until: outcome.until }
    case "Returned":
      return { outcome: "postponed", state: attempt === 1 ? "queued" : "retry_wait" }
    case "Cancelled":
      return { outcome: "cancelled", state: outcome.state, reason: outcome.reason }
  }
}

const isBooked = ({ outcome, unmetered }: AttemptRecord): boolean => outcome._tag === "Delivered" && unmetered !== true

/** So many parts of what is recorded together are under way at once, each on a connection of its own. */
const recordedAtOnce = 4

const decodeOrganization = Schema.decodeUnknownEffect(Organization)

interface Arrived extends AttemptRecord {
  readonly outcome: Extract<AttemptOutcome, { readonly _tag: "Delivered" }>
}

/** The place that a delivery had which arrived. */
interface HadPlace {
  readonly org_id: string
  readonly endpoint_id: string
  readonly place: number
  /** The end of its lease, in full precision. */
  readonly until: string
}

const hasArrived = (record: AttemptRecord): record is Arrived => record.outcome._tag === "Delivered"

export const make = (sql: PgClient.PgClient, ledger: Ledger["Service"]) => {
  /** Of endpoints for which nothing else is recorded at the same time. An empty text is none, since arrays of nothing else have no type. */
  const succeed = (records: ReadonlyArray<Arrived>) =>
    sql<HadPlace>`SELECT * FROM delivery_succeed(
      ${records.map(({ orgId }) => orgId)}::text[], ${records.map(({ endpointId }) => endpointId)}::uuid[],
      ${records.map(({ deliveryId }) => deliveryId)}::uuid[], ${records.map(({ claim }) => claim)}::integer[],
      ${records.map(({ outcome }) => outcome.status)}::integer[],
      ${records.map(({ durationMillis }) => Math.round(durationMillis))}::integer[],
      ${records.map(({ outcome }) => outcome.answer ?? "")}::text[], ${records.map(({ data }) => data ?? "")}::text[]
    )`

  /** Gives places back, in a transaction of its own. */
  const leave = Effect.fnUntraced(function*(places: ReadonlyArray<HadPlace>) {
    if (places.length === 0) return
    yield* sql`SELECT delivery_leave(
      ${places.map(({ org_id }) => org_id)}::text[], ${places.map(({ endpoint_id }) => endpoint_id)}::uuid[],
      ${places.map(({ place }) => place)}::integer[], ${places.map(({ until }) => until)}::text[]::timestamptz[]
    )`
  })

  /** Records outcomes; those of one endpoint in their order. */
  const judge = Effect.fnUntraced(function*(
    records: ReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) {
    const columns = records.map((each, turn) => ({
      orgId: each.orgId,
      endpointId: each.endpointId,
      id: each.deliveryId,
      claim: each.claim,
      turn,
      duration: Math.round(each.durationMillis),
      data: each.data,
      ...toColumns(each)
    }))
    const disabled = yield* sql<{ readonly endpoint_id: string; readonly disabled_reason: string }>`
      SELECT * FROM delivery_complete(
        ${JSON.stringify(columns)}::jsonb,
        ${retryDelays.map((delay) => String(Duration.toMillis(delay)))}::text[]::double precision[],
        ${attemptsWithin(retryDelays)}::integer, ${maximumConsecutiveFailures}::integer
      )`
    for (const endpoint of disabled) {
      yield* Effect.logWarning(`webhook endpoint ${endpoint.endpoint_id} was disabled: ${endpoint.disabled_reason}`)
    }
    return Array.empty<HadPlace>()
  })

  /** Answers the places that are still to be given back. */
  const record = (records: ReadonlyArray<AttemptRecord>, retryDelays: ReadonlyArray<Duration.Duration>) =>
    Array.every(records, hasArrived) ? succeed(records) : judge(records, retryDelays)

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
        const places = yield* record(records, retryDelays)
        const delivered = records.filter(isBooked).map(({ deliveryId }) => deliveryId)
        const booked = yield* sql<{
          readonly id: string
          readonly property_id: string | null
          readonly data: string | null
          readonly profile: unknown
        }>`
          WITH arrived AS (
            SELECT l.id, l.property_id, l.data FROM delivery_arrived(${orgId}::text, ${delivered}::uuid[]) l
          ), booked AS (
            INSERT INTO delivery_booked (org_id, delivery_id) SELECT ${orgId}, a.id FROM arrived a
            ON CONFLICT DO NOTHING RETURNING delivery_id
          )
          SELECT a.id, a.property_id, a.data, o.profile
          FROM arrived a JOIN booked b ON b.delivery_id = a.id JOIN organization o ON o.org_id = ${orgId}
          ORDER BY a.id`
        const [first] = booked
        if (first === undefined) return places
        yield* DeliveryMeter.book(
          yield* decodeOrganization(first.profile),
          booked.map(({ data, id, property_id: propertyId }) => ({ deliveryId: id, propertyId, data })),
          yield* Clock.currentTimeMillis
        )
        return places
      })
    ).pipe(Effect.provideService(Ledger, ledger))

  /**
   * Those of one endpoint in their order. What nobody is charged for is one statement, whoever's it is. What arrived where
   * nothing failed is recorded by itself, of which there is most.
   */
  const complete = Effect.fnUntraced(function*(
    records: ReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) {
    const booking = new Set(records.filter(isBooked).map(({ orgId }) => orgId))
    const judged = new Set(records.filter((each) => !hasArrived(each)).map(({ endpointId }) => endpointId))
    const partOf = ({ endpointId, orgId }: AttemptRecord) =>
      `${judged.has(endpointId)} ${booking.has(orgId) ? orgId : ""}`
    yield* Effect.forEach(
      Object.values(Array.groupBy(records, partOf)),
      (part) =>
        Effect.flatMap(
          booking.has(part[0].orgId) ? recordAndBook(part[0].orgId, part, retryDelays) : record(part, retryDelays),
          leave
        ),
      { concurrency: recordedAtOnce, discard: true }
    )
  })

  return { complete }
}
