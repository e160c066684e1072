/** What is wrong with a request as HTTP, before any operation sees it: framing, media type, route, method. */
import { InputIssue, InvalidInput } from "@freehold/core/operation/InvalidInput"
import { Schema } from "effect"

export class RequestFault extends Schema.TaggedError<RequestFault>()("RequestFault", {
  status: Schema.Literals([400, 404, 405, 413, 415]),
  error: Schema.String,
  /** Every 400 about a body has them. */
  issues: Schema.optionalKey(Schema.Array(InputIssue)),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}) {
  override get message() {
    return this.error
  }
}

/** The body is refused as a whole. */
export const badBody = (message: string): RequestFault =>
  new RequestFault({ status: 400, error: message, issues: [{ field: null, message }] })

/** The query string is refused. */
export const badQuery = (issues: ReadonlyArray<InputIssue>): RequestFault =>
  new RequestFault({ status: 400, error: new InvalidInput({ issues }).message, issues })

/** `most`: what it may have, with the unit. */
export const bodyTooLarge = (most: string): RequestFault =>
  new RequestFault({ status: 413, error: `The request body is larger than ${most}.` })

export const unsupportedMediaType = new RequestFault({
  status: 415,
  error: "The request body must be JSON in UTF-8 with Content-Type application/json, and not compressed."
})

export const unknownRoute = new RequestFault({ status: 404, error: "No such endpoint." })

export const malformedPath = new RequestFault({
  status: 400,
  error: "The path is not correctly percent-encoded.",
  issues: [{ field: null, message: "The path is not correctly percent-encoded." }]
})

export const methodNotAllowed = (method: string, allow: string): RequestFault =>
  new RequestFault({
    status: 405,
    error: `${method} is not allowed here; allowed: ${allow}.`,
    headers: { allow }
  })
