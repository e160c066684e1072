/** One merge within the transaction at hand (`MergeFunctions`). */
import type { MergeCounts } from "@freehold/core/property/PropertyMerges"
import { Effect, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as ContactCounts from "../contact/ContactCounts.ts"

/**
 * Somebody has, for longer than a merge waits, what it needs; or two waited for each other, or made the same record at
 * once.
 */
const isBusy = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError" || reason._tag === "SerializationError"
  || reason._tag === "UniqueViolation"

/** Tries a transaction with merges or loads again while others are in its way. */
export const patiently = <A, E, R>(transaction: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(transaction, {
    while: (error: E | SqlError.SqlError) => SqlError.isSqlError(error) && isBusy(error),
    schedule: Schedule.jittered(Schedule.spaced("50 millis")).pipe(Schedule.upTo({ times: 40 }))
  })

/** Both exist, differ and are not retired. None: research of the one that retires is running. */
export const merge = Effect.fnUntraced(function*(from: string, into: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly moved: MergeCounts | null }>`
    SELECT property_merge(${from}::uuid, ${into}::uuid) AS moved`
  const moved = row?.moved ?? null
  if (moved !== null) yield* ContactCounts.refresh([from, into])
  return moved
})
