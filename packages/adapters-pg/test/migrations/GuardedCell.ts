/** A database that is a cell, as joining leaves it; nothing is received. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `tables`: those of the records that its guard keeps. */
export const guardedCell = Effect.fnUntraced(function*(tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) {
    yield* sql`CREATE TRIGGER cell_guard BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION cell_guard()`
  }
  yield* Effect.acquireRelease(
    sql`CREATE SUBSCRIPTION freehold_cell_east CONNECTION 'dbname=nowhere' PUBLICATION freehold WITH (connect = false)`,
    () =>
      Effect.orDie(
        sql`ALTER SUBSCRIPTION freehold_cell_east SET (slot_name = NONE)`.pipe(
          Effect.andThen(sql`DROP SUBSCRIPTION freehold_cell_east`)
        )
      )
  )
})
