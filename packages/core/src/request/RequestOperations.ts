/** What an organization can ask the operator for. decisions, section 14. */
import { Schema } from "effect"
import { fields as pageFields } from "../operation/BrowsePage.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { CountyFips } from "../organization/Organization.ts"
import { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import { RequestKind, RequestStatus } from "./OperatorRequests.ts"

/** So many requests of one kind an organization may make within an hour. */
export const requestsPerHour = 10

const output = Schema.Struct({
  id: Schema.String,
  kind: RequestKind,
  status: Schema.Literal("open"),
  created_at: Schema.String
})

const access = { scope: "mcp", plan: "enterprise" } as const

const filled = (maximum: number) =>
  Schema.String.check(
    Schema.isMinLength(1),
    atMost(maximum),
    Schema.makeFilter((text: string) => text === "" || text.trim() !== "" || "Expected text that is not blank")
  )

export const RequestSupport = Operation.make("service_request_support", {
  title: "Ask for support",
  description:
    "Free. Asks the people who run this service; service_list_requests shows the answer. At most 10 an hour.",
  input: Schema.Struct({ subject: filled(200).check(oneLine), message: filled(5000) }),
  output,
  refusals: [LaunchRateLimited],
  access,
  effect: "write"
})

export const RequestCoverage = Operation.make("service_request_coverage", {
  title: "Ask for coverage",
  description:
    "Free. Asks for counties that you do not have. service_get_coverage shows what there is, and the answer.",
  input: Schema.Struct({
    county_fips: Schema.Array(CountyFips).check(Schema.isMinLength(1), Schema.isMaxLength(50))
  }),
  output: Schema.Struct({
    ...output.fields,
    /** Those of the counties that were asked for before, and when; absent: none. Where all were, this is no new request. */
    already_requested: Schema.optionalKey(Schema.Array(Schema.Struct({
      county_fips: Schema.String,
      created_at: Schema.String
    }))),
    ...noteField
  }),
  refusals: [LaunchRateLimited],
  access,
  effect: "write"
})

/** Whoever may ask reads what became of it, at every door. */
export const ListRequests = Operation.make("service_list_requests", {
  title: "Requests",
  description:
    "Free. What you asked the people who run this service, newest first, with their answers; for admins and keys, everybody's.",
  input: Schema.Struct({
    limit: pageFields.limit,
    cursor: pageFields.cursor
  }),
  output: Schema.Struct({
    requests: Schema.Array(Schema.Struct({
      id: Schema.String,
      kind: RequestKind,
      status: RequestStatus,
      subject: Schema.NullOr(Schema.String),
      message: Schema.NullOr(Schema.String),
      county_fips: Schema.NullOr(Schema.Array(Schema.String)),
      asked_by: Schema.NullOr(Schema.String),
      created_at: Schema.String,
      closed_at: Schema.NullOr(Schema.String),
      /** What the people who run the service answered; null: nothing so far, or nothing. */
      answer: Schema.NullOr(Schema.String)
    })),
    total: Schema.Int,
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [InvalidCursor],
  access,
  effect: "read",
  extension: true
})
