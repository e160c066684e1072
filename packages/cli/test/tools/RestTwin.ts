/** The request of REST that asks the same as a tool with these arguments, where the table of routes has one. */
import { GetNotes, ListNotes } from "@freehold/core/note/NoteOperations"
import type { RefusalClass } from "@freehold/core/operation/Operation"
import { restWords } from "@freehold/http-host/RestRefusals"
import { type Route, routes } from "@freehold/http-host/Routes"
import { type Outcome, outcomes } from "@freehold/http-host/Status"
import type { Tool } from "@freehold/mcp-host/Tools"

export interface RestRequest {
  readonly method: string
  readonly path: string
  /** Undefined: none is sent. */
  readonly body: object | undefined
}

/** Where REST has an operation of its own for what a tool does. */
const twins: Readonly<Record<string, string>> = { [ListNotes.name]: GetNotes.name }

/** What such an operation calls the tool's arguments. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [GetNotes.name]: { property_id: "propertyId" }
}

/** The route that does what the tool does. */
export const routeOf = ({ operation: { name } }: Tool): Route | undefined =>
  routes.find((route: Route) => route.operation.name === (twins[name] ?? name))

/** The same arguments, and those that the route does not have. */
export const requestOf = (
  { method, operation, parameters, path, query }: Route,
  given: Readonly<Record<string, unknown>>
): RestRequest => {
  const input: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [renamed[operation.name]?.[key] ?? key, value])
  )
  const named = new Set(Object.values(parameters))
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[parameters[name] ?? name])))
  const others = Object.entries(input).filter(([key, value]) => !named.has(key) && value !== undefined)
  const isAsked = (key: string) => query.includes(key) || method !== "POST"
  const search = new URLSearchParams(
    others.flatMap(([key, value]): Array<[string, string]> => isAsked(key) ? [[key, String(value)]] : [])
  )
  return {
    method,
    path: search.size === 0 ? url : `${url}?${search}`,
    body: method === "POST" ? Object.fromEntries(others.filter(([key]) => !isAsked(key))) : undefined
  }
}

/** What the route shows of a result of the tool. */
export const shownOf = ({ shape }: Route, result: Readonly<Record<string, unknown>>): unknown =>
  shape === null ? result : shape.show(result).data

const words: Readonly<Record<string, ReadonlyArray<RefusalClass>>> = restWords

const stands: Readonly<Record<string, Outcome>> = outcomes

/** The code that the route has for a refusal of the tool; undefined: none. decisions, section 20. */
export const codeOf = ({ uncoded }: Route, code: string): string | undefined => {
  const told = words[code]?.[0]?.identifier ?? code
  return stands[told]?.code === "nowhere" || uncoded.some((each) => each === told) ? undefined : told
}
