/**
 * Leaves tables as they are on a server that has had time: swept, and with statistics.
 *
 * Servers of tests commit before the disk has it (`synchronous_commit`), and a row is not marked as visible to all before the
 * disk has its commit, and those that the server notes beside it: an index that could answer alone would look into its table
 * for every entry. So what was committed is flushed first, and the commits of the sweep itself wait for the disk.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Of these tables, or all. Cannot run in a transaction. */
export const vacuum = (...tables: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const statements = [
      "SET synchronous_commit = on",
      "SELECT pg_logical_emit_message(true, 'freehold', 'vacuum')::text",
      `VACUUM ANALYZE ${tables.join(", ")}`,
      "RESET synchronous_commit"
    ]
    for (const statement of statements) yield* connection.execute(statement, [], undefined)
  }).pipe(Effect.scoped)
