/**
 * `IdentityProvider` over OpenID Connect: authorization code with PKCE (S256), `state`, `nonce`, and signed ID tokens.
 *
 * The two steps of a sign-in are tied by what the browser keeps sealed in between. Tokens are read and thrown away; for the
 * sign-out at the issuer its ID token is kept, sealed.
 *
 * *Gotchas*
 *
 * - Servers that tell addresses at their userinfo endpoint alone are asked there, once, for the subject of the ID token.
 * - What a browser kept counts once in each process, whatever comes of it: somebody who sends it again has nothing asked of
 *   the issuer, which refuses a code that was used before in any case.
 * - Anybody may begin a sign-in and end it with a made-up code. So the issuer is asked about few at a time, nobody waits to be the
 *   next, and what is logged of it comes at a bounded pace.
 */
import { IdentityUnresolved } from "@freehold/core/access/AccessRefusals"
import { IdentityProvider, SignInDeclined, SignInEnded } from "@freehold/core/access/IdentityProvider"
import { IssuerWatch } from "@freehold/core/access/IssuerWatch"
import * as PersonClaims from "@freehold/core/access/PersonClaims"
import type { KnownPerson } from "@freehold/core/access/Sessions"
import { parsePayload } from "@freehold/core/operation/CursorSeal"
import * as LogPace from "@freehold/core/operation/LogPace"
import { remember } from "@freehold/core/operation/Remember"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Cache, Clock, Duration, Effect, Exit, Layer, Option, Redacted, Result, Schema, Semaphore } from "effect"
import { Base64Url } from "effect/encoding"
import * as oidc from "openid-client"

/** How long a person has at the issuer. */
export const attemptLifetime = Duration.minutes(10)

/** Time within which each answer of the issuer must come. */
const deadline = Duration.seconds(5)

const metadataLife = Duration.hours(1)

/** How long a failure of the issuer is kept, so that not every request waits for it. */
const failureLife = Duration.seconds(5)

/** Longer ones do not fit into the address of a sign-out. */
const longestHint = 4_000

/** Of so many sign-ins at once the issuer is asked who somebody is. */
export const mostAsked = 32

/** As many attempts that were used up are known; those that were last. */
const mostUsed = 10_000

const Attempt = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  verifier: Schema.String,
  to: Schema.String,
  /** Milliseconds. */
  until: Schema.Number
})

const readAttempt = parsePayload(Attempt)

const attemptContext = "sign-in"

const hintContext = "sign-out"

export interface Provided {
  readonly issuer: string
  readonly clientId: string
  /** None: a public client. */
  readonly clientSecret: Option.Option<Redacted.Redacted>
  /** What clients dial. */
  readonly publicUrl: string
}

/** What `openid-client` failed with. */
class ProviderFault extends Schema.TaggedError<ProviderFault>()("ProviderFault", {
  /** The issuer answered, and its answer is no; otherwise it cannot be asked. */
  isAnswer: Schema.Boolean,
  /** It came from the issuer itself, and not by way of a browser, which may have made it up. */
  isIssuers: Schema.Boolean,
  reason: Schema.String
}) {}

const isIssuers = (cause: unknown): boolean => cause instanceof oidc.ResponseBodyError && cause.status < 500

/** What was wrong was asked of the issuer and answered by it; anything else says that it cannot be asked. */
const isAnswer = (cause: unknown): boolean =>
  isIssuers(cause)
  || cause instanceof oidc.AuthorizationResponseError
  || cause instanceof oidc.ClientError && cause.code !== "OAUTH_TIMEOUT" &&
    cause.code !== "OAUTH_RESPONSE_IS_NOT_CONFORM"

const ask = <A>(evaluate: () => Promise<A>): Effect.Effect<A, ProviderFault> =>
  Effect.tryPromise({
    try: evaluate,
    catch: (cause) =>
      new ProviderFault({
        isAnswer: isAnswer(cause),
        isIssuers: isIssuers(cause),
        reason: cause instanceof Error ? cause.message : String(cause)
      })
  })

/** People sign in to the app by the issuer. */
export const layer = ({ clientId, clientSecret, issuer, publicUrl }: Provided) =>
  Layer.effect(
    IdentityProvider,
    Effect.gen(function*() {
      const sealer = yield* Sealer
      const watch = yield* IssuerWatch
      const address = new URL(issuer)
      const redirect = `${publicUrl}/sign-in/callback`
      const insecure = address.protocol === "http:" ? [oidc.allowInsecureRequests] : []

      const authentication = Option.match(clientSecret, {
        onNone: oidc.None,
        onSome: (secret) => oidc.ClientSecretBasic(Redacted.value(secret))
      })
      const discover = ask(() =>
        oidc.discovery(address, clientId, undefined, authentication, {
          execute: [...insecure, oidc.enableNonRepudiationChecks],
          timeout: Duration.toSeconds(deadline)
        })
      ).pipe(Effect.tap(watch.answered))
      const configurations = yield* Cache.makeWith((_: string) => discover, {
        capacity: 1,
        timeToLive: (exit) => Exit.isSuccess(exit) ? metadataLife : failureLife
      })
      const pace = LogPace.make()
      const declined = (reason: string) =>
        pace(Effect.logInfo(`The authorization server did not confirm a sign-in: ${reason}`)).pipe(
          Effect.andThen(Effect.fail(new SignInDeclined()))
        )
      const unresolved = ({ reason }: ProviderFault) =>
        pace(Effect.logWarning(`The authorization server cannot be asked: ${reason}`)).pipe(
          Effect.andThen(watch.failed(issuer)),
          Effect.andThen(Effect.fail(new IdentityUnresolved({ retryAfterSeconds: 1 })))
        )
      const configuration = Effect.catch(Cache.get(configurations, issuer), unresolved)

      const seal = (text: string) =>
        Effect.map(
          sealer.seal(Redacted.make(text), attemptContext),
          (sealed) => Redacted.make(Base64Url.encode(sealed))
        )

      /** None: it is not of this server's making, or too old. */
      const open = Effect.fnUntraced(function*(sealed: Redacted.Redacted) {
        const bytes = Base64Url.decode(Redacted.value(sealed))
        if (Result.isFailure(bytes)) return Option.none()
        const text = yield* Effect.option(Effect.sandbox(sealer.open(bytes.success, attemptContext)))
        const now = yield* Clock.currentTimeMillis
        return Option.filter(
          Option.flatMap(text, (text) => readAttempt(Redacted.value(text))),
          ({ until }) => now < until
        )
      })

      /** The verified address, of the ID token or else of the userinfo endpoint. */
      const emailOf = (config: oidc.Configuration, accessToken: string, claims: oidc.IDToken) => {
        const stated = PersonClaims.verifiedEmail(claims)
        if (stated !== null || config.serverMetadata().userinfo_endpoint === undefined) return Effect.succeed(stated)
        return ask(() => oidc.fetchUserInfo(config, accessToken, claims.sub)).pipe(
          Effect.map(PersonClaims.verifiedEmail),
          Effect.catch(({ reason }) =>
            Effect.as(pace(Effect.logWarning(`The userinfo endpoint does not tell an address: ${reason}`)), null)
          )
        )
      }

      /** By their states. */
      const used = new Map<string, true>()

      /** False: it was before. */
      const useUp = ({ state }: typeof Attempt.Type): boolean => {
        const isFirst = !used.has(state)
        remember(used, state, true, mostUsed)
        return isFirst
      }

      /** Who it is that comes back with the query. */
      const personOf = Effect.fnUntraced(function*({ nonce, state, verifier }: typeof Attempt.Type, query: string) {
        const config = yield* configuration
        const tokens = yield* ask(() =>
          oidc.authorizationCodeGrant(config, new URL(`${redirect}${query}`), {
            pkceCodeVerifier: verifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true
          })
        ).pipe(
          Effect.tapError(({ isIssuers }) => isIssuers ? watch.answered : Effect.void),
          Effect.catch((fault): Effect.Effect<never, SignInDeclined | IdentityUnresolved> =>
            fault.isAnswer ? declined(fault.reason) : unresolved(fault)
          )
        )
        yield* watch.answered
        const claims = tokens.claims()
        const subject = PersonClaims.text(claims?.sub)
        const organization = PersonClaims.organizationOf(claims ?? {})
        if (claims === undefined || subject === null || Option.isNone(organization)) {
          return yield* declined("the ID token does not say who it is for")
        }
        const hint = tokens.id_token ?? ""
        const person: KnownPerson = {
          issuer,
          subject,
          email: yield* emailOf(config, tokens.access_token, claims),
          orgId: organization.value,
          signOutHint: hint === "" || hint.length > longestHint
            ? null
            : yield* sealer.seal(Redacted.make(hint), hintContext)
        }
        return person
      })

      const places = yield* Semaphore.make(mostAsked)

      const crowded = Effect.andThen(
        pace(Effect.logWarning("The authorization server is asked about as many sign-ins as it may be at once")),
        Effect.fail(new IdentityUnresolved({ retryAfterSeconds: 1 }))
      )

      return Option.some<IdentityProvider>({
        host: address.host,
        begin: Effect.fn("OpenIdProvider.begin")(function*(to) {
          const config = yield* configuration
          const state = oidc.randomState()
          const nonce = oidc.randomNonce()
          const verifier = oidc.randomPKCECodeVerifier()
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(attemptLifetime)
          const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(verifier))
          const at = oidc.buildAuthorizationUrl(config, {
            redirect_uri: redirect,
            scope: "openid email profile",
            code_challenge: challenge,
            code_challenge_method: "S256",
            state,
            nonce
          })
          return { address: at.href, attempt: yield* seal(JSON.stringify({ state, nonce, verifier, to, until })) }
        }),
        finish: Effect.fn("OpenIdProvider.finish")(function*({ attempt: sealed, query }) {
          const attempt = yield* open(sealed)
          if (Option.isNone(attempt)) return yield* new SignInEnded()
          // What came back is no answer to what this browser asked.
          if (new URLSearchParams(query).get("state") !== attempt.value.state) return yield* new SignInEnded()
          if (!useUp(attempt.value)) return yield* new SignInEnded()
          // Whoever hangs up meanwhile does not make room: the issuer still works on it.
          const asked = yield* places.withPermitsIfAvailable(1)(Effect.uninterruptible(personOf(attempt.value, query)))
          return { person: Option.isSome(asked) ? asked.value : yield* crowded, to: attempt.value.to }
        }),
        leave: Effect.fn("OpenIdProvider.leave")(
          function*(signOutHint) {
            const config = yield* configuration
            if (config.serverMetadata().end_session_endpoint === undefined) return null
            const hint = yield* sealer.open(signOutHint, hintContext)
            return oidc.buildEndSessionUrl(config, {
              id_token_hint: Redacted.value(hint),
              post_logout_redirect_uri: `${publicUrl}/sign-in`
            }).href
          },
          // Sealed with a key that was replaced, or the issuer is away: signed out here all the same.
          Effect.sandbox,
          Effect.orElseSucceed(() => null)
        )
      })
    })
  )
