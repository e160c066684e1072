/** What an assistant can look up before it asks: valid values, and what the service covers. decisions, section 14. */
import { Schema } from "effect"
import { AskedState } from "../coverage/AskedState.ts"
import { atMost } from "../operation/Characters.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { RequestStatus } from "../request/OperatorRequests.ts"

export const LookupKind = Schema.Literals([
  "categories",
  "subcategories",
  "role_types",
  "seniorities",
  "counties",
  "loss_reasons",
  "disqualify_reasons",
  "filter_keys",
  "sort_keys",
  "event_types"
])
export type LookupKind = typeof LookupKind.Type

const Text = Schema.NullOr(Schema.String)

const access = { scope: "mcp", plan: "enterprise" } as const

export const Lookup = Operation.make("service_lookup", {
  title: "Valid values",
  description:
    "Free. Valid values of one kind, 200 at most: for filters, sorts, reasons and events. query narrows by text, state " +
    "narrows counties. filter_keys come with their schemas; of subcategories the usual ones, records may have others.",
  input: Schema.Struct({
    kind: LookupKind,
    state: Schema.optionalKey(AskedState),
    query: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), atMost(200)))
  }),
  output: Schema.Struct({
    kind: LookupKind,
    values: Schema.Array(Schema.Struct({
      value: Schema.String,
      label: Text,
      /** What else there is to know: the category of a subcategory, or why the value cannot be used. */
      note: Text,
      /** The JSON Schema of a filter's value. */
      schema: Schema.optionalKey(Schema.Unknown)
    })),
    total: Schema.Int,
    ...noteField
  }),
  refusals: [],
  access,
  effect: "read",
  extension: true
})

export const GetCoverage = Operation.make("service_get_coverage", {
  title: "Coverage",
  description:
    "Free. The counties with data, 300 at most, yours first: properties, whether licensed and switched on, sources; and " +
    "coverage requests. state narrows.",
  input: Schema.Struct({ state: Schema.optionalKey(AskedState) }),
  output: Schema.Struct({
    counties: Schema.Array(Schema.Struct({
      fips: Schema.String,
      name: Text,
      /** Its two letters: counties of several states have one name. */
      state: Text,
      licensed: Schema.Boolean,
      switched_on: Schema.Boolean,
      properties: Schema.Int,
      last_refresh: Text,
      sources: Schema.Array(
        Schema.Struct({
          title: Schema.String,
          licence: Schema.String,
          attribution: Schema.String
        })
      )
    })),
    total: Schema.Int,
    /** What was asked for with service_request_coverage, the newest first: by a member who is no admin, their own. */
    requests: Schema.Array(Schema.Struct({
      id: Schema.String,
      status: RequestStatus,
      county_fips: Schema.Array(Schema.String),
      asked_by: Text,
      created_at: Schema.String,
      closed_at: Text,
      /** What the people who run the service answered; null: nothing so far, or nothing. */
      answer: Text
    })),
    requests_total: Schema.Int,
    ...noteField
  }),
  refusals: [],
  access,
  effect: "read",
  extension: true
})
