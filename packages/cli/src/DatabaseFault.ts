/** What a command says when the database fails it. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { Schema } from "effect"
import { SqlError } from "effect/sql"

const sayings = {
  away: "the database cannot be reached",
  busy: "the database is busy, try again",
  failed: "the database failed"
}

/** The database answers with a fault, or not at all; busy: somebody else has what is needed, for the moment. */
export class DatabaseFault extends Schema.TaggedError<DatabaseFault>()("DatabaseFault", {
  state: Schema.Literals(["away", "busy", "failed"]),
  detail: Schema.String
}) {
  override get message() {
    return `${sayings[this.state]}: ${this.detail}`
  }
}

/** "insufficient_privilege" */
const noRight = "42501"

/** The fault where the role of the connection may not do something; null: it is another failure. */
export const lackedRight = (error: unknown): DatabaseFault | null =>
  SqlError.isSqlError(error) && Database.failureOf(error).code === noRight ? faultOf(error) : null

/** A failure of the database in words for the operator. */
export const faultOf = (error: SqlError.SqlError): DatabaseFault =>
  new DatabaseFault({
    state: Database.isPassing(error) ? "busy" : Database.isUnavailable(error) ? "away" : "failed",
    detail: Database.failureOf(error).message.replace(/\s+/g, " ")
  })
