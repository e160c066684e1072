/**
 * JSON-RPC 2.0 messages as this endpoint takes and gives them: one message a request, ids that are short
 * strings or integers.
 */
import { Option, Predicate, Schema } from "effect"

export const parseError = -32700
export const invalidRequest = -32600
export const methodNotFound = -32601
export const invalidParams = -32602
export const internalError = -32603
/** Protocol 2026-07-28: a header says something else than the body. */
export const headerMismatch = -32020
/** Protocol 2026-07-28: a revision that this server does not speak. */
export const unsupportedRevision = -32022

export type Id = string | number

/** The call is answered with an error object instead of a result. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  reason: Schema.String,
  data: Schema.optionalKey(Schema.Unknown)
}) {
  override get message() {
    return this.reason
  }
}

export type Params = Readonly<Record<string, unknown>>

export interface Request {
  readonly id: Id
  readonly method: string
  /** None where there is no object of them. */
  readonly params: Option.Option<Params>
}

export type Message = { readonly _tag: "Request"; readonly request: Request } | { readonly _tag: "Notification" } | {
  readonly _tag: "Invalid"
  readonly id: Id | null
}

/** Longer than any client's; an id is sent back whole. */
const longestId = 256

const isId = (value: unknown): value is Id =>
  typeof value === "string" && value.length <= longestId || typeof value === "number" && Number.isSafeInteger(value)

/** Reads parsed JSON as a message. A batch is invalid: batching left the protocol. */
export const read = (body: unknown): Message => {
  if (!Predicate.isReadonlyObject(body)) return { _tag: "Invalid", id: null }
  const { id, jsonrpc, method, params } = body
  const invalid: Message = { _tag: "Invalid", id: isId(id) ? id : null }
  if (jsonrpc !== "2.0" || typeof method !== "string") return invalid
  if (!Object.hasOwn(body, "id")) return { _tag: "Notification" }
  if (!isId(id)) return invalid
  return { _tag: "Request", request: { id, method, params: Option.liftPredicate(params, Predicate.isReadonlyObject) } }
}

export const resultResponse = (id: Id, result: unknown) => ({ jsonrpc: "2.0", id, result })

export const errorResponse = (id: Id | null, error: RpcError) => ({
  jsonrpc: "2.0",
  id,
  error: { code: error.code, message: error.reason, ...(error.data === undefined ? {} : { data: error.data }) }
})
