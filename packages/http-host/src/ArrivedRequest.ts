/**
 * A request that has arrived whole, as Effect's handlers see it. What few of them ask for (headers as a record of Effect's, the
 * body as anything but bytes) is made when it is asked for.
 *
 * *Gotchas.* Its body is read once. No route takes forms in parts or takes a connection over, so those are refused.
 */
import { Effect, Inspectable, Option, type Schema, Stream } from "effect"
import {
  Cookies,
  Headers,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  Multipart,
  UrlParams
} from "effect/http"
import type { GatheredRequest } from "./GatheredRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What somebody says in the place of what came. */
type Instead = Parameters<Request["modify"]>[0]

const none = new Uint8Array()

export class ArrivedRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId] = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
  readonly source: GatheredRequest
  readonly #instead: Instead
  #headers: Headers.Headers | null = null

  constructor(source: GatheredRequest, instead: Instead) {
    super()
    this.source = source
    this.#instead = instead
  }

  get method(): string {
    return this.source.method ?? ""
  }

  get url(): string {
    return this.#instead.url ?? this.source.url ?? ""
  }

  get originalUrl(): string {
    const { host } = this.source.headers
    return host === undefined ? this.url : `http://${host}${this.source.url}`
  }

  get headers(): Headers.Headers {
    return this.#instead.headers ?? (this.#headers ??= Headers.fromInput(this.source.headers))
  }

  get cookies(): Readonly<Record<string, string>> {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get protocol(): "http" | "https" | undefined {
    return this.#instead.protocol
  }

  get remoteAddress(): Option.Option<string> {
    return this.#instead.remoteAddress ?? this.peerAddress
  }

  get peerAddress(): Option.Option<string> {
    return this.#instead.peerAddress ?? Option.fromNullishOr(this.source.socket.remoteAddress)
  }

  modify(instead: Instead): ArrivedRequest {
    return new ArrivedRequest(this.source, { ...this.#instead, ...instead })
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    return Effect.sync(() => new Uint8Array(this.#bytes()).buffer)
  }

  get text(): Effect.Effect<string, HttpServerError.HttpServerError> {
    return Effect.sync(() => new TextDecoder().decode(this.#bytes()))
  }

  get json(): Effect.Effect<Schema.Json, HttpServerError.HttpServerError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: (): Schema.Json => text === "" ? null : JSON.parse(text),
        catch: (cause) => this.#unreadable("its body is not JSON", cause)
      }))
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.HttpServerError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError.HttpServerError> {
    return Stream.fromEffect(Effect.sync(() => this.#bytes()))
  }

  get multipart(): Request["multipart"] {
    return Effect.fail(Multipart.MultipartError.fromReason("Parse"))
  }

  get multipartStream(): Request["multipartStream"] {
    return Stream.fail(Multipart.MultipartError.fromReason("Parse"))
  }

  get upgrade(): Request["upgrade"] {
    return Effect.fail(this.#unreadable("its connection is not given away"))
  }

  upgradeWith(): Request["upgrade"] {
    return this.upgrade
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpServerRequest",
      method: this.method,
      url: UrlParams.redactUrl(this.originalUrl)
    })
  }

  #bytes(): Uint8Array {
    const read: unknown = this.source.read()
    return read instanceof Uint8Array ? read : none
  }

  #unreadable(description: string, cause?: unknown): HttpServerError.HttpServerError {
    return new HttpServerError.HttpServerError({
      reason: new HttpServerError.RequestParseError({ request: this, description, cause })
    })
  }
}
