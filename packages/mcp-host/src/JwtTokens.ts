/**
 * `PersonTokens` over an authorization server: JSON Web Tokens, verified by the keys that it publishes.
 *
 * | checked   | against                                                                              |
 * | --------- | ------------------------------------------------------------------------------------ |
 * | signature | the issuer's key set, kept for ten minutes; a key that is not in it is looked for anew |
 * | `iss`     | the issuer, to the letter                                                            |
 * | `aud`     | the MCP endpoint's URL (RFC 8707)                                                    |
 * | `exp`     | now; `nbf` too, if there is one                                                      |
 *
 * While the issuer's metadata or its keys cannot be had nobody is let in: IDENTITY_UNRESOLVED.
 *
 * *Gotchas*
 *
 * - A token names its assistant by `client_id` (RFC 9068), or by `azp` or `cid` as some servers do; one that names none is
 *   invalid.
 * - Servers that allow custom claims under a URL alone may send `https://<anything>/email` and so on. An address counts
 *   only with the `email_verified` that stands beside it, plain or under the very same URL.
 * - A token that names an organization is for that one alone. So one that names it in a way that cannot be read, or names
 *   two, is invalid, and not one that names none.
 */
import { IdentityUnresolved, InvalidOauthToken } from "@freehold/core/access/AccessRefusals"
import { OrganizationId } from "@freehold/core/access/Organization"
import { type PersonToken, PersonTokens } from "@freehold/core/access/PersonTokens"
import { Cache, DateTime, Duration, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose"
import * as IssuerMetadata from "./IssuerMetadata.ts"

const metadataLife = Duration.hours(1)

/** How long a failure of the issuer is kept, so that not every request waits for it. */
const failureLife = Duration.seconds(5)

const keysLife = Duration.minutes(10)

/** How soon an unknown key may make the key set be read again. */
const rotationPause = Duration.seconds(30)

/** Seconds that the clocks may differ. */
const clockTolerance = 10

/** Signatures of public keys; nothing that the holder of a shared secret could make. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]

const maximumName = 1_000

const keySet = ({ jwks_uri }: IssuerMetadata.Metadata): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: Duration.toMillis(IssuerMetadata.deadline),
    cacheMaxAge: Duration.toMillis(keysLife),
    cooldownDuration: Duration.toMillis(rotationPause)
  })

/** The token is to blame, and not the way to the keys. */
const isTokensFault = (cause: unknown): boolean =>
  cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed ||
  cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid ||
  cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JOSEAlgNotAllowed ||
  cause instanceof errors.JOSENotSupported || cause instanceof errors.JWKSNoMatchingKey ||
  cause instanceof errors.JWKSMultipleMatchingKeys

const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= maximumName && !/\p{Cc}/u.test(value) &&
    value.isWellFormed()
    ? value
    : null

/** Where a claim stands: "" for its plain name, and the URL, up to its last slash, of each that ends in the name. */
const placesOf = (payload: JWTPayload, name: string): ReadonlyArray<string> =>
  Object.keys(payload)
    .filter((key) => key === name || key.startsWith("https://") && key.endsWith(`/${name}`))
    .map((key) => key.slice(0, -name.length))

/** The one address that is verified where it stands; null: none is, or several are. */
const verifiedEmail = (payload: JWTPayload): string | null => {
  const verified = placesOf(payload, "email").filter((place) => {
    const claim = payload[`${place}email_verified`]
    return claim === true || claim === "true"
  })
  const [email = null, ...others] = new Set(verified.map((place) => text(payload[`${place}email`])))
  return others.length === 0 ? email : null
}

const isOrganizationId = Schema.is(OrganizationId)

/** The organization that the token names, null where it names none; none where what it names cannot be told. */
const organizationOf = (payload: JWTPayload): Option.Option<string | null> => {
  const [named, ...others] = new Set(placesOf(payload, "org_id").map((place) => payload[`${place}org_id`]))
  if (others.length > 0) return Option.none()
  return named === undefined ? Option.some(null) : isOrganizationId(named) ? Option.some(named) : Option.none()
}

const words = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.split(" ").filter((word) => word !== "")
    : Array.isArray(value)
    ? value.filter((word): word is string => typeof word === "string")
    : []

const personOf = (issuer: string, payload: JWTPayload): Option.Option<PersonToken> => {
  const subject = text(payload.sub)
  const clientId = text(payload["client_id"] ?? payload["azp"] ?? payload["cid"])
  const organization = organizationOf(payload)
  return subject === null || clientId === null || Option.isNone(organization) ? Option.none() : Option.some({
    issuer,
    subject,
    email: verifiedEmail(payload),
    clientId,
    scopes: words(payload["scope"] ?? payload["scp"]),
    orgId: organization.value
  })
}

/** Tokens of `issuer` for `audience`, the MCP endpoint's URL. */
export const layer = (settings: { readonly issuer: string; readonly audience: string }): Layer.Layer<PersonTokens> =>
  Layer.effect(
    PersonTokens,
    Effect.gen(function*() {
      const { audience, issuer } = settings
      const unresolved = (fault: IssuerMetadata.IssuerFault) =>
        Effect.logWarning(`The authorization server cannot be asked: ${fault.reason}`).pipe(
          Effect.andThen(Effect.fail(new IdentityUnresolved({ retryAfterSeconds: 1 })))
        )
      const keys = yield* Cache.makeWith((from: string) => Effect.map(IssuerMetadata.discover(from), keySet), {
        capacity: 1,
        timeToLive: (exit) => Exit.isSuccess(exit) ? metadataLife : failureLife
      })
      const verify = (token: string, getKey: JWTVerifyGetKey, currentDate: Date) =>
        Effect.tryPromise({
          try: () =>
            jwtVerify(token, getKey, {
              issuer,
              audience,
              algorithms,
              clockTolerance,
              requiredClaims: ["exp", "sub"],
              currentDate
            }),
          catch: (cause) => isTokensFault(cause) ? new InvalidOauthToken() : IssuerMetadata.faultOf(issuer)(cause)
        })

      return PersonTokens.of({
        verify: Effect.fn("PersonTokens.verify")(
          function*(token) {
            const getKey = yield* Cache.get(keys, issuer)
            const now = DateTime.toDateUtc(yield* DateTime.now)
            const { payload } = yield* verify(Redacted.value(token), getKey, now)
            const person = personOf(issuer, payload)
            return Option.isSome(person) ? person.value : yield* new InvalidOauthToken()
          },
          Effect.catchTag("IssuerFault", unresolved)
        )
      })
    })
  )
