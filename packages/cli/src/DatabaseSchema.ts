/** The schema of the database before anything works over it: it is brought up to date, or refused in words. */
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { CommandRefused } from "./CommandRefused.ts"
import { DatabaseFault, faultOf } from "./DatabaseFault.ts"

/** Brings the schema up to date; answers with what was applied. */
export const migrate = Migrations.run.pipe(
  Effect.catchTag("SqlError", (error) => Effect.fail(faultOf(error))),
  Effect.catchTag("MigrationError", ({ cause, message }) => {
    const why = SqlError.isSqlError(cause) ? `: ${faultOf(cause).detail}` : ""
    return Effect.fail(new DatabaseFault({ away: false, detail: `${message}${why}` }))
  })
)

/** What is not up to date is for `freehold migrate`. */
export const refuseUnmigrated = Effect.gen(function*() {
  const standing = yield* Effect.catchTag(Migrations.standing, "SqlError", (error) => Effect.fail(faultOf(error)))
  if (standing === "older") {
    return yield* new CommandRefused({
      reason: "the schema of the database is not that of this version; bring it up to date with: freehold migrate"
    })
  }
})
