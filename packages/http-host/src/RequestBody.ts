/**
 * The body of a request: at most 1 MiB, and where it is read as arguments, a JSON object in UTF-8 of bounded depth and
 * number of values.
 *
 * The cap holds for the bytes that arrive, not only for those that `Content-Length` announces.
 */
import { Caller } from "@freehold/core/access/Caller"
import * as JsonBounds from "@freehold/core/operation/JsonBounds"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { ByteSize, Context, Effect, Option, Predicate, Result } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import * as Pace from "./Pace.ts"
import { badBody, bodyTooLarge, type RequestFault, unsupportedMediaType } from "./RequestFault.ts"
import * as Turns from "./Turns.ts"

export const maximumBytes = 1_048_576

/** The organization for which a request is read; null: nobody is known to have sent it. */
const orgOf = (context: Context.Context<never>): string | null =>
  Option.match(Context.getOption(context, Caller), {
    onNone: () => null,
    onSome: ({ organization }) => organization.org_id
  })

/** The organization sends more than is read of it within the time that its requests wait. */
const tooManyLargeBodies = new TemporarilyUnavailable({ retryAfterSeconds: Math.ceil(Pace.bodies.patience / 1000) })

/** Bytes that are read as JSON in some hundredths of a millisecond. */
const short = 4096

const none = new Uint8Array()

/** The bytes of a request that has arrived whole, as most have when they are read (`Connections`); null: some may be to come. */
const arrived = ({ source }: HttpServerRequest.HttpServerRequest): Uint8Array | null => {
  if (!(source instanceof IncomingMessage) || !source.complete || source.readableFlowing !== null) return null
  const read: unknown = source.read()
  return read instanceof Uint8Array ? read : none
}

const awaited = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, RequestFault> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.catchTag("HttpServerError", ({ reason }) =>
      Effect.fail(
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? bodyTooLarge
          : badBody("The request body could not be read.")
      )),
    Effect.map((buffer) => new Uint8Array(buffer))
  )

/** The bytes as they came; empty when there is no body. They are read once. */
export const bytes = Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
  const request = Context.get(context, HttpServerRequest.HttpServerRequest)
  const orgId = orgOf(context)
  const announced = Number(request.headers["content-length"] ?? 0)
  if (announced > maximumBytes) return Effect.fail(bodyTooLarge)
  const pace = orgId === null
    ? Effect.succeed(true)
    : Pace.ofBodies.wait(orgId, "transfer-encoding" in request.headers ? maximumBytes : announced)
  return pace.pipe(
    Effect.flatMap((isItsTurn): Effect.Effect<Uint8Array, RequestFault | TemporarilyUnavailable> => {
      if (!isItsTurn) return Effect.fail(tooManyLargeBodies)
      const body = arrived(request)
      return body === null ? awaited(request) : Effect.succeed(body)
    }),
    Effect.flatMap((body) => {
      if (body.length > maximumBytes) return Effect.fail(bodyTooLarge)
      // The larger a body is, the longer takes what is done with it; a short one belongs to the turn in which it is read.
      return orgId === null || body.length <= short ? Effect.succeed(body) : Effect.as(Turns.next(orgId), body)
    })
  )
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

/** What the bytes are as JSON, unless they are none or hold too much. */
export const parse = (body: Uint8Array): Result.Result<unknown, RequestFault> => {
  const excess = JsonBounds.excess(body)
  if (excess !== null) return Result.fail(badBody(`The request body ${excess}.`))
  return Result.try({
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
}

/** The JSON object that the body is; none when there is no body. */
export const jsonObject = Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
  Effect.flatMap(bytes, (body) => {
    if (body.length === 0) return Effect.succeedNone
    if (!isJson(Context.get(context, HttpServerRequest.HttpServerRequest))) return Effect.fail(unsupportedMediaType)
    return Effect.flatMap(Effect.fromResult(parse(body)), (value) =>
      Predicate.isObject(value)
        ? Effect.succeedSome(value)
        : Effect.fail(badBody("The request body must be a JSON object.")))
  })
)
