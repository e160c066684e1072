/** Settles what arrived in a cell from the importing installation: suppressions and merges, in their order. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { transaction } from "../database/Transaction.ts"
import { patiently } from "../property/PropertyMerge.ts"

const settleOne = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly settled: boolean }>`SELECT arrival_settle() AS settled`,
    ([row]) => row?.settled === true
  )

/**
 * Waits for who settles, and lets nobody settle before the transaction ends. Whoever takes this and `pause` of ChangeRelay takes
 * this first.
 */
export const pause = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('freehold arrivals'))`

/** Settles everything that waits, unless another process is at it. Each is a transaction of its own. */
export const settle = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  let settled = false
  do settled = yield* patiently(transaction(sql, settleOne(sql)))
  while (settled)
})
