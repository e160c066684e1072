/**
 * Whether this process should be sent requests: the database answers and can be written to, its schema fits, and nobody has asked it
 * to stop.
 */
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import type { Hindrance } from "@freehold/http-host/Health"
import { Context, Duration, Effect, Layer, MutableRef } from "effect"
import { SqlClient } from "effect/sql"

/** Whoever asks waits no longer for the database. */
const patience = Duration.seconds(2)

/** An answer counts for this long, however often it is asked for. */
const keptFor = Duration.seconds(1)

export class Readiness extends Context.Service<Readiness, {
  /** What stands in the way; null: nothing. */
  readonly hindrance: Effect.Effect<Hindrance | null>
  /** From now on the process is being stopped, which its log tells. */
  readonly drain: Effect.Effect<void>
}>()("@freehold/cli/watch/Readiness") {
  static readonly layer = Layer.effect(
    Readiness,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const draining = MutableRef.make(false)
      // What cannot be written to, such as a primary that became a standby, counts no request.
      const writable = Effect.map(
        sql<{ readonly yes: boolean }>`SELECT current_setting('transaction_read_only') = 'off' AS yes`,
        ([row]) => row?.yes === true
      )
      const looked = Effect.all([writable, Migrations.standing]).pipe(
        Effect.map(([isWritable, standing]): Hindrance | null =>
          !isWritable ? "database" : standing === "current" || standing === "ahead" ? null : "schema"
        ),
        Effect.catchTag(["SchemaIsNewer", "SchemaIsForeign"], () => Effect.succeed<Hindrance>("schema")),
        Effect.timeout(patience),
        Effect.catch(() => Effect.succeed<Hindrance>("database")),
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      const kept = yield* Effect.cachedWithTTL(looked, keptFor)
      return Readiness.of({
        hindrance: Effect.suspend(() => MutableRef.get(draining) ? Effect.succeed<Hindrance>("draining") : kept),
        drain: Effect.andThen(Effect.sync(() => MutableRef.set(draining, true)), Effect.logInfo("stopping"))
      })
    })
  )
}
