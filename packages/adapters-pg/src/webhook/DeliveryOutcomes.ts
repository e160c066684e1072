/**
 * Records how attempts ended, and books what arrived.
 *
 * What arrived is booked in the transaction that records it, with the day and the month of this machine's clock, like
 * every other use of a limit.
 *
 * Outcomes of several organizations are recorded by one statement, since that costs least. Where one of them cannot be recorded, or
 * somebody else holds what it changes, they are recorded organization by organization, and of that one outcome by outcome.
 */
import type { PgClient } from "@effect/sql-pg"
import { Ledger } from "@freehold/core/credit/Ledger"
import * as LogPace from "@freehold/core/operation/LogPace"
import { Organization } from "@freehold/core/organization/Organization"
import type { AttemptOutcome, AttemptRecord } from "@freehold/core/webhook/Deliveries"
import * as DeliveryMeter from "@freehold/core/webhook/DeliveryMeter"
import { attemptsWithin, maximumConsecutiveFailures } from "@freehold/core/webhook/RetryPolicy"
import { Array, Cause, Clock, Duration, Effect, Exit, FiberSet, Schedule, Schema, Semaphore } from "effect"
import { SqlError } from "effect/sql"
import { failureOf, isUnavailable } from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import { lockPatience } from "./EndedEndpoints.ts"

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

/** PostgreSQL's condition of a lock that was waited for long enough. */
const lockNotAvailable = "55P03"
/** Its class of values that do not fit, such as a text with NUL. */
const dataException = "22"

/** Somebody holds the account that is to be charged. */
class Held extends Schema.TaggedError<Held>()("Held", {}) {}

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

/**
 * Why outcomes were not recorded: somebody else holds what they change, a text in them is none that a database keeps, something of ours
 * is wrong; or the database is away, and nothing else can be recorded either.
 */
const troubleOf = (cause: Cause.Cause<unknown>): "held" | "unfit" | "fault" | "away" => {
  if (Cause.hasInterrupts(cause)) return "away"
  const errors = cause.reasons.map((reason) =>
    Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  )
  if (errors.some((error) => error instanceof Held)) return "held"
  const failures = errors.filter(SqlError.isSqlError)
  const codes = failures.map((error) => failureOf(error).code ?? "")
  if (codes.includes(lockNotAvailable)) return "held"
  if (failures.some(isUnavailable)) return "away"
  return codes.some((code) => code.startsWith(dataException)) ? "unfit" : "fault"
}

/** The same with less of what was answered: that it arrived, if it did, and then that it failed. */
const plainer = (record: AttemptRecord): ReadonlyArray<AttemptRecord> => {
  const { outcome } = record
  const status = "status" in outcome ? outcome.status : null
  return [
    ...outcome._tag === "Delivered"
      ? [{ ...record, outcome: { _tag: outcome._tag, status: outcome.status } }]
      : [],
    { ...record, outcome: { _tag: "Failed", status, reason: "the outcome could not be recorded" } }
  ]
}

const hasArrived = (record: AttemptRecord): record is Arrived => record.outcome._tag === "Delivered"

/** So often it is tried to give places back; after that their leases have ended. */
const givenBack = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 50 }))

export const make = Effect.fnUntraced(function*(sql: PgClient.PgClient, ledger: Ledger["Service"]) {
  const tellTrouble = LogPace.make(1)
  const leaving = yield* FiberSet.make<void>()
  /** Whoever waits for a lane has a connection meanwhile. */
  const leavingInTurn = yield* Semaphore.make(1)

  /** Of endpoints for which nothing else is recorded at the same time. An empty text is none, since arrays of nothing else have no type. */
  const succeed = (records: ReadonlyArray<Arrived>) =>
    sql<HadPlace>`SELECT * FROM delivery_succeed(
      ${records.map(({ orgId }) => orgId)}::text[], ${records.map(({ endpointId }) => endpointId)}::uuid[],
      ${records.map(({ deliveryId }) => deliveryId)}::uuid[], ${records.map(({ claim }) => claim)}::integer[],
      ${records.map(({ outcome }) => outcome.status)}::integer[],
      ${records.map(({ durationMillis }) => Math.round(durationMillis))}::integer[],
      ${records.map(({ outcome }) => outcome.answer ?? "")}::text[], ${records.map(({ data }) => data ?? "")}::text[]
    )`

  const giveBack = (places: ReadonlyArray<HadPlace>) =>
    sql`SELECT delivery_leave(
      ${places.map(({ org_id }) => org_id)}::text[], ${places.map(({ endpoint_id }) => endpoint_id)}::uuid[],
      ${places.map(({ place }) => place)}::integer[], ${places.map(({ until }) => until)}::text[]::timestamptz[]
    )`

  /** Gives places back, in a transaction of its own. No outcome waits until whoever holds a lane has let it go. */
  const leave = Effect.fnUntraced(function*(places: ReadonlyArray<HadPlace>) {
    if (places.length === 0) return
    const exit = yield* Effect.exit(giveBack(places))
    if (Exit.isSuccess(exit)) return
    if (troubleOf(exit.cause) !== "held") return yield* Effect.failCause(exit.cause)
    for (const some of Object.values(Array.groupBy(places, (place) => place.org_id))) {
      const later = Effect.ignore(Effect.retry(leavingInTurn.withPermit(giveBack(some)), givenBack))
      yield* FiberSet.run(leaving, later)
    }
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
            WHERE set_config('lock_timeout', ${lockPatience}, true) <> ''
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
        ).pipe(Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.fail(new Held({}))))
        return places
      })
    ).pipe(Effect.provideService(Ledger, ledger))

  /** Of one organization where something is booked. */
  const recordOnce = (
    records: Array.NonEmptyReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) =>
    Effect.flatMap(
      records.some(isBooked) ? recordAndBook(records[0].orgId, records, retryDelays) : record(records, retryDelays),
      leave
    )

  /** Records one outcome as plainly as it takes; answers it where that has to wait. */
  const recordPlainly = Effect.fnUntraced(function*(
    given: AttemptRecord,
    retryDelays: ReadonlyArray<Duration.Duration>
  ) {
    for (const each of plainer(given)) {
      const exit = yield* Effect.exit(recordOnce([each], retryDelays))
      if (Exit.isSuccess(exit)) return []
      const trouble = troubleOf(exit.cause)
      if (trouble === "away") return yield* Effect.failCause(exit.cause)
      if (trouble !== "unfit") break
    }
    return [given]
  })

  /** Records them together, or as far apart as it takes; answers those that have to wait. */
  const recordApart = (
    records: Array.NonEmptyReadonlyArray<AttemptRecord>,
    retryDelays: ReadonlyArray<Duration.Duration>
  ): Effect.Effect<ReadonlyArray<AttemptRecord>, Effect.Error<ReturnType<typeof recordOnce>>> =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(recordOnce(records, retryDelays))
      if (Exit.isSuccess(exit)) return []
      const trouble = troubleOf(exit.cause)
      if (trouble === "away") return yield* Effect.failCause(exit.cause)
      const organizations = Object.values(Array.groupBy(records, ({ orgId }) => orgId))
      if (organizations.length === 1 && trouble === "held") return records
      if (records.length === 1) {
        yield* tellTrouble(Effect.logError(`cannot record how delivery ${records[0].deliveryId} ended`, exit.cause))
        return trouble === "unfit" ? yield* recordPlainly(records[0], retryDelays) : records
      }
      const parts = organizations.length > 1 ? organizations : records.map((each) => Array.of(each))
      const left = yield* Effect.forEach(parts, (part) => recordApart(part, retryDelays))
      return left.flat()
    })

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
    const left = yield* Effect.forEach(
      Object.values(Array.groupBy(records, partOf)),
      (part) => recordApart(part, retryDelays),
      { concurrency: recordedAtOnce }
    )
    return left.flat()
  })

  return { complete }
})
