/** The refusal of a cursor, wherever pages are taken by one. */
import { Schema } from "effect"
import { InputIssue } from "./InvalidInput.ts"

export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()("INVALID_CURSOR", {
  issues: Schema.Array(InputIssue)
}) {
  static refuse(field = "cursor") {
    return new InvalidCursor({
      issues: [{ field, message: "Expected the next_cursor of an earlier page of the same request" }]
    })
  }
  override get message() {
    return "The cursor is invalid or expired; start again from the first page."
  }
}
