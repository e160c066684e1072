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
 * A month with more entries, or a list with more items, than fit into one reading tells the URI that goes on with it.
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
    description: "What is on a list, last added first; next_uri reads on.",
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

/** Most lists on a page of the resources, and items and entries that one of these shows. */
const page = 200

/** What is read page by page. */
const paged: ReadonlySet<string> = new Set(["lists", "ledger"])

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
  if (id === undefined || rest !== undefined && (cursor === undefined || !paged.has(kind ?? ""))) return undefined
  const onward = cursor === undefined ? {} : { cursor }
  switch (kind) {
    case "properties":
      return toolbox.call("service_get_property", { id })
    case "contacts":
      return toolbox.call("service_get_contact", { id })
    case "lists":
      return toolbox.call("service_get_list_items", { list_id: id, ...onward, limit: page })
    case "ledger": {
      const span = spanOf(id)
      return span &&
        toolbox.read("service_get_credit_ledger", { ...span, ...onward, limit: page })
    }
    default:
      return undefined
  }
}

/** The result as a text, with the URI of what comes next where there is more of it. */
const textOf = (uri: string, { content: [told], structuredContent }: ToolResult): string => {
  const next = structuredContent["next_cursor"]
  const [, kind = ""] = /^freehold:\/\/([a-z]+)\//.exec(uri) ?? []
  return paged.has(kind) && typeof next === "string"
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

/** Told once, at the beginning: what there is whatever lists there are. */
const fixed = Effect.fnUntraced(function*(toolbox: Box) {
  const caller = yield* Caller
  const month = monthOf(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  return [
    ...toolbox.mayRead("service_get_credit_ledger", caller)
      ? [{
        uri: `freehold://ledger/${month}`,
        name: `ledger ${month}`,
        title: "The ledger of this month",
        mimeType: json
      }]
      : [],
    PropertyCard.resource
  ]
})

/** What the caller may not list is not there; what cannot be looked for now, or a cursor of another list, is refused. */
const isHidden = ({ isError, structuredContent: { code } }: ToolResult): boolean =>
  isError === true && code !== "INVALID_CURSOR" && code !== "INVALID_ARGUMENTS" && code !== "TEMPORARILY_UNAVAILABLE"

/**
 * What `resources/list` answers: what there is, and this caller may read, without knowing an id. A page at a time, as far as
 * there are more lists.
 */
export const list = Effect.fnUntraced(function*(toolbox: Box, cursor?: string) {
  const found = yield* toolbox.call("service_list_lists", { limit: page, ...cursor === undefined ? {} : { cursor } })
  const { error, next_cursor: next } = found.structuredContent
  if (found.isError === true && !isHidden(found)) {
    return yield* new RpcError({
      code: invalidParams,
      reason: typeof error === "string" ? error : "Expected params.cursor to be the nextCursor of the page before"
    })
  }
  return {
    resources: [
      ...cursor === undefined ? yield* fixed(toolbox) : [],
      ...listsIn(found).map(({ id, name }) => ({ uri: `freehold://lists/${id}`, name, title: name, mimeType: json }))
    ],
    ...typeof next === "string" ? { nextCursor: next } : {}
  }
})
