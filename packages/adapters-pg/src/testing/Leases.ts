/** The end of what workers hold, without waiting for its time. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/**
 * As if the time of every delivery's lease were over; answers how many there were. Workers claim and record meanwhile:
 * whoever is chosen to end a deadlock tries again.
 */
export const end: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const ended = yield* Effect.retry(
    sql.withTransaction(Effect.andThen(
      sql`UPDATE delivery_lane SET place_held = '{}', due_at = now(), waits_for_place = false`,
      sql`UPDATE delivery SET claimed_until = now() WHERE claimed_until > now() RETURNING id`
    )),
    { times: 10 }
  )
  return ended.length
})
