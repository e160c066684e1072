/** The answers of an endpoint that are none: refusals by status, malformed requests and faults of ours. */
import { Array, Record, Schema, Struct } from "effect"
import type { Route } from "../Routes.ts"
import * as Headers from "./Headers.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { objectOf, reference } from "./Parts.ts"
import { refusalExamples } from "./RefusalExamples.ts"
import type { Refusable } from "./Refusals.ts"

type JsonObject = JsonSchema.JsonObject

const failure = { const: false }
const sentence = { type: "string", description: "For people; never branch on it." }

/** One answer: its headers and what its body may be. */
const responseOf = (
  description: string,
  headerNames: ReadonlyArray<string>,
  schemas: ReadonlyArray<JsonObject>,
  examples: Readonly<Record<string, JsonObject>> = {}
): JsonObject => ({
  description,
  headers: Headers.headersOf([...Headers.ofEveryAnswer, ...headerNames]),
  content: {
    "application/json": {
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
      ...(Record.isEmptyRecord(examples) ? {} : { examples })
    }
  }
})

/** A failure without a code: what is wrong is told by the status. */
export const failureSchema = objectOf({ success: failure, error: sentence }, ["success", "error"])

export const faultSchema = objectOf({
  success: failure,
  error: sentence,
  meta: objectOf({ requestId: { type: "string", format: "uuid" } }, ["requestId"])
}, ["success", "error", "meta"])

/** The body of a refusal: where its code and its detail stand is its outcome's to say. */
export const refusalSchema = ({ code, outcome, refusal }: Refusable) => {
  const { components, schema } = JsonSchema.ofOutput(Schema.Struct(Struct.omit(refusal.fields, ["_tag"])))
  const detail = JsonSchema.propertiesOf(schema)
  const required = JsonSchema.requiredOf(schema)
  const coded: Readonly<Record<string, JsonObject>> = { code: { const: code } }
  const meta: Readonly<Record<string, JsonObject>> = { ...(outcome.code === "nowhere" ? {} : coded), ...detail }
  const metaRequired = [...(outcome.code === "nowhere" ? [] : ["code"]), ...required]
  const top = {
    ...(outcome.code === "top and meta" ? coded : {}),
    ...(outcome.detailOnTop === true ? detail : {})
  }
  const hasMeta = !Record.isEmptyRecord(meta)
  const body = objectOf(
    { success: failure, error: sentence, ...top, ...(hasMeta ? { meta: objectOf(meta, metaRequired) } : {}) },
    ["success", "error", ...Object.keys(top), ...(hasMeta ? ["meta"] : [])]
  )
  return { ...components, [code]: body }
}

const meanings: Readonly<Record<number, string>> = {
  400: "Malformed: bad JSON, or a missing, unknown or invalid argument.",
  401: "No key, a malformed key or a revoked key.",
  402: "Not enough credits, or they cannot be spent.",
  403: "The scope, the plan, the organization's state or its area does not allow it.",
  404: "No such item, or not visible to the organization.",
  409: "A conflict: with a limit, a merged property, or another request.",
  413: "The body is larger than 1 MiB.",
  415: "The body is not JSON in UTF-8.",
  422: "Well-formed, with a value that is not allowed.",
  429: "A rate limit, a daily limit or the records allowance is reached, or the room for kept answers.",
  500: "A fault of ours; retry with backoff.",
  503: "Something needed is briefly unavailable; retry after Retry-After."
}

/** Answers that are alike have one name, made of what they hold. */
interface Named {
  readonly name: string
  readonly status: number
  readonly response: JsonObject
}

const named = (
  status: number,
  bodies: ReadonlyArray<string>,
  headerNames: ReadonlyArray<string>,
  examples: ReadonlyArray<string> = []
): Named => ({
  name: [status, ...bodies].join("-"),
  status,
  response: responseOf(
    meanings[status] ?? "",
    headerNames,
    bodies.map((body) => reference("schemas", body)),
    Object.fromEntries(examples.map((code) => [code, reference("examples", code)]))
  )
})

const retries = ({ refusal }: Refusable): boolean => Object.hasOwn(refusal.fields, "retryAfterSeconds")

/** Whether the answer has no code, so that its status says it all. */
export const isUncoded = (route: Route) => ({ code }: Refusable): boolean =>
  code === "UNAUTHENTICATED" || route.uncoded.includes(code)

/** Bodies that do not fit have a status of their own at some endpoints; what is wrong with the path has the usual one. */
const misfits = ({ misfit }: Route, refusable: ReadonlyArray<Refusable>): ReadonlyArray<Refusable> =>
  refusable.flatMap((each) =>
    each.code === "INVALID_ARGUMENTS" && misfit !== 400
      ? [{ ...each, outcome: { ...each.outcome, status: misfit } }]
      : []
  )

/** The answers that core's refusals give, one a status. */
export const refused = (route: Route, refusable: ReadonlyArray<Refusable>): ReadonlyArray<Named> =>
  Object.entries(Array.groupBy([...refusable, ...misfits(route, refusable)], ({ outcome }) => String(outcome.status)))
    .map(([status, group]) => {
      const plain = isUncoded(route)
      const bodies = Array.dedupe(group.map((each) => plain(each) ? "Failure" : each.code))
      const counted = group.some(({ beforeTheKey, code }) =>
        !beforeTheKey || code === "rate_limited" || code === "DAILY_REQUEST_LIMIT_EXCEEDED"
      )
      return named(
        Number(status),
        bodies,
        [
          "Link",
          ...(counted ? Headers.ofTheMinute : []),
          ...(group.some(retries) ? ["Retry-After"] : []),
          ...(status === "401" ? ["WWW-Authenticate"] : [])
        ],
        group.flatMap((each) => plain(each) || refusalExamples[each.code] === undefined ? [] : [each.code])
      )
    })

/** The answers to what is no well-formed request, and to a fault of ours. */
export const faults = (route: Route): ReadonlyArray<Named> => [
  ...(route.method === "GET"
    ? []
    : [named(413, ["Failure"], Headers.ofTheMinute), named(415, ["Failure"], Headers.ofTheMinute)]),
  named(500, ["Fault"], [])
]
