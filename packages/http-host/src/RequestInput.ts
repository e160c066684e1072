/**
 * The arguments of an operation, gathered from the path, the query string and the body of its REST request.
 *
 * Text of the query becomes a number or a boolean where the input schema has one; what does not read as one stays text,
 * so that the schema names the fault. A parameter that the endpoint does not know, or that is given twice, is refused
 * here, since the operation would take it for an argument.
 */
import { type InputIssue, InvalidInput, unknownKey, unknownKeys } from "@freehold/core/operation/InvalidInput"
import { Context, Effect, Option, Record, SchemaAST } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as RequestBody from "./RequestBody.ts"
import { badQuery, type RequestFault } from "./RequestFault.ts"
import type { Route } from "./Routes.ts"

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The names of an address's parameters that cannot be decoded: the router leaves them as they are, and as such they would be searched for. */
const undecodable = (url: string): ReadonlyArray<string> => {
  const query = url.slice(url.indexOf("?") + 1)
  return isEncoded(query)
    ? []
    : query.split("&").flatMap((pair) => isEncoded(pair) ? [] : [pair.split("=", 1)[0] ?? ""])
}

/** A whole number may have any number of digits, for some are reduced to a maximum; none becomes infinite. */
const asNumber = (text: string): unknown =>
  /^-?\d+(\.\d{1,15})?$/.test(text) ? Math.min(Number(text), Number.MAX_VALUE) : text

const asBoolean = (text: string): unknown => text === "true" ? true : text === "false" ? false : text

/** How the text of each query parameter is read. */
const readers = (route: Route): Readonly<Record<string, (text: string) => unknown>> => {
  const { ast } = route.input
  const types = SchemaAST.isObjects(ast)
    ? new Map(ast.propertySignatures.map(({ name, type }) => [name, type]))
    : new Map()
  return Record.fromIterableWith(route.query, (key) => {
    const type = types.get(key)
    return [
      key,
      type === undefined ? String : SchemaAST.isNumber(type) ? asNumber : SchemaAST.isBoolean(type) ? asBoolean : String
    ]
  })
}

type OfRequest =
  | HttpRouter.RouteContext
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams

/** Whether the path is at fault; an argument of the path that stands in the body is the body's fault. */
const isPathFault = (route: Route) => ({ field, message }: InputIssue): boolean =>
  field !== null && Object.values(route.parameters).includes(field) && message !== unknownKey

/** Names the path's parameter as the endpoint does (`id`), where the operation has another word for it. */
const inRestWords = (route: Route) => {
  const ofPath = isPathFault(route)
  const parameterOf = new Map(Object.entries(route.parameters).map(([parameter, key]) => [key, parameter]))
  return (refusal: InvalidInput) =>
    new InvalidInput({
      issues: refusal.issues.map((issue) => ({
        ...issue,
        field: ofPath(issue) ? parameterOf.get(issue.field ?? "") ?? issue.field : issue.field
      }))
    })
}

/** Reads a route's input from the request at hand, and words the refusals of it. */
export const reader = (route: Route) => {
  const read = readers(route)
  const own = new Set(Object.values(route.parameters))

  const fromPath = (params: Readonly<Record<string, string | undefined>>) =>
    Record.mapEntries(route.parameters, (key, parameter) => [key, params[parameter]])

  const fromQuery = (
    params: HttpServerRequest.ParsedSearchParams["Service"],
    url: string
  ): Effect.Effect<Readonly<Record<string, unknown>>, RequestFault> => {
    const given = Object.entries(params)
    if (given.length === 0) return Effect.succeed({})
    const malformed = new Set(undecodable(url).map((name) => Object.hasOwn(read, name) ? name : null))
    if (malformed.size > 0) {
      const message = "Expected a query in UTF-8, correctly percent-encoded"
      return Effect.fail(badQuery([...malformed].map((field) => ({ field, message }))))
    }
    const issues = [
      ...unknownKeys(given.flatMap(([field]) => Object.hasOwn(read, field) ? [] : [field]), Object.keys(read)),
      ...given.flatMap(([field, value]): ReadonlyArray<InputIssue> =>
        !Object.hasOwn(read, field)
          ? []
          : typeof value === "string"
          ? []
          : [{ field, message: "Expected the parameter once" }]
      )
    ]
    return issues.length > 0
      ? Effect.fail(badQuery(issues))
      : Effect.succeed(Object.fromEntries(given.map(([field, value]) => [field, read[field]?.(String(value))])))
  }

  const fromBody = Effect.flatMap(RequestBody.jsonObject, (given) => {
    const body = Option.getOrElse(given, () => ({}))
    const unknown = Object.keys(body).filter((key) => route.body === "none" || own.has(key))
    return unknown.length > 0
      ? Effect.fail(new InvalidInput({ issues: unknownKeys(unknown) }))
      : Effect.succeed(body)
  })

  const input = Effect.contextWith(
    (context: Context.Context<OfRequest>) => {
      const { url } = Context.get(context, HttpServerRequest.HttpServerRequest)
      return Effect.flatMap(fromQuery(Context.get(context, HttpServerRequest.ParsedSearchParams), url), (query) => {
        const ofPath = fromPath(Context.get(context, HttpRouter.RouteContext).params)
        return route.method === "GET"
          ? Effect.succeed({ ...query, ...ofPath })
          : Effect.map(fromBody, (body) => ({ ...body, ...query, ...ofPath }))
      })
    }
  )

  const misfit = ({ issues }: InvalidInput): Route["misfit"] => issues.some(isPathFault(route)) ? 400 : route.misfit

  return { input, inRestWords: inRestWords(route), misfit }
}
