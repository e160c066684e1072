/**
 * What an authorization server publishes of itself, looked for as RFC 8414 and OpenID Connect Discovery have it.
 *
 * It must be the metadata of that very issuer, to the letter.
 */
import { Duration, Effect, Schema } from "effect"
import { boundedFetch } from "./BoundedFetch.ts"

/** Time within which an issuer must answer. */
export const deadline = Duration.seconds(3)

const Metadata = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
export type Metadata = typeof Metadata.Type

const decodeMetadata = Schema.decodeUnknownEffect(Metadata)

/** The issuer cannot be asked, or does not say what it must. */
export class IssuerFault extends Schema.TaggedError<IssuerFault>()("IssuerFault", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Where an issuer's metadata may be: RFC 8414 first, OpenID Connect Discovery then. */
export const metadataUrls = (issuer: string): ReadonlyArray<string> => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, "")
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`
  ]
}

export const faultOf = (url: string) => (cause: unknown) =>
  new IssuerFault({ reason: `${url}: ${cause instanceof Error ? cause.message : String(cause)}` })

const metadataAt = Effect.fnUntraced(function*(url: string, issuer: string) {
  const body = yield* Effect.tryPromise({
    try: (signal) =>
      boundedFetch(url, { signal, redirect: "error", headers: { accept: "application/json" } }).then(
        (response): Promise<unknown> =>
          response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`))
      ),
    catch: faultOf(url)
  })
  const metadata = yield* Effect.mapError(decodeMetadata(body), faultOf(url))
  if (metadata.issuer !== issuer) {
    return yield* new IssuerFault({ reason: `${url}: it is the metadata of ${metadata.issuer}, not of ${issuer}` })
  }
  return metadata
})

/** The metadata of the issuer, asked anew. */
export const discover = (issuer: string) =>
  Effect.firstSuccessOf(metadataUrls(issuer).map((url) => metadataAt(url, issuer))).pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () => Effect.fail(new IssuerFault({ reason: `${issuer}: no answer in time` }))
    })
  )
