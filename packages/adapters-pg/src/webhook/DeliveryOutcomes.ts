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
const toColumns = (outcome: AttemptOutcome) => {
  switch (outcome._tag) {
    case "Delivered":
      return { outcome: "delivered", status: outcome.status }
    case "Gone":
      return { outcome: "gone", status: 410 }
    case "Failed":
      return { outcome: "failed", status: outcome.status, reason: outcome.reason, answer: outcome.answer }
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

export const make = (sql: PgClient.PgClient, ledger: Ledger["Service"]) => {
  /** Records outcomes; those of one endpoint in their order. */
  const record = Effect.fnUntraced(function*(
    records: ReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) {
    const columns = records.map((each, turn) => ({
      orgId: each.orgId,
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
        ${attemptsWithin(retryDelays)}::integer, ${maximumConsecutiveFailures}::integer
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
            SELECT l.id, l.property_id, l.data FROM delivery_arrived(${orgId}::text, ${delivered}::uuid[]) l
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

  /** Those of one endpoint in their order. */
  const complete = Effect.fnUntraced(function*(
    records: ReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) {
    if (records.length === 0) return
    if (!records.some(isDelivered)) return yield* record(records, retryDelays)
    // What belongs to one endpoint stays together and in its order.
    const byOrganization = Array.groupBy(records, ({ orgId }) => orgId)
    yield* Effect.forEach(
      Object.entries(byOrganization),
      ([orgId, ofOrganization]) =>
        ofOrganization.some(isDelivered)
          ? recordAndBook(orgId, ofOrganization, retryDelays)
          : record(ofOrganization, retryDelays)
    )
  })

  return { complete }
}
