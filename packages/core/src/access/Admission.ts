/**
 * Who may call, decided in one fixed order for REST and MCP alike.
 *
 * | step                          | refusal                                            |
 * | ----------------------------- | -------------------------------------------------- |
 * | requests of the address       | rate_limited (`requests_per_minute_ip`)            |
 * | the key                       | 401                                                |
 * | or the person                 | as in `SignIn`                                     |
 * | requests of the key           | rate_limited, or rate_limit_unavailable            |
 * | requests of the day           | DAILY_REQUEST_LIMIT_EXCEEDED                       |
 * | the organization              | ACCOUNT_CLOSED, ORG_SUSPENDED, or cannot be told   |
 * | the door                      | ACTING_USER_NOT_SUPPORTED                          |
 * | the scope                     | SCOPE_NOT_GRANTED                                  |
 * | the plan                      | UPGRADE_REQUIRED, FEATURE_GATED                    |
 *
 * `admit` takes the first five, once a request; `permit` the last three, which depend on the door (REST takes keys
 * alone) and on the operation. The limiter fails closed: when it cannot count within its deadline, nobody is let in.
 * decisions, section 18.
 */
import { Array, Clock, Context, Effect, Exit, Layer, Option, Redacted, Result } from "effect"
import { Digest } from "effect/crypto"
import type { Access } from "../operation/Operation.ts"
import * as Plan from "../operation/Plan.ts"
import { minimumPlan, type Scope } from "../operation/Scope.ts"
import * as Span from "../operation/Span.ts"
import { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as TimeLimit from "../operation/TimeLimit.ts"
import * as Trouble from "../operation/Trouble.ts"
import { AddressLimiter } from "../rate/AddressLimiter.ts"
import { DailyRequestLimitExceeded, RateLimited, RateLimitUnavailable } from "../rate/RateRefusals.ts"
import type { Counted } from "../rate/RateWindow.ts"
import {
  ActingUserNotSupported,
  FeatureGated,
  ScopeNotGranted,
  Unauthenticated,
  UpgradeRequired
} from "./AccessRefusals.ts"
import * as AccountStanding from "./AccountStanding.ts"
import * as ApiKey from "./ApiKey.ts"
import type { CallerFacts } from "./Caller.ts"
import * as Entrance from "./Entrance.ts"
import { type Authorization, KeyRing } from "./KeyRing.ts"
import { isTokenForm } from "./PersonTokens.ts"
import { SignIn, type SignInRefusal } from "./SignIn.ts"

/** Milliseconds within which a request must have been counted. */
const patience = 2000

const retryAfterSeconds = 1

const notCounted = Effect.suspend(() => Effect.fail(new RateLimitUnavailable({ retryAfterSeconds })))

const tooLong = Trouble.tell("counting the request took longer than its time")

const unavailable: Entrance.Outcome = Exit.fail(new TemporarilyUnavailable({ retryAfterSeconds }))

/** Why a request is not let in at all. */
export type AdmissionRefusal =
  | RateLimited
  | Unauthenticated
  | RateLimitUnavailable
  | DailyRequestLimitExceeded
  | AccountStanding.StandingRefusal
  | SignInRefusal

/** Why an admitted caller may not call one operation. */
export type PermissionRefusal = ActingUserNotSupported | ScopeNotGranted | UpgradeRequired | FeatureGated

/** An admitted request: its caller and the state of the credential's window, for the rate headers. */
export interface Admitted {
  readonly caller: CallerFacts
  readonly minute: Counted
}

/** Who makes a request, and how the credential's counters stand. */
interface Identified {
  readonly caller: CallerFacts
  readonly minute: Counted
  readonly day: Counted | null
}

/** Whoever makes a request with a key. */
export const callerOf = (
  { credential, day, minute, organization }: Authorization,
  requestId: string
): CallerFacts => ({
  kind: "key",
  territory: null,
  credentialId: credential.credentialId,
  keyName: credential.name,
  label: credential.label,
  scopes: credential.scopes,
  organization,
  dailyLimits: credential.dailyLimits,
  requests: { minute, day },
  requestId
})

/** The bearer of an Authorization header; the scheme's case does not matter. */
export const bearerOf = (authorization: string | undefined): Option.Option<Redacted.Redacted> => {
  const token = authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  return token === undefined ? Option.none() : Option.some(Redacted.make(token))
}

/** Whether the value of an Authorization header is that of a key, there or not. */
export const isOfKey = (authorization: string | undefined): boolean =>
  Option.exists(bearerOf(authorization), (secret) => ApiKey.isWellFormed(Redacted.value(secret)))

/** One of the requests that are made with one credential. */
export interface Arrival {
  readonly address: string
  readonly requestId: string
}

/** What a request says of who makes it. `organization`: the one that a person of several names, absent: none. */
export interface Credentials {
  /** The value of its Authorization header. */
  readonly authorization: string | undefined
  readonly organization?: string | undefined
}

/** Lets a request in or says why not: its key or token, its organization, its limits. */
export class Admission extends Context.Service<Admission, {
  /** Takes one request in. */
  admit(request: Arrival & Credentials): Effect.Effect<Admitted, AdmissionRefusal>

  /**
   * Takes requests in that were made at the same time with the same credentials, as if one came after the other, and answers
   * what each comes to, in their order. Those of a key cost hardly more than one.
   */
  admitTogether(
    credentials: Credentials,
    arrivals: ReadonlyArray<Arrival>
  ): Effect.Effect<ReadonlyArray<Exit.Exit<Admitted, AdmissionRefusal>>>
}>()("@freehold/core/access/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function*() {
      const addresses = yield* AddressLimiter
      const keys = yield* KeyRing
      const entrance = Option.getOrElse(yield* Entrance.Entrance, () => Entrance.inTurn(addresses, keys))
      const digest = yield* Digest.Digest
      const standing = yield* AccountStanding.AccountStanding
      const signIn = yield* SignIn
      /** Whoever tells of accounts elsewhere is asked for all requests at once, and not for one after the other. */
      const concurrency = Option.isSome(standing) ? "unbounded" : 1

      /** Whether whoever was identified has requests left, and is of an organization that is served. */
      const letIn = ({ caller, day, minute }: Identified, now: number): Effect.Effect<Admitted, AdmissionRefusal> => {
        if (!minute.admitted) return Effect.fail(RateLimited.fromCount("requests_per_minute", minute, now))
        if (day !== null && !day.admitted) return Effect.fail(DailyRequestLimitExceeded.fromCount(day, now))
        return Effect.as(AccountStanding.check(standing, caller.organization), { caller, minute })
      }

      /** The request of a key, of which the entrance says what it comes to. */
      const keyed = (
        outcome: Entrance.Outcome,
        requestId: string,
        now: number
      ): Effect.Effect<Admitted, AdmissionRefusal> =>
        Effect.matchEffect(outcome, {
          onFailure: (refusal) => {
            if (refusal._tag === "TEMPORARILY_UNAVAILABLE") return notCounted
            return Effect.fail(
              refusal._tag === "OrganizationMoved"
                ? new RateLimitUnavailable({ retryAfterSeconds, movedTo: refusal.cell })
                : refusal
            )
          },
          onSuccess: (found) =>
            Option.isNone(found)
              ? Effect.fail(new Unauthenticated())
              : letIn({ ...found.value, caller: callerOf(found.value, requestId) }, now)
        })

      /** Requests of a key, which is well-formed. Every request goes through this, so it is few effects. */
      const authorize = (
        secret: Redacted.Redacted,
        arrivals: ReadonlyArray<Arrival>,
        now: number
      ): Effect.Effect<ReadonlyArray<Exit.Exit<Admitted, AdmissionRefusal>>> =>
        ApiKey.hashBy(digest, secret).pipe(
          Effect.flatMap((hash) =>
            TimeLimit.within(entrance.admit(arrivals.map(({ address }) => address), hash, now), {
              millis: patience,
              late: () => Effect.as(tooLong, arrivals.map(() => unavailable))
            })
          ),
          Effect.flatMap((outcomes) =>
            Effect.forEach(
              Array.zip(arrivals, outcomes),
              ([{ requestId }, outcome]) => Effect.exit(keyed(outcome, requestId, now)),
              { concurrency }
            )
          )
        )

      /** Who makes a request without a key: a person with a token, or nobody. */
      const identify = (
        secret: Option.Option<Redacted.Redacted>,
        organization: string | undefined,
        requestId: string,
        now: number
      ): Effect.Effect<Identified, AdmissionRefusal> =>
        Option.isSome(secret) && Option.isSome(signIn) && isTokenForm(Redacted.value(secret.value))
          ? signIn.value.identify({ token: secret.value, organization, requestId, now })
          : Effect.fail(new Unauthenticated())

      const admitTogether: Admission["Service"]["admitTogether"] = ({ authorization, organization }, arrivals) =>
        Effect.withFiber<ReadonlyArray<Exit.Exit<Admitted, AdmissionRefusal>>>((fiber) => {
          const secret = bearerOf(authorization)
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          if (Option.isSome(secret) && ApiKey.isWellFormed(Redacted.value(secret.value))) {
            return authorize(secret.value, arrivals, now)
          }
          return Effect.forEach(
            arrivals,
            ({ address, requestId }) =>
              Effect.andThen(addresses.admit(address), identify(secret, organization, requestId, now)).pipe(
                Effect.flatMap((found) => letIn(found, now)),
                Effect.exit
              )
          )
        }).pipe(Span.named("Admission.admit"))

      return Admission.of({
        admit: ({ address, authorization, organization, requestId }) =>
          Effect.flatMap(
            admitTogether({ authorization, organization }, [{ address, requestId }]),
            ([outcome]) => outcome ?? Effect.die(new Error("a request comes to something"))
          ),
        admitTogether
      })
    })
  )
}

/** Whether the organization's plan has the part of the service that `access` needs. */
export const permitFeature = (
  { organization }: CallerFacts,
  { gate = null }: Partial<Pick<Access, "gate">>
): Result.Result<void, FeatureGated> =>
  gate === null || organization.features[gate] ? Result.void : Result.fail(new FeatureGated({ feature: gate }))

/** Whether an admitted caller may do what needs `access`: first the kind of caller, then the scope, then the plan. */
export const permit = (
  caller: CallerFacts,
  access: Pick<Access, "scope" | "plan" | "feature" | "person"> & Partial<Pick<Access, "gate">>
): Effect.Effect<void, PermissionRefusal> => {
  if (access.person === "refused" && caller.kind === "person") return Effect.fail(new ActingUserNotSupported())
  if (access.scope !== null && !caller.scopes.includes(access.scope)) {
    return Effect.fail(new ScopeNotGranted({ scope: access.scope }))
  }
  const minimumTier = access.scope === null ? access.plan : higher(access.plan, access.scope)
  return Plan.includes(caller.organization.plan, minimumTier)
    ? Effect.fromResult(permitFeature(caller, access))
    : Effect.fail(new UpgradeRequired({ feature: access.feature, minimumTier }))
}

const higher = (plan: Plan.Plan, scope: Scope): Plan.Plan =>
  Plan.includes(plan, minimumPlan[scope]) ? plan : minimumPlan[scope]
