/**
 * A read in two halves at once, each on a connection of its own, and what is read of both together; all of it sees the same state of the
 * database.
 *
 * *Gotchas.* The second half waits for a connection only while the first is read: where that ends before, it reads both. So reads in halves cannot wait
 * for each other in a pool that has no connection left.
 */
import type { PgClient } from "@effect/sql-pg"
import * as Spare from "@freehold/core/load/Spare"
import { Deferred, Effect, Fiber } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Replicas } from "./Replicas.ts"
import * as Transaction from "./Transaction.ts"

/** The connection of the first half reads the `whole` as well, when both are read. */
export const inTwo = <Half, Whole, E>(
  sql: SqlClient.SqlClient,
  [one, other]: readonly [Effect.Effect<Half, E>, Effect.Effect<Half, E>],
  whole: (halves: readonly [Half, Half]) => Effect.Effect<Whole, E>
): Effect.Effect<Whole, E | SqlError.SqlError> =>
  Effect.scoped(Effect.gen(function*() {
    const snapshot = yield* Deferred.make<string>()
    const found = yield* Deferred.make<Half, E | SqlError.SqlError>()
    let isBegun = false

    /** Whether nobody has begun the second half. */
    const claim = Effect.sync(() => {
      const isLeft = !isBegun
      isBegun = true
      return isLeft
    })
    const readBeside = (name: string) =>
      Effect.gen(function*() {
        // It is about to be interrupted.
        if (!(yield* claim)) return yield* Effect.never
        yield* Transaction.ofOneState(sql)
        // SET takes no parameter, and the database made the name. Each is another, so nothing is kept prepared.
        yield* sql`SET TRANSACTION SNAPSHOT ${sql.literal(`'${name}'`)}`.unprepared
        return yield* other
      })
    const beside = yield* Deferred.await(snapshot).pipe(
      Effect.flatMap((name) => Transaction.reading(sql, readBeside(name))),
      Deferred.into(found),
      Effect.forkScoped
    )

    return yield* Transaction.reading(
      sql,
      Effect.gen(function*() {
        yield* Transaction.ofOneState(sql)
        const [exported] = yield* sql<{ readonly name: string }>`SELECT pg_export_snapshot() AS name`
        yield* Deferred.succeed(snapshot, exported?.name ?? "")
        const first = yield* one
        const second = (yield* claim) ? Effect.andThen(Fiber.interrupt(beside), other) : Deferred.await(found)
        return yield* whole([first, yield* second])
      })
    )
  }))

/** Reads what statements of both halves answer, at once, where a processor is to spare; else, and of what has no halves, `asWhole`. */
export const inHalves = <Half, Row extends object, Whole>(
  replica: Replicas,
  halves: readonly [Half, Half] | null,
  { asWhole, statementOf, whole }: {
    readonly asWhole: () => Effect.Effect<Whole, SqlError.SqlError>
    readonly statementOf: (half: Half) => Statement.Fragment
    readonly whole: (rows: ReadonlyArray<Row>, client: PgClient.PgClient) => Effect.Effect<Whole, SqlError.SqlError>
  }
): Effect.Effect<Whole, SqlError.SqlError> => {
  const byOne = Effect.suspend(asWhole)
  if (halves === null) return byOne
  const [one, other] = halves
  const byTwo = replica.read((client) => {
    const rowsOf = (half: Half) => client<Row>`${statementOf(half)}`.unprepared
    return inTwo(client, [rowsOf(one), rowsOf(other)], (rows) => whole(rows.flat(), client))
  })
  return Effect.scoped(Spare.use({ byOne, byTwo }))
}
