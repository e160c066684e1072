/**
 * People who sign in: from the token of an authorization server to the member behind it.
 *
 * | what is found                                             | refusal                 |
 * | --------------------------------------------------------- | ----------------------- |
 * | a token that does not verify                              | INVALID_OAUTH_TOKEN     |
 * | neither the issuer's keys nor the members can be asked    | IDENTITY_UNRESOLVED     |
 * | nobody, or nobody in the organization that is named       | NOT_A_MEMBER            |
 * | a revoked connection                                      | GRANT_REVOKED           |
 * | more connections than a member may use in a minute        | rate_limited            |
 * | a closed or suspended organization                        | as for a key            |
 * | a member where admins alone may connect                   | MEMBER_CONNECT_DISABLED |
 *
 * A token that names an organization is for that one alone; otherwise the caller may name one, and else it is the one
 * that the person joined first. decisions, section 20 "MCP and people".
 */
import { Context, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { ofPeople } from "../operation/Scope.ts"
import { RateLimited } from "../rate/RateRefusals.ts"
import type { Counted } from "../rate/RateWindow.ts"
import {
  GrantRevoked,
  IdentityUnresolved,
  type InvalidOauthToken,
  MemberConnectDisabled,
  NotAMember
} from "./AccessRefusals.ts"
import * as AccountStanding from "./AccountStanding.ts"
import type { PersonCaller } from "./Caller.ts"
import { Connections } from "./Connections.ts"
import { PersonTokens } from "./PersonTokens.ts"

export type SignInRefusal =
  | InvalidOauthToken
  | IdentityUnresolved
  | NotAMember
  | GrantRevoked
  | MemberConnectDisabled
  | RateLimited
  | AccountStanding.StandingRefusal

/** Time within which the member must have been found and the request counted. */
const deadline = Duration.seconds(2)

/** A member who was found, and the counters of their connection. */
export interface SignedIn {
  readonly caller: PersonCaller
  readonly minute: Counted
  readonly day: Counted | null
}

export interface SignIn {
  identify(request: {
    readonly token: Redacted.Redacted
    /** The organization that the request names; undefined: none. */
    readonly organization: string | undefined
    readonly requestId: string
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<SignedIn, SignInRefusal>
}

/** None: people cannot sign in, and a token is as good as no key. */
export const SignIn = Context.Reference<Option.Option<SignIn>>("@freehold/core/access/SignIn", {
  defaultValue: Option.none
})

/** Lets people sign in. */
export const layer: Layer.Layer<never, never, PersonTokens | Connections | SecureRandom.SecureRandom> = Layer.effect(
  SignIn,
  Effect.gen(function*() {
    const tokens = yield* PersonTokens
    const connections = yield* Connections
    const random = yield* SecureRandom.SecureRandom
    const standing = yield* AccountStanding.AccountStanding

    return Option.some<SignIn>({
      identify: Effect.fn("SignIn.identify")(function*({ now, organization: named, requestId, token }) {
        const person = yield* tokens.verify(token)
        if (person.orgId !== null && named !== undefined && named !== person.orgId) return yield* new NotAMember()
        const found = yield* connections.authorize({
          issuer: person.issuer,
          subject: person.subject,
          email: person.email,
          clientId: person.clientId,
          orgId: person.orgId ?? named ?? null,
          connectionId: yield* random.uuidV7(),
          now
        }).pipe(
          Effect.timeout(deadline),
          Effect.mapError(() => new IdentityUnresolved({ retryAfterSeconds: 1 }))
        )
        if (found._tag === "NotAMember") return yield* new NotAMember()
        if (found._tag === "Revoked") return yield* new GrantRevoked()
        if (found._tag === "Crowded") {
          return yield* RateLimited.fromCount("requests_per_minute", found.minute, now)
        }
        if (found._tag === "Disabled") {
          yield* AccountStanding.check(standing, found.organization)
          return yield* new MemberConnectDisabled()
        }
        const { connection, day, member, minute, organization } = found
        return {
          caller: {
            kind: "person",
            credentialId: connection.connectionId,
            label: `${member.name} (${connection.clientId})`,
            scopes: ofPeople.filter((scope) => person.scopes.includes(scope)),
            organization,
            territory: member.territory,
            requests: { minute, day },
            requestId,
            member,
            clientId: connection.clientId
          },
          minute,
          day
        }
      })
    })
  })
)
