/** The request of REST that asks the same as a tool with these arguments, where the table of routes has one. */
import { type Route, routes } from "@freehold/http-host/Routes"
import type { Tool } from "@freehold/mcp-host/Tools"

export interface RestRequest {
  readonly method: string
  readonly path: string
  /** Undefined: none is sent. */
  readonly body: object | undefined
}

/** The route of the tool's operation. */
export const routeOf = ({ operation }: Tool): Route | undefined =>
  routes.find((route: Route) => route.operation.name === operation.name)

/** The same arguments, where the route has each of them. */
export const requestOf = (
  { body, method, parameters, path, query }: Route,
  input: Readonly<Record<string, unknown>>
): RestRequest => {
  const used = new Set([...Object.values(parameters), ...query])
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[parameters[name] ?? name])))
  const search = new URLSearchParams(
    query.flatMap((key): Array<[string, string]> => input[key] === undefined ? [] : [[key, String(input[key])]])
  )
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !used.has(key)))
  return {
    method,
    path: search.size === 0 ? url : `${url}?${search}`,
    body: method === "POST" ? body === "arguments" ? rest : {} : undefined
  }
}

/** What the route shows of a result of the tool. */
export const shownOf = ({ shape }: Route, result: Readonly<Record<string, unknown>>): unknown =>
  shape === null ? result : shape.show(result).data
