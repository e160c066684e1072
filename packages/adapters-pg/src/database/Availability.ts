/**
 * What a port answers when the database fails: `Effect.catchTag("SqlError", unavailable)`.
 *
 * A database that is away or refuses to work (a full disk, no connection left) is told to the operator in a line at once and
 * then one a minute for each cause, however many requests fail by it: callers hear no more than that they may try again.
 */
import { overtaken, TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import * as Trouble from "@freehold/core/operation/Trouble"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { failureOf, isPassing, isUnavailable } from "./Database.ts"

const pauseMillis = 60_000

/** When each cause was last told. They are few: one for each condition of a server that counts as away. */
const toldAt = new Map<string, number>()

const tell = Effect.fnUntraced(function*(error: SqlError.SqlError) {
  const { message, ...failure } = failureOf(error)
  const code = failure.code ?? "connection"
  yield* Trouble.tell(`database ${code}: ${message.slice(0, 500)}`)
  const now = yield* Clock.currentTimeMillis
  const last = toldAt.get(code)
  if (isPassing(error) || last !== undefined && now >= last && now - last < pauseMillis) return
  toldAt.set(code, now)
  yield* Effect.logError(`the database is away or cannot work (${code}): ${message.slice(0, 500)}`).pipe(
    Effect.annotateLogs({ code })
  )
})

/**
 * A database that is away may be back in a moment, and what would be kept about a property that was merged meanwhile
 * (`property/MergeFunctions`) is looked at again; on any other failure no caller can act.
 */
export const unavailable = (error: SqlError.SqlError): Effect.Effect<never, TemporarilyUnavailable> => {
  if (error.reason._tag === "SerializationError") return Effect.fail(overtaken)
  return isUnavailable(error)
    ? Effect.andThen(tell(error), Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 })))
    : Effect.die(error)
}
