/**
 * Hears that an event was recorded, on a connection of its own.
 *
 * When that is lost it is opened anew, and whoever waits is woken, since something may have happened meanwhile.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Queue } from "effect"
import { failureOf } from "../database/Database.ts"

const listenAgainAfter = "1 second"

/** Fills `wakes` with a mark for each notification, for as long as the scope lives. */
export const listen = Effect.fnUntraced(function*(sql: PgClient.PgClient, wakes: Queue.Queue<void>) {
  let silent = false
  const session = Effect.scoped(Effect.gen(function*() {
    const notifications = yield* sql.listen("freehold_event")
    if (silent) yield* Effect.logInfo("listening for events again")
    silent = false
    // What was recorded before the listening began was not heard.
    yield* Queue.offer(wakes, undefined)
    return yield* Effect.forever(Effect.andThen(Queue.takeAll(notifications), Queue.offer(wakes, undefined)))
  }))
  return yield* session.pipe(
    Effect.catchTag("SqlError", (error) => {
      const first = !silent
      silent = true
      return Effect.andThen(
        first
          ? Effect.logWarning(
            `not listening for events; looking for work at intervals meanwhile: ${failureOf(error).message}`
          )
          : Effect.void,
        Effect.sleep(listenAgainAfter)
      )
    }),
    Effect.forever
  )
})
