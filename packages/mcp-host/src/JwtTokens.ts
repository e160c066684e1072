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
 * While the issuer's metadata or its keys cannot be had nobody is let in: IDENTITY_UNRESOLVED. But a token that was verified a moment
 * ago is not verified again: an assistant asks many things in a row.
 *
 * A token names its assistant by `client_id` (RFC 9068), or by `azp` or `cid` as some servers do; one that names none is
 * invalid. What it says of the person is read by core's `PersonClaims`.
 */
import { IdentityUnresolved, InvalidOauthToken } from "@freehold/core/access/AccessRefusals"
import { IssuerWatch } from "@freehold/core/access/IssuerWatch"
import * as PersonClaims from "@freehold/core/access/PersonClaims"
import { type PersonToken, PersonTokens } from "@freehold/core/access/PersonTokens"
import * as LogPace from "@freehold/core/operation/LogPace"
import { remember } from "@freehold/core/operation/Remember"
import { Cache, Clock, DateTime, Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions
} from "jose"
import { hash } from "node:crypto"
import { boundedFetch } from "./BoundedFetch.ts"
import * as IssuerMetadata from "./IssuerMetadata.ts"
import * as KeySet from "./KeySet.ts"

const metadataLife = Duration.hours(1)

/** How long a failure of the issuer is kept, so that not every request waits for it. */
const failureLife = Duration.seconds(5)

const keysLife = Duration.minutes(10)

/** How soon an unknown key may make the key set be read again. */
const rotationPause = Duration.seconds(30)

/** Seconds that the clocks may differ. */
const clockTolerance = 10

/** Milliseconds for which a token that was verified is known; never longer than it is valid. */
const knownMillis = 60_000

/** As many tokens are known; those that were verified last. */
const mostKnown = 2000

interface Known {
  readonly person: PersonToken
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Keys that are tried for a token that fits several: it names none, or they share a name. */
const mostTried = 8

/** `answered`: hears, each time the keys are read, which of them verify nothing. */
const keySet =
  (answered: (unusable: ReadonlyArray<KeySet.UnusableKey>) => void) => ({ jwks_uri }: IssuerMetadata.Metadata) => {
    let failure: { readonly cause: unknown; readonly until: number } | undefined
    const read = async (url: string, options: RequestInit) => {
      const response = await boundedFetch(url, options)
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      const { unusable, usable } = await KeySet.judge(await response.json())
      answered(unusable)
      return Response.json({ keys: usable })
    }
    return createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: Duration.toMillis(IssuerMetadata.deadline),
      cacheMaxAge: Duration.toMillis(keysLife),
      cooldownDuration: Duration.toMillis(rotationPause),
      [customFetch]: async (url, options) => {
        // By the clock of the machine, as the keys are kept.
        if (failure !== undefined && Date.now() < failure.until) throw failure.cause
        try {
          return await read(url, options)
        } catch (cause) {
          failure = { cause, until: Date.now() + Duration.toMillis(failureLife) }
          throw cause
        }
      }
    })
  }

/** Verifies by whichever key it was that signed. */
const verifyBy = async (token: string, getKey: JWTVerifyGetKey, options: JWTVerifyOptions) => {
  try {
    return await jwtVerify(token, getKey, options)
  } catch (several) {
    if (!(several instanceof errors.JWKSMultipleMatchingKeys)) throw several
    let left = mostTried
    for await (const key of several) {
      if (left-- === 0) break
      try {
        return await jwtVerify(token, key, options)
      } catch (cause) {
        if (!(cause instanceof errors.JWSSignatureVerificationFailed)) throw cause
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** The token is to blame, and not the way to the keys. */
const isTokensFault = (cause: unknown): boolean =>
  cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed ||
  cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid ||
  cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JOSEAlgNotAllowed ||
  cause instanceof errors.JOSENotSupported || cause instanceof errors.JWKSNoMatchingKey

const words = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.split(" ").filter((word) => word !== "")
    : Array.isArray(value)
    ? value.filter((word): word is string => typeof word === "string")
    : []

const personOf = (issuer: string, payload: JWTPayload): Option.Option<PersonToken> => {
  const subject = PersonClaims.text(payload.sub)
  const clientId = PersonClaims.text(payload["client_id"] ?? payload["azp"] ?? payload["cid"])
  const organization = PersonClaims.organizationOf(payload)
  return subject === null || clientId === null || Option.isNone(organization) ? Option.none() : Option.some({
    issuer,
    subject,
    email: PersonClaims.verifiedEmail(payload),
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
      const watch = yield* IssuerWatch
      /** While the issuer is away, anybody's bearer in the form of a token has it told. */
      const pace = LogPace.make()
      const unresolved = (fault: IssuerMetadata.IssuerFault) =>
        pace(Effect.logWarning(`The authorization server cannot be asked: ${fault.reason}`)).pipe(
          Effect.andThen(watch.failed(issuer)),
          Effect.andThen(Effect.fail(new IdentityUnresolved({ retryAfterSeconds: 1 })))
        )
      const runFork = Effect.runForkWith(yield* Effect.context())
      let lastTold = ""
      const answered = (unusable: ReadonlyArray<KeySet.UnusableKey>) => {
        runFork(watch.answered)
        const words = KeySet.told(unusable)
        if (words !== lastTold && words !== "") {
          runFork(Effect.logWarning(`The authorization server publishes keys that verify nothing here: ${words}`))
        }
        lastTold = words
      }
      const keys = yield* Cache.makeWith(
        (from: string) => Effect.map(IssuerMetadata.discover(from), keySet(answered)),
        {
          capacity: 1,
          timeToLive: (exit) => Exit.isSuccess(exit) ? metadataLife : failureLife
        }
      )
      const verify = (token: string, getKey: JWTVerifyGetKey, currentDate: Date) =>
        Effect.tryPromise({
          try: () =>
            verifyBy(token, getKey, {
              issuer,
              audience,
              algorithms: KeySet.algorithms,
              clockTolerance,
              requiredClaims: ["exp", "sub"],
              currentDate
            }),
          catch: (cause) => isTokensFault(cause) ? new InvalidOauthToken() : IssuerMetadata.faultOf(issuer)(cause)
        })

      // The keys are read when the host starts: that the issuer does not answer is told then, and nobody waits for the first answer.
      yield* Cache.get(keys, issuer).pipe(
        Effect.flatMap((getKey) =>
          Effect.tryPromise({ try: () => getKey.reload(), catch: IssuerMetadata.faultOf(issuer) })
        ),
        Effect.catchTag("IssuerFault", unresolved),
        Effect.ignore,
        Effect.forkScoped
      )

      /** By the digest of the token. */
      const known = new Map<string, Known>()

      return PersonTokens.of({
        verify: Effect.fn("PersonTokens.verify")(
          function*(token) {
            const now = yield* Clock.currentTimeMillis
            const digest = hash("sha256", Redacted.value(token), "base64")
            const before = known.get(digest)
            if (before !== undefined && now < before.until) return before.person
            const getKey = yield* Cache.get(keys, issuer)
            const { payload } = yield* verify(
              Redacted.value(token),
              getKey,
              DateTime.toDateUtc(DateTime.makeUnsafe(now))
            )
            yield* watch.answered
            const person = personOf(issuer, payload)
            if (Option.isNone(person)) return yield* new InvalidOauthToken()
            const until = Math.min(now + knownMillis, ((payload.exp ?? 0) + clockTolerance) * 1000)
            remember(known, digest, { person: person.value, until }, mostKnown)
            return person.value
          },
          Effect.catchTag("IssuerFault", unresolved)
        )
      })
    })
  )
