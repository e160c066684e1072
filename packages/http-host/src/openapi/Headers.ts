/** The headers of answers: what each tells, and which answers have it. */
import type * as JsonSchema from "./JsonSchema.ts"
import { reference } from "./Parts.ts"

type JsonObject = JsonSchema.JsonObject

const linked: JsonObject = {
  description: "Of a refusal the page of its code, with `rel=\"help\"`; of an endpoint that goes the notice, with "
    + "`rel=\"deprecation\"`.",
  schema: { type: "string" }
}

const headers: Readonly<Record<string, JsonObject>> = {
  "Cache-Control": { description: "Answers are not to be stored.", required: true, schema: { const: "no-store" } },
  "Service-Request-Id": {
    description: "Identifies this request in reports and logs.",
    required: true,
    schema: { type: "string", format: "uuid" }
  },
  "Service-Version": {
    description: "The date of the contract, informational.",
    required: true,
    schema: { type: "string" }
  },
  "X-RateLimit-Limit": {
    description: "Requests a minute of this key; where those of the day are used up, of the organization's day.",
    schema: { type: "integer", minimum: 0 }
  },
  "X-RateLimit-Remaining": { description: "Requests left this minute.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": {
    description: "When the minute ends, or the day, in Unix seconds.",
    schema: { type: "integer", minimum: 0 }
  },
  "Service-Credits-Charged": { description: "What this call charged.", schema: { type: "integer", minimum: 0 } },
  "Service-Credits-Remaining": {
    description: "Credits left after it.",
    schema: { type: "integer", minimum: 0 }
  },
  "Idempotency-Replayed": { description: "The answer is that of an earlier request.", schema: { const: "true" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
  Link: linked,
  "WWW-Authenticate": { description: "The scheme: Bearer.", schema: { type: "string" } }
}

/** Those of an endpoint that goes. */
const notice: Readonly<Record<string, JsonObject>> = {
  Deprecation: {
    description: "When this endpoint was announced to go, as `@` and Unix seconds.",
    schema: { type: "string" }
  },
  Sunset: { description: "From when it may be gone.", schema: { type: "string" } },
  Link: linked
}

/** The headers of a table of which some endpoint is, or none is, announced to go. */
export const components = (announced: boolean): Readonly<Record<string, JsonObject>> =>
  announced ? { ...headers, ...notice } : headers

export const ofTheCredits = ["Service-Credits-Charged", "Service-Credits-Remaining"]
export const ofTheNotice = Object.keys(notice)
export const ofEveryAnswer = ["Cache-Control", "Service-Request-Id", "Service-Version"]
export const ofTheMinute = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

export const headersOf = (names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]))
