/**
 * Records as resources: what a person attaches to a conversation. Each is read by the very operation that its tool runs, so
 * admission, territory, limits and metering are the same.
 *
 * | URI                          | read by                     |
 * | ---------------------------- | --------------------------- |
 * | `freehold://properties/{id}` | service_get_property        |
 * | `freehold://contacts/{id}`   | service_get_contact         |
 * | `freehold://lists/{id}`      | service_get_list_items      |
 * | `freehold://ledger/{month}`  | service_get_credit_ledger   |
 * | `ui://freehold/property`     | nothing: a page of this host |
 *
 * A month with more entries than fit into one reading tells the URI that goes on with it.
 */
import { Caller } from "@freehold/core/access/Caller"
import { excerpt } from "@freehold/core/operation/Excerpt"
import { Clock, DateTime, Effect, Predicate } from "effect"
import { invalidParams, RpcError } from "./JsonRpc.ts"
import { monthOf } from "./Prompts.ts"
import * as PropertyCard from "./PropertyCard.ts"
import type { Toolbox } from "./Toolbox.ts"
import type { ToolResult } from "./ToolResult.ts"

const json = "application/json"

export const templates = [
  {
    uriTemplate: "freehold://properties/{id}",
    name: "property",
    title: "A property",
    description:
      "One property by id or key, with its research and contacts as far as they are open. May draw the daily limit.",
    mimeType: json
  },
  {
    uriTemplate: "freehold://contacts/{id}",
    name: "contact",
    title: "A contact",
    description: "One person by id, as far as they are open. May draw the daily limit.",
    mimeType: json
  },
  {
    uriTemplate: "freehold://lists/{id}",
    name: "list",
    title: "A list",
    description: "What is on a list, last added first: its first 200 items.",
    mimeType: json
  },
  {
    uriTemplate: "freehold://ledger/{month}",
    name: "ledger",
    title: "The ledger of a month",
    description:
      "Every grant, charge, refund and expiry of a month such as 2026-11; next_uri reads on. For admins and keys with account:read.",
    mimeType: json
  }
] as const

/** Most lists that are listed as resources, and items and entries that one shows. */
const page = 200

type Box = Toolbox["Service"]
type Read = Effect.Effect<ToolResult, RpcError, Caller>

const notFound = (uri: string) =>
  new RpcError({ code: invalidParams, reason: `Resource not found: ${excerpt(uri)}`, data: { uri: excerpt(uri) } })

/** The span of a month `YYYY-MM`, as the ledger takes it. */
const spanOf = (month: string): { readonly since: string; readonly until: string } | undefined => {
  const start = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? new Date(`${month}-01T00:00:00.000Z`) : undefined
  if (start === undefined) return undefined
  const end = new Date(start)
  end.setUTCMonth(end.getUTCMonth() + 1)
  return { since: start.toISOString(), until: end.toISOString() }
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** How the record behind the URI is read; undefined: there is none of that form. */
const readerOf = (toolbox: Box, uri: string): Read | undefined => {
  const [, kind, part = "", rest] = /^freehold:\/\/([a-z]+)\/([^/?#]+)(?:\?cursor=([^&#]+))?$/.exec(uri) ?? []
  const id = decoded(part)
  const cursor = rest === undefined ? undefined : decoded(rest)
  if (id === undefined || rest !== undefined && (cursor === undefined || kind !== "ledger")) return undefined
  switch (kind) {
    case "properties":
      return toolbox.call("service_get_property", { id })
    case "contacts":
      return toolbox.call("service_get_contact", { id })
    case "lists":
      return toolbox.call("service_get_list_items", { list_id: id, limit: page })
    case "ledger": {
      const span = spanOf(id)
      return span &&
        toolbox.read("service_get_credit_ledger", { ...span, ...cursor === undefined ? {} : { cursor }, limit: page })
    }
    default:
      return undefined
  }
}

/** The result as a text, with the URI of what comes next where there is more of it. */
const textOf = (uri: string, { content: [told], structuredContent }: ToolResult): string => {
  const next = structuredContent["next_cursor"]
  const isLedger = uri.startsWith("freehold://ledger/")
  return isLedger && typeof next === "string"
    ? JSON.stringify({
      ...structuredContent,
      next_uri: `${uri.replace(/\?.*$/, "")}?cursor=${encodeURIComponent(next)}`
    })
    : told?.text ?? ""
}

/** What `resources/read` answers; a refusal of the operation is an error that carries it. */
export const read = Effect.fnUntraced(function*(toolbox: Box, uri: string) {
  if (uri === PropertyCard.uri) return { contents: [PropertyCard.content] }
  const reader = readerOf(toolbox, uri)
  if (reader === undefined) return yield* notFound(uri)
  const result = yield* reader
  const { _meta, isError, structuredContent } = result
  const text = textOf(uri, result)
  return isError === true
    ? yield* new RpcError({ code: invalidParams, reason: text, data: { uri: excerpt(uri), ...structuredContent } })
    : { contents: [{ uri, mimeType: json, text }], ...(_meta === undefined ? {} : { _meta }) }
})

/** The lists that a result shows, by id and name. */
export const listsIn = ({ isError, structuredContent: { lists } }: ToolResult) =>
  isError === true || !Array.isArray(lists) ?
    [] :
    lists.flatMap((list: unknown) =>
      Predicate.isReadonlyObject(list) && typeof list["id"] === "string" && typeof list["list_name"] === "string"
        ? [{ id: list["id"], name: list["list_name"] }]
        : []
    )

/** What `resources/list` answers: what there is, and this caller may read, without knowing an id. */
export const list = Effect.fnUntraced(function*(toolbox: Box) {
  const caller = yield* Caller
  const month = monthOf(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const lists = listsIn(yield* toolbox.call("service_list_lists", { limit: page }))
  return {
    resources: [
      ...toolbox.mayRead("service_get_credit_ledger", caller)
        ? [{
          uri: `freehold://ledger/${month}`,
          name: `ledger ${month}`,
          title: "The ledger of this month",
          mimeType: json
        }]
        : [],
      ...lists.map(({ id, name }) => ({ uri: `freehold://lists/${id}`, name, title: name, mimeType: json })),
      PropertyCard.resource
    ]
  }
})
