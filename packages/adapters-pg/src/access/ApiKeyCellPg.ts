/** Which cell makes keys: the one that the database belongs to. */
import * as ApiKey from "@freehold/core/access/ApiKey"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  ApiKey.Cell,
  Effect.map(SqlClient.SqlClient, (sql) =>
    sql<{ readonly name: string | null }>`SELECT cell_name() AS name`.pipe(
      Effect.map(([row]) => row?.name ?? null),
      Effect.catchTag("SqlError", unavailable)
    ))
)
