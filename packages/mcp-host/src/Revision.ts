/**
 * The revisions of the protocol, and which era a request belongs to. decisions, sections 15 and 20.
 *
 * | era    | how it is known                                                        | shape of results              |
 * | ------ | ---------------------------------------------------------------------- | ----------------------------- |
 * | modern | `_meta` names a revision, or the method is `server/discover`           | 2026-07-28: result type, meta |
 * | legacy | the method is `initialize`, or the header names a revision before that | plain                         |
 * | bare   | everything else: a call without any handshake                          | plain                         |
 *
 * *Gotchas.* The header alone never makes a request modern, because clients of the older SDK send it too: naming
 * 2026-07-28 there and not in the body is an error. Legacy and bare requests are answered alike, since there are no
 * sessions.
 */
import { excerpt } from "@freehold/core/operation/Excerpt"
import { Option, Predicate, Result } from "effect"
import { Base64 } from "effect/encoding"
import { headerMismatch, invalidParams, type Request, RpcError, unsupportedRevision } from "./JsonRpc.ts"

const modernRevision = "2026-07-28"

/** The revisions that begin with `initialize`, newest first. */
const legacyRevisions: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26"]

const latestLegacyRevision = "2025-11-25"

export const supportedRevisions: ReadonlyArray<string> = [modernRevision, ...legacyRevisions]

export type Era = "modern" | "legacy" | "bare"

/** Header names are in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

const versionKey = "io.modelcontextprotocol/protocolVersion"
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
export const serverInfoKey = "io.modelcontextprotocol/serverInfo"

const refuse = (code: number, reason: string, data?: unknown): Result.Result<never, RpcError> =>
  Result.fail(new RpcError({ code, reason, ...(data === undefined ? {} : { data }) }))

const unsupported = (version: string) => {
  const requested = excerpt(version)
  return refuse(unsupportedRevision, `Unsupported protocol version: ${requested}`, {
    supported: supportedRevisions,
    requested
  })
}

/** Plain, or base64 between `=?base64?` and `?=`; undefined for what is not base64 there. */
const nameOf = (header: string): string | undefined => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Option.getOrUndefined(Result.getSuccess(Base64.decodeString(encoded)))
}

/** What the header Mcp-Name says again of a request's parameters. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

const checkHeaders = (request: Request, headers: Headers, version: string): Result.Result<void, RpcError> => {
  const mismatch = (header: string) =>
    refuse(headerMismatch, `The header ${header} is missing or says something else than the body`, { header })
  if (headers["mcp-protocol-version"]?.trim() !== version) return mismatch("MCP-Protocol-Version")
  if (headers["mcp-method"]?.trim() !== request.method) return mismatch("Mcp-Method")
  const name = namedBy[request.method]
  if (name === undefined) return Result.void
  const named = Option.getOrUndefined(request.params)?.[name]
  const header = headers["mcp-name"]?.trim()
  if (typeof named !== "string" && header === undefined) return Result.void
  return header !== undefined && nameOf(header) === named ? Result.void : mismatch("Mcp-Name")
}

/** The era of a request, or why the request contradicts its own revision (HTTP 400). */
export const eraOf = (request: Request, headers: Headers): Result.Result<Era, RpcError> => {
  const meta = Option.getOrUndefined(request.params)?.["_meta"]
  const envelope = Predicate.isReadonlyObject(meta) ? meta : {}
  const version = envelope[versionKey]
  if (version !== undefined || request.method === "server/discover") {
    if (typeof version !== "string") {
      return refuse(invalidParams, `Expected params._meta["${versionKey}"] to be a string`)
    }
    if (!Predicate.isReadonlyObject(envelope[capabilitiesKey])) {
      return refuse(invalidParams, `Expected params._meta["${capabilitiesKey}"] to be an object`)
    }
    return checkHeaders(request, headers, version).pipe(
      Result.flatMap(() => (version === modernRevision ? Result.succeed<Era>("modern") : unsupported(version)))
    )
  }
  const header = headers["mcp-protocol-version"]?.trim()
  if (header === undefined) return Result.succeed(request.method === "initialize" ? "legacy" : "bare")
  if (header === modernRevision) {
    return refuse(invalidParams, `Protocol ${modernRevision} needs params._meta["${versionKey}"] in every request`)
  }
  return legacyRevisions.includes(header) ? Result.succeed("legacy") : unsupported(header)
}

/** The revision that answers `initialize`: the requested one where it is spoken. */
export const negotiate = (requested: unknown): string =>
  typeof requested === "string" && legacyRevisions.includes(requested) ? requested : latestLegacyRevision

/** What the client of a modern request says that it can do. */
export const clientCapabilities = (params: Readonly<Record<string, unknown>>): unknown => {
  const { _meta: meta } = params
  return Predicate.isReadonlyObject(meta) ? meta[capabilitiesKey] : undefined
}
