/**
 * A read in two halves at once, each on a connection of its own, and what is read of both together; all of it sees the same state of the
 * database.
 *
 * *Gotchas.* No half waits for a connection: whoever is done with its own and finds the other one not begun reads that too. So reads in halves
 * cannot wait for each other in a pool that has no connection left.
 */
import { Deferred, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Transaction from "./Transaction.ts"

const begin = (sql: SqlClient.SqlClient) => sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`

export const inTwo = <Half, Whole, E>(
  sql: SqlClient.SqlClient,
  [one, other]: readonly [Effect.Effect<Half, E>, Effect.Effect<Half, E>],
  whole: (halves: readonly [Half, Half]) => Effect.Effect<Whole, E>
): Effect.Effect<Whole, E | SqlError.SqlError> =>
  Effect.scoped(Effect.gen(function*() {
    const snapshot = yield* Deferred.make<string>()
    const found = yield* Deferred.make<Half, E | SqlError.SqlError>()
    let isBegun = false

    const beside = Transaction.reading(
      sql,
      Effect.gen(function*() {
        const name = yield* Deferred.await(snapshot)
        if (isBegun) return yield* Effect.never
        isBegun = true
        yield* begin(sql)
        yield* sql`SET TRANSACTION SNAPSHOT ${sql.literal(`'${name}'`)}`
        return yield* other
      })
    )
    yield* Effect.forkScoped(Deferred.into(beside, found))

    return yield* Transaction.reading(
      sql,
      Effect.gen(function*() {
        yield* begin(sql)
        const [exported] = yield* sql<{ readonly name: string }>`SELECT pg_export_snapshot() AS name`
        yield* Deferred.succeed(snapshot, exported?.name ?? "")
        const first = yield* one
        const isLeft = !isBegun
        isBegun = true
        return yield* whole([first, yield* isLeft ? other : Deferred.await(found)])
      })
    )
  }))
