/** What would happen: it happens within a transaction, which is undone. */
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { unavailable } from "./Availability.ts"
import { transaction } from "./Transaction.ts"

/** Runs the effect, answers what it came to, and leaves nothing of it in the database. */
export const undone =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R> =>
    transaction(
      sql,
      Effect.flatMap(Effect.result(effect), (result) => Effect.fail({ _tag: "Undone" as const, result }))
    ).pipe(
      Effect.catch((error): Effect.Effect<A, E | TemporarilyUnavailable> =>
        error._tag === "Undone" ? Effect.fromResult(error.result) : unavailable(error)
      )
    )
