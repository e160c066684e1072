/**
 * The contract as an OpenAPI 3.1 document, made from the table of routes, the operations and the table of statuses.
 *
 * Nothing of an endpoint is written twice: what an operation says of itself is what the document says.
 */
import * as Plan from "@freehold/core/operation/Plan"
import { Scope } from "@freehold/core/operation/Scope"
import { Array, Order, Record } from "effect"
import { refusalBody } from "../Envelope.ts"
import { apiRoot, type Route, routes, serviceVersion } from "../Routes.ts"
import { answerOf } from "./Answer.ts"
import { bodyOf, parametersOf } from "./Arguments.ts"
import { described, describedComponents } from "./Descriptions.ts"
import { exampleOf } from "./Examples.ts"
import { failureSchema, faults, faultSchema, isUncoded, refusalSchema, refused } from "./Failures.ts"
import { guide } from "./Guide.ts"
import * as Headers from "./Headers.ts"
import type * as JsonSchema from "./JsonSchema.ts"
import { operationIdOf, pascal, reference } from "./Parts.ts"
import { refusalExamples } from "./RefusalExamples.ts"
import { planOf } from "./Refusals.ts"
import * as Refusals from "./Refusals.ts"
import { inRestWords, templateOf } from "./RestWords.ts"
import { webhooks } from "./Webhooks.ts"

type JsonObject = JsonSchema.JsonObject

/** The document; what is in it is plain JSON. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: "3.1.1"
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
}

const tagOf = (path: string): string => {
  const [, segment = ""] = path.split("/")
  return ["me", "account", "allowance", "credits", "access"].includes(segment)
    ? "Account"
    : pascal(segment.replaceAll("-", " "))
}

const needs = (route: Route): string => {
  const { access } = route.operation
  const scope = access.scope === null ? "Any live key" : `Scope \`${access.scope}\``
  return `${scope}, plan ${planOf(access)}${planOf(access) === "team" ? " and up" : ""}.`
}

/** One endpoint, with the components that it refers to. */
const endpointOf = (route: Route, tools: ReadonlySet<string>, table: ReadonlyArray<Route>) => {
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
      description: `${inRestWords(operation.description, table)}\n\n${needs(route)}`,
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
      ...(operation.extension ? { "x-extension": true } : {}),
      ...(route.deprecation === null ? {} : { deprecated: true })
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

/** Makes the document of a table. `tools`: the names of the operations that assistants are offered. */
export const make = (
  { table = routes, tools }: { readonly tools: ReadonlySet<string>; readonly table?: ReadonlyArray<Route> }
): OpenApiDocument => {
  const endpoints = table.map((route) => endpointOf(route, tools, table))
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
    tags: Array.dedupe(table.map(({ path }) => tagOf(path))).map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      Object.entries(Array.groupBy(endpoints, ({ path }) => path)).map(([path, group]) => [
        path,
        described(Object.fromEntries(group.map(({ method, operation }) => [method, operation])))
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
      headers: Headers.components(table.some(({ deprecation }) => deprecation !== null)),
      schemas: describedComponents(merged<JsonObject>([
        ...endpoints.map(({ schemas }) => schemas),
        webhooks.schemas,
        { Failure: failureSchema, Fault: faultSchema }
      ])),
      responses: Record.map(merged(endpoints.map(({ responses }) => responses)), (response) => described(response)),
      examples: Object.fromEntries(
        codes.toSorted(Order.String).flatMap((code) => {
          const refusal = refusalExamples[code]
          return refusal === undefined ? [] : [[code, { value: refusalBody(refusal) }]]
        })
      )
    }
  }
}
