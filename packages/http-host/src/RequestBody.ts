/**
 * The body of a request: at most 1 MiB, and where it is read as arguments, a JSON object in UTF-8 of bounded depth.
 *
 * The cap holds for the bytes that arrive, not only for those that `Content-Length` announces.
 */
import { ByteSize, Effect, Option, Predicate, Result } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { badBody, bodyTooLarge, type RequestFault, unsupportedMediaType } from "./RequestFault.ts"

export const maximumBytes = 1_048_576

/** The bytes as they came; empty when there is no body. */
export const bytes = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Number(request.headers["content-length"] ?? 0) > maximumBytes) return yield* bodyTooLarge
  const buffer = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.catchTag("HttpServerError", ({ reason }) =>
      Effect.fail(
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? bodyTooLarge
          : badBody("The request body could not be read.")
      ))
  )
  return new Uint8Array(buffer)
})

/** `application/json`, in UTF-8 if it says, and not compressed. */
const isJson = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const [essence = "", ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";")
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity"
  return essence.trim() === "application/json" && encoding === "identity" &&
    parameters.map((parameter) => parameter.trim()).every((parameter) =>
      !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter)
    )
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (body: Uint8Array): Result.Result<unknown, RequestFault> =>
  Result.try({
    try: () => utf8.decode(body),
    catch: () => badBody("The request body is not valid UTF-8.")
  }).pipe(
    Result.flatMap((text) =>
      Result.try({
        try: (): unknown => JSON.parse(text),
        catch: () => badBody("The request body is not valid JSON.")
      })
    )
  )

/** Deeper than anything that an endpoint takes, and no danger to the stack of what walks through it. */
const maximumDepth = 100

const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth < maximumDepth; depth++) {
    level = level.flatMap((each) => Array.isArray(each) || Predicate.isObject(each) ? Object.values(each) : [])
    if (level.length === 0) return false
  }
  return true
}

/** The JSON object that the body is; none when there is no body. */
export const jsonObject = Effect.gen(function*() {
  const body = yield* bytes
  if (body.length === 0) return Option.none<Readonly<Record<string, unknown>>>()
  if (!isJson(yield* HttpServerRequest.HttpServerRequest)) return yield* unsupportedMediaType
  const value = yield* Effect.fromResult(parse(body))
  if (!Predicate.isObject(value)) return yield* badBody("The request body must be a JSON object.")
  if (isTooDeep(value)) return yield* badBody(`The request body is nested more than ${maximumDepth} levels deep.`)
  return Option.some(value)
})
