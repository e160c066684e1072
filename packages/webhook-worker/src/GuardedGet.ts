/**
 * Reads from an address that somebody wrote into a document: a GET over HTTP/1.1 to addresses that `AddressGuard` has just
 * vetted, whose body is a stream.
 *
 * - Redirects are followed, five at most, and each is vetted like the first address. What is secret goes to the first
 *   origin alone.
 * - A body that is compressed is inflated as it is read, and whoever reads it bounds what comes out.
 * - Whoever says nothing for `patience` is given up, in the middle of a body too; and whoever sends more than twenty
 *   informational responses.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { Context, Duration, Effect, Layer, Schema, type Scope, Stream } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { isIPv6 } from "node:net"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { AddressGuard, type VettedTarget } from "./AddressGuard.ts"
import { endFlood } from "./Informational.ts"

/** Nothing could be read, or not to its end. */
export class GetFault extends Schema.TaggedError<GetFault>()("GetFault", {
  reason: Schema.String,
  /** Who is asked there may not be asked, or only by a person: it makes no sense to try again. */
  refused: Schema.Boolean
}) {
  override get message() {
    return this.reason
  }
}

export interface GetRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent to the origin of `url`, and to no other that it redirects to. */
  readonly secretHeaders?: Readonly<Record<string, string>>
  /** Whether a redirect may lead to that address; to any where it is left out. */
  readonly mayLeadTo?: (url: string) => boolean
}

export interface GetAnswer {
  /** What answered: behind redirects another address than was asked. */
  readonly url: string
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Can be read once, while the scope is open. */
  readonly body: Stream.Stream<Uint8Array, GetFault>
}

export interface GuardedGetOptions {
  /** How long an answer, or the next part of it, may take. */
  readonly patience: Duration.Duration
  readonly userAgent: string
}

const mostRedirects = 5

const transient = (reason: string) => new GetFault({ reason, refused: false })

const reasonOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)

const originOf = ({ hostname, port, secure }: VettedTarget): string =>
  `${secure ? "https" : "http"}://${hostname}:${port}`

const agentOf = ({ addresses, secure }: VettedTarget): Http.Agent => {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const options: Https.AgentOptions = {
    lookup: (_hostname, _options, done) => done(null, found),
    autoSelectFamily: true
  }
  return secure ? new Https.Agent(options) : new Http.Agent(options)
}

/** The body as it arrives; a slow reader slows it down. */
const bodyOf = (response: Http.IncomingMessage, patience: Duration.Duration): Stream.Stream<Uint8Array, GetFault> =>
  Stream.suspend(() => {
    response.setTimeout(Duration.toMillis(patience), () => response.destroy(new Error("nothing came for too long")))
    const source: AsyncIterable<Uint8Array> = response.headers["content-encoding"] === "gzip"
      ? pipeline(response, createGunzip(), () => {})
      : response
    return Stream.fromAsyncIterable(source, (cause) => transient(`the answer broke off: ${reasonOf(cause)}`))
  })

const headersOf = (headers: Http.IncomingHttpHeaders): GetAnswer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
  )

/** One request, answered when the response headers are there. */
const ask = (
  target: VettedTarget,
  headers: Readonly<Record<string, string>>,
  { patience }: GuardedGetOptions
): Effect.Effect<Http.IncomingMessage, GetFault, Scope.Scope> =>
  Effect.gen(function*() {
    const agent = agentOf(target)
    yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
    return yield* Effect.callback<Http.IncomingMessage, GetFault>((resume) => {
      const outgoing = (target.secure ? Https : Http).request({
        agent,
        method: "GET",
        hostname: target.hostname,
        port: target.port,
        path: target.path,
        headers
      })
      outgoing.setTimeout(Duration.toMillis(patience), () => outgoing.destroy(new Error("no answer for too long")))
      endFlood(outgoing, (reason) => resume(Effect.fail(transient(reason))))
      outgoing.once("response", (response) => resume(Effect.succeed(response)))
      outgoing.on("error", (cause) => resume(Effect.fail(transient(`cannot be reached: ${reasonOf(cause)}`))))
      outgoing.end()
      return Effect.sync(() => outgoing.destroy())
    })
  })

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

export class GuardedGet extends Context.Service<GuardedGet, {
  /** Asks once; any status is an answer. */
  get(request: GetRequest): Effect.Effect<GetAnswer, GetFault, Scope.Scope>
}>()("@freehold/webhook-worker/GuardedGet") {
  /** Needs an `AddressGuard`. */
  static readonly layerNoDeps = (options: GuardedGetOptions) =>
    Layer.effect(
      GuardedGet,
      Effect.gen(function*() {
        const guard = yield* AddressGuard
        const vet = (url: string) =>
          guard.vet(url).pipe(Effect.catchTags({
            HostUnresolved: ({ message }) => Effect.fail(transient(message)),
            PrivateAddress: ({ message }) => Effect.fail(new GetFault({ reason: message, refused: true })),
            TargetRefused: ({ message }) => Effect.fail(new GetFault({ reason: message, refused: true }))
          }))
        const follow = Effect.fnUntraced(function*(
          request: GetRequest,
          url: string,
          origin: string | undefined,
          redirects: number
        ): Effect.fn.Return<GetAnswer, GetFault, Scope.Scope> {
          const target = yield* vet(url)
          const own = originOf(target)
          const response = yield* ask(
            target,
            {
              "User-Agent": options.userAgent,
              ...request.headers,
              ...origin === undefined || origin === own ? request.secretHeaders : {}
            },
            options
          )
          const status = response.statusCode ?? 0
          const { location } = response.headers
          if (!isRedirect(status) || location === undefined) {
            return {
              url: target.href,
              status,
              headers: headersOf(response.headers),
              body: bodyOf(response, options.patience)
            }
          }
          response.destroy()
          if (redirects === mostRedirects) return yield* transient(`redirects more than ${mostRedirects} times`)
          const next = URL.parse(location, target.href)
          if (next === null) return yield* transient("redirects to what is no address")
          if (request.mayLeadTo?.(next.href) === false) {
            return yield* new GetFault({ reason: "redirects to where it may not lead", refused: true })
          }
          return yield* follow(request, next.href, origin ?? own, redirects + 1)
        })
        return GuardedGet.of({
          get: Effect.fn("GuardedGet.get")((request) => follow(request, request.url, undefined, 0))
        })
      })
    )

  /** With the address guard of the policy. */
  static readonly layer = ({ policy, ...options }: GuardedGetOptions & { readonly policy: TargetPolicy }) =>
    GuardedGet.layerNoDeps(options).pipe(Layer.provide(AddressGuard.layer({ policy })))
}
