/** What a port answers when the database fails: `Effect.catchTag("SqlError", unavailable)`. */
import { overtaken, TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { isUnavailable } from "../Database.ts"

/**
 * A database that is away may be back in a moment, and what would be kept about a property that was merged meanwhile
 * (`0014_merging`) is looked at again; on any other failure no caller can act.
 */
export const unavailable = (error: SqlError.SqlError): Effect.Effect<never, TemporarilyUnavailable> => {
  if (error.reason._tag === "SerializationError") return Effect.fail(overtaken)
  return isUnavailable(error) ? Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 })) : Effect.die(error)
}
