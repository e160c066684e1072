/**
 * The contract as an OpenAPI 3.1 document, made from the table of routes, the operations and the table of statuses.
 *
 * Nothing of an endpoint is written twice: what an operation says of itself is what the document says.
 */
import * as Plan from "@freehold/core/access/Plan"
import { Scope } from "@freehold/core/access/Scope"
import { RecordsFacts } from "@freehold/core/limit/Metering"
import { Array, Order, Predicate, Record, Schema, Struct } from "effect"
import { refusalBody } from "../Envelope.ts"
import * as IdempotentAnswer from "../IdempotentAnswer.ts"
import { apiRoot, type Route, routes, serviceVersion } from "../Routes.ts"
import { exampleOf } from "./Examples.ts"
import type { Example } from "./examples/Example.ts"
import { guide } from "./Guide.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { refusalExamples } from "./RefusalExamples.ts"
import { planOf, type Refusable } from "./Refusals.ts"
import * as Refusals from "./Refusals.ts"
import { webhooks } from "./Webhooks.ts"

type JsonObject = JsonSchema.JsonObject

/** The document; what is in it is plain JSON. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: "3.1.1"
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
}

const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** `service_search_properties` is `searchProperties`. */
const operationIdOf = (name: string): string =>
  name.replace("service_", "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const tagOf = (path: string): string => {
  const [, segment = ""] = path.split("/")
  return ["me", "account", "allowance", "credits", "access"].includes(segment)
    ? "Account"
    : pascal(segment.replaceAll("-", " "))
}

/** The document's form of a path: `{id}` for `:id`. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

const objectOf = (properties: JsonObject, required: ReadonlyArray<string>): JsonObject => ({
  type: "object",
  properties,
  required
})

const success = { const: true }
const failure = { const: false }
const sentence = { type: "string", description: "For people; never branch on it." }

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
  "X-RateLimit-Limit": { description: "Requests a minute of this key.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Remaining": { description: "Requests left this minute.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": {
    description: "When the minute ends, in Unix seconds.",
    schema: { type: "integer", minimum: 0 }
  },
  "Service-Credits-Charged": { description: "What this call charged.", schema: { type: "integer", minimum: 0 } },
  "Service-Credits-Remaining": {
    description: "Credits left after it; missing where the answer did not need to look.",
    schema: { type: "integer", minimum: 0 }
  },
  "Idempotency-Replayed": { description: "The answer is that of an earlier request.", schema: { const: "true" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": { description: "The scheme: Bearer.", schema: { type: "string" } }
}

const ofTheCredits = ["Service-Credits-Charged", "Service-Credits-Remaining"]
const ofEveryAnswer = ["Cache-Control", "Service-Request-Id", "Service-Version"]
const ofTheMinute = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

const headersOf = (names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]))

/** One answer: its headers and what its body may be. */
const responseOf = (
  description: string,
  headerNames: ReadonlyArray<string>,
  schemas: ReadonlyArray<JsonObject>,
  examples: Readonly<Record<string, JsonObject>> = {}
): JsonObject => ({
  description,
  headers: headersOf([...ofEveryAnswer, ...headerNames]),
  content: {
    "application/json": {
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
      ...(Record.isEmptyRecord(examples) ? {} : { examples })
    }
  }
})

/** A failure without a code: what is wrong is told by the status. */
const failureSchema = objectOf({ success: failure, error: sentence }, ["success", "error"])

const faultSchema = objectOf({
  success: failure,
  error: sentence,
  meta: objectOf({ requestId: { type: "string", format: "uuid" } }, ["requestId"])
}, ["success", "error", "meta"])

/** The body of a refusal: where its code and its detail stand is its outcome's to say. */
const refusalSchema = ({ code, outcome, refusal }: Refusable) => {
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
const isUncoded = (route: Route) => ({ code }: Refusable): boolean =>
  code === "UNAUTHENTICATED" || route.uncoded.includes(code)

/** Bodies that do not fit have a status of their own at some endpoints; what is wrong with the path has the usual one. */
const misfits = ({ misfit }: Route, refusable: ReadonlyArray<Refusable>): ReadonlyArray<Refusable> =>
  refusable.flatMap((each) =>
    each.code === "INVALID_ARGUMENTS" && misfit !== 400
      ? [{ ...each, outcome: { ...each.outcome, status: misfit } }]
      : []
  )

/** The answers that core's refusals give, one a status. */
const refused = (route: Route, refusable: ReadonlyArray<Refusable>): ReadonlyArray<Named> =>
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
          ...(counted ? ofTheMinute : []),
          ...(group.some(retries) ? ["Retry-After"] : []),
          ...(status === "401" ? ["WWW-Authenticate"] : [])
        ],
        group.flatMap((each) => plain(each) || refusalExamples[each.code] === undefined ? [] : [each.code])
      )
    })

/** The answers to what is no well-formed request, and to a fault of ours. */
const faults = (route: Route): ReadonlyArray<Named> => [
  ...(route.method === "GET" ? [] : [named(413, ["Failure"], ofTheMinute), named(415, ["Failure"], ofTheMinute)]),
  named(500, ["Fault"], [])
]

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A name of your choice for this request. The same request under the same name within 24 hours is done " +
    "once and answered the same, with `Idempotency-Replayed: true`. Where doing it again is free, the oldest names are " +
    "forgotten sooner when a key uses more than its answers have room for.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  "x-extension": true
}

const parametersOf = (route: Route, example: Example | undefined): ReadonlyArray<JsonObject> => {
  const schema = JsonSchema.ofInput(route.operation.input)
  const properties = JsonSchema.propertiesOf(schema)
  const required = JsonSchema.requiredOf(schema)
  const parameter = (place: "path" | "query", name: string, key: string): JsonObject => {
    const { description, ...own } = properties[key] ?? {}
    const shown = example?.given[key]
    return {
      name,
      in: place,
      required: place === "path" || required.includes(key),
      ...(description === undefined ? {} : { description }),
      schema: own,
      ...(shown === undefined ? {} : { example: shown })
    }
  }
  return [
    ...Object.entries(route.parameters).map(([name, key]) => parameter("path", name, key)),
    ...route.query.map((key) => parameter("query", key, key)),
    ...IdempotentAnswer.applies(route) ? [idempotencyKey] : []
  ]
}

/** The body's schema and example: what is neither in the path nor in the query. */
const bodyOf = (route: Route, example: Example | undefined) => {
  if (route.body === "none") return null
  const elsewhere = [...Object.values(route.parameters), ...route.query]
  const schema = JsonSchema.ofInput(route.operation.input)
  const own = JsonSchema.requiredOf(schema).filter((key) => !elsewhere.includes(key))
  return {
    schema: {
      ...schema,
      properties: Struct.omit(JsonSchema.propertiesOf(schema), elsewhere),
      ...(own.length === 0 ? {} : { required: own })
    },
    required: own.length > 0,
    example: example === undefined ? undefined : Struct.omit(example.given, elsewhere)
  }
}

/** The successful answer, and the components that it refers to. */
const answerOf = (route: Route, example: Example | undefined) => {
  const { operation, shape } = route
  const data = JsonSchema.ofOutput(shape === null ? operation.output : shape.data)
  const meta = shape === null || shape.meta === null ? null : JsonSchema.ofOutput(shape.meta)
  const takes = operation.refusals.some(({ identifier }) => identifier === "RECORDS_ALLOWANCE_EXCEEDED")
  const records = takes ? JsonSchema.ofOutput(RecordsFacts) : null
  const name = `${pascal(operationIdOf(operation.name))}Data`
  const own = Predicate.isString(data.schema["$ref"])
  const facts = records === null ? {} : { records: records.schema }
  const metaSchema = meta === null
    ? records === null ? null : objectOf(facts, [])
    : { ...meta.schema, properties: { ...JsonSchema.propertiesOf(meta.schema), ...facts } }
  const told = example === undefined
    ? undefined
    : shape === null
    ? { data: example.answer }
    : shape.show(example.answer)
  const shown = told === undefined
    ? undefined
    : { success: true, data: told.data, ...(told.meta === undefined ? {} : { meta: told.meta }) }
  const schema = objectOf(
    {
      success,
      data: own ? data.schema : reference("schemas", name),
      ...(metaSchema === null ? {} : { meta: metaSchema })
    },
    ["success", "data", ...(meta === null ? [] : ["meta"])]
  )
  const charges = route.operation.refusals.some((refusal) => refusal.identifier === "INSUFFICIENT_CREDITS")
  const repeats = IdempotentAnswer.applies(route)
  const ownHeaders = Record.map(
    shape === null ? {} : shape.headers,
    (description): JsonObject => ({ description, schema: { type: "string" } })
  )
  return {
    response: {
      description: "Done.",
      headers: {
        ...headersOf([
          ...ofEveryAnswer,
          ...ofTheMinute,
          ...charges ? ofTheCredits : [],
          ...repeats ? ["Idempotency-Replayed"] : []
        ]),
        ...ownHeaders
      },
      content: { "application/json": { schema, ...(shown === undefined ? {} : { example: shown }) } }
    },
    schemas: {
      ...data.components,
      ...meta?.components,
      ...records?.components,
      ...(own ? {} : { [name]: data.schema })
    }
  }
}

const needs = (route: Route): string => {
  const { access } = route.operation
  const scope = access.scope === null ? "Any live key" : `Scope \`${access.scope}\``
  return `${scope}, plan ${planOf(access)}${planOf(access) === "team" ? " and up" : ""}.`
}

/** One endpoint, with the components that it refers to. */
const endpointOf = (route: Route, tools: ReadonlySet<string>) => {
  const { operation } = route
  const { access, name } = operation
  const example = exampleOf(name)
  const refusable = Refusals.of(route)
  const coded = refusable.filter((each) => !isUncoded(route)(each))
  const answer = answerOf(route, example)
  const body = bodyOf(route, example)
  const responses = [...refused(route, refusable), ...faults(route)]
  const bodyName = `${pascal(operationIdOf(name))}Body`
  return {
    path: templateOf(route.path),
    method: route.method.toLowerCase(),
    operation: {
      operationId: operationIdOf(name),
      summary: operation.title,
      description: `${operation.description}\n\n${needs(route)}`,
      tags: [tagOf(route.path)],
      security: [{ apiKey: access.scope === null ? [] : [access.scope] }],
      parameters: parametersOf(route, example),
      ...(body === null ? {} : {
        requestBody: {
          required: body.required,
          content: {
            "application/json": {
              schema: reference("schemas", bodyName),
              ...(body.example === undefined ? {} : { example: body.example })
            }
          }
        }
      }),
      responses: {
        200: answer.response,
        ...Object.fromEntries(responses.map((response) => [response.status, reference("responses", response.name)]))
      },
      "x-scope": access.scope,
      "x-plan": planOf(access),
      ...(tools.has(name) ? { "x-mcp-tool": name } : {}),
      ...(operation.extension ? { "x-extension": true } : {})
    },
    responses: Object.fromEntries(responses.map((response) => [response.name, response.response])),
    schemas: {
      ...answer.schemas,
      ...Object.assign({}, ...coded.map(refusalSchema)),
      ...(body === null ? {} : { [bodyName]: body.schema })
    },
    codes: coded.map(({ code }) => code)
  }
}

const sorted = <A>(record: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).toSorted(Order.mapInput(Order.String, ([key]) => key)))

const merged = <A>(records: ReadonlyArray<Readonly<Record<string, A>>>): Readonly<Record<string, A>> =>
  sorted(Object.fromEntries(records.flatMap((record) => Object.entries(record))))

/** Makes the document. `tools`: the names of the operations that assistants are offered. */
export const make = ({ tools }: { readonly tools: ReadonlySet<string> }): OpenApiDocument => {
  const endpoints = routes.map((route) => endpointOf(route, tools))
  const codes = Array.dedupe(endpoints.flatMap((endpoint) => endpoint.codes))
  return {
    openapi: "3.1.1",
    info: {
      title: "Freehold",
      version: serviceVersion,
      summary: "Commercial-property intelligence and lead delivery.",
      description: guide,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: apiRoot, description: "This server" }],
    tags: Array.dedupe(routes.map(({ path }) => tagOf(path))).map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      Object.entries(Array.groupBy(endpoints, ({ path }) => path)).map(([path, group]) => [
        path,
        Object.fromEntries(group.map(({ method, operation }) => [method, operation]))
      ])
    ),
    webhooks: webhooks.paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "fhk_ and 43 characters",
          description: `An organization's API key. Its scopes are among: ${Scope.literals.join(", ")}. The plans, in ` +
            `ascending order: ${Plan.Plan.literals.join(", ")}.`
        }
      },
      headers,
      schemas: merged([
        ...endpoints.map(({ schemas }) => schemas),
        webhooks.schemas,
        { Failure: failureSchema, Fault: faultSchema }
      ]),
      responses: merged(endpoints.map(({ responses }) => responses)),
      examples: Object.fromEntries(
        codes.toSorted(Order.String).flatMap((code) => {
          const refusal = refusalExamples[code]
          return refusal === undefined ? [] : [[code, { value: refusalBody(refusal) }]]
        })
      )
    }
  }
}
