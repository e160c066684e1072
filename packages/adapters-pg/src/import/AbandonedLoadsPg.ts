/**
 * Ends what an import left that is gone: makes the indexes that rest since. In the background of a server or a worker, at
 * its start and every minute.
 */
import * as Persistence from "@freehold/core/operation/Persistence"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as RestingIndexes from "./RestingIndexes.ts"

const poll = Duration.minutes(1)

const persistently = Persistence.make("abandoned loads")

const restored = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  if ((yield* sql`SELECT FROM resting_index LIMIT 1`).length === 0) return
  yield* RestingIndexes.restoreAbandoned(sql)
}, Effect.catchTag("SqlError", unavailable))

/** In the background for as long as the layer lives. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* persistently("make the indexes that an import left out", restored(sql)).pipe(
      Effect.andThen(Effect.sleep(poll)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
