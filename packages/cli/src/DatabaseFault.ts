/** What a command says when the database fails it. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { Schema } from "effect"
import { SqlError } from "effect/sql"

/** The database answers with a fault, or not at all. */
export class DatabaseFault extends Schema.TaggedError<DatabaseFault>()("DatabaseFault", {
  away: Schema.Boolean,
  detail: Schema.String
}) {
  override get message() {
    return this.away ? `the database cannot be reached: ${this.detail}` : `the database failed: ${this.detail}`
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
    away: Database.isUnavailable(error),
    detail: Database.failureOf(error).message.replace(/\s+/g, " ")
  })
