/**
 * The body of a request: at most 1 MiB, or 4 KiB where somebody signs in, and where it is read as arguments, a JSON object in
 * UTF-8 of bounded depth and number of values.
 *
 * The cap holds for the bytes that arrive, not only for those that `Content-Length` announces. A large body goes at the pace, and is
 * handed on in the turn, of whoever is let in in the context in which it is read: of an organization, or of the operator's own people,
 * who wait behind nobody. Where there is neither, it is a stranger's.
 */
import { Caller } from "@freehold/core/access/Caller"
import { Operator } from "@freehold/core/access/Operator"
import * as JsonBounds from "@freehold/core/operation/JsonBounds"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { ByteSize, Context, Effect, Option, Predicate, Result } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import * as Pace from "./Pace.ts"
import { RequestFacts } from "./RequestFacts.ts"
import { badBody, bodyTooLarge, type RequestFault, unsupportedMediaType } from "./RequestFault.ts"
import * as Turns from "./Turns.ts"

export const maximumBytes = 1_048_576

type OfRequest = RequestFacts | HttpServerRequest.HttpServerRequest

/** Whose pace and turn a body has; null: it waits for nobody. */
const clientOf = (context: Context.Context<RequestFacts>): Turns.Client | null => {
  const { address } = Context.get(context, RequestFacts)
  const caller = Context.getOption(context, Caller)
  if (Option.isSome(caller)) return { orgId: caller.value.organization.org_id, address }
  return Option.isSome(Context.getOption(context, Operator)) ? null : { orgId: null, address }
}

/** The client sends more than is read of it within the time that its requests wait. */
const tooManyLargeBodies = new TemporarilyUnavailable({ retryAfterSeconds: Math.ceil(Pace.bodies.patience / 1000) })

/** A body may be so large, and is refused with `tooLarge` beyond it. */
interface Bound {
  readonly most: number
  readonly tooLarge: RequestFault
}

const large: Bound = { most: maximumBytes, tooLarge: bodyTooLarge("1 MiB") }

/** Its bytes are read as JSON in some hundredths of a millisecond. */
const short: Bound = { most: 4096, tooLarge: bodyTooLarge("4 KiB") }

const none = new Uint8Array()

/** What a request that has arrived whole is read from, as most have when they are read (`Connections`); null: some may be to come. */
const whole = ({ source }: HttpServerRequest.HttpServerRequest): IncomingMessage | null =>
  source instanceof IncomingMessage && source.complete && source.readableFlowing === null ? source : null

/** How long its body is: `most` where it does not say and some may be to come. */
const lengthOf = (request: HttpServerRequest.HttpServerRequest, most: number): number =>
  "transfer-encoding" in request.headers
    ? whole(request)?.readableLength ?? most
    : Number(request.headers["content-length"] ?? 0)

/** The bytes of a request that has arrived whole; null: some may be to come. */
const arrived = (request: HttpServerRequest.HttpServerRequest): Uint8Array | null => {
  const source = whole(request)
  if (source === null) return null
  const read: unknown = source.read()
  return read instanceof Uint8Array ? read : none
}

const awaited = (
  request: HttpServerRequest.HttpServerRequest,
  { most, tooLarge }: Bound
): Effect.Effect<Uint8Array, RequestFault> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(most)),
    Effect.catchTag("HttpServerError", ({ reason }) =>
      Effect.fail(
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? tooLarge
          : badBody("The request body could not be read.")
      )),
    Effect.map((buffer) => new Uint8Array(buffer))
  )

/** The bytes of a body within the bound. */
const within = (bound: Bound) =>
  Effect.contextWith((context: Context.Context<OfRequest>) => {
    const { most, tooLarge } = bound
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const client = clientOf(context)
    const length = lengthOf(request, most)
    if (length > most) return Effect.fail(tooLarge)
    const pace = client === null ? Effect.succeed(true) : Pace.ofBodies.wait(client.orgId, length)
    return pace.pipe(
      Effect.flatMap((isItsTurn): Effect.Effect<Uint8Array, RequestFault | TemporarilyUnavailable> => {
        if (!isItsTurn) return Effect.fail(tooManyLargeBodies)
        const body = arrived(request)
        return body === null ? awaited(request, bound) : Effect.succeed(body)
      }),
      Effect.flatMap((body) => {
        if (body.length > most) return Effect.fail(tooLarge)
        // The larger a body is, the longer takes what is done with it; a short one belongs to the turn in which it is read.
        return client === null || body.length <= short.most
          ? Effect.succeed(body)
          : Effect.as(Turns.nextOf(client), body)
      })
    )
  })

/** The bytes as they came; empty when there is no body. They are read once. */
export const bytes = within(large)

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

/** The JSON object in the bytes. */
const objectIn = (body: typeof bytes) =>
  Effect.contextWith((context: Context.Context<OfRequest>) =>
    Effect.flatMap(body, (read) => {
      if (read.length === 0) return Effect.succeedNone
      if (!isJson(Context.get(context, HttpServerRequest.HttpServerRequest))) return Effect.fail(unsupportedMediaType)
      return Effect.flatMap(Effect.fromResult(parse(read)), (value) =>
        Predicate.isObject(value)
          ? Effect.succeedSome(value)
          : Effect.fail(badBody("The request body must be a JSON object.")))
    })
  )

/** The JSON object that the body is; none when there is no body. */
export const jsonObject = objectIn(bytes)

/** The same of a body that is short. */
export const shortJsonObject = objectIn(within(short))
