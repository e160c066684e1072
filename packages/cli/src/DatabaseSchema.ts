/** The schema of the database before anything works over it: it is brought up to date, or refused in words. */
import * as Database from "@freehold/adapters-pg/database/Database"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { CommandRefused } from "./CommandRefused.ts"
import { DatabaseFault, faultOf } from "./DatabaseFault.ts"

/** A table, a function, or a type or constraint of the name that a migration would make. */
const taken = new Set(["42P07", "42723", "42710"])

const isTaken = (cause: unknown): boolean =>
  SqlError.isSqlError(cause) && taken.has(Database.failureOf(cause).code ?? "")

/** Brings the schema up to date; answers with what was applied. */
export const migrate = Migrations.run.pipe(
  Effect.catchTag("SqlError", (error) => Effect.fail(faultOf(error))),
  Effect.catchTag("MigrationError", ({ cause, message }) => {
    const why = SqlError.isSqlError(cause) ? `: ${faultOf(cause).detail}` : ""
    const remedy = isTaken(cause)
      ? "; what Freehold makes is there already, of another program or of a part of a backup: give it a database of its own"
      : ""
    return Effect.fail(new DatabaseFault({ state: "failed", detail: `${message}${why}${remedy}` }))
  })
)

/** What a schema is that a migration brings up to date, and the command for it; null: it is up to date. */
export const shortcomingOf = (standing: Migrations.Standing): string | null => {
  switch (standing) {
    case "none":
      return "is not there yet; make it with: freehold migrate"
    case "older":
      return "is that of an older version; bring it up to date with: freehold migrate"
    default:
      return null
  }
}

/** What is not up to date is for `freehold migrate`. */
export const refuseUnmigrated = Effect.gen(function*() {
  const standing = yield* Effect.catchTag(Migrations.standing, "SqlError", (error) => Effect.fail(faultOf(error)))
  const shortcoming = shortcomingOf(standing)
  if (shortcoming !== null) {
    return yield* new CommandRefused({ reason: `the schema of the database ${shortcoming}` })
  }
})
