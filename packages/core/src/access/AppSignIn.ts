/**
 * How a member gets into the app, and stays in: by a link or by the authorization server, then by the session that it opens.
 *
 * | what is found                                | refusal            |
 * | -------------------------------------------- | ------------------ |
 * | a link that is unknown, over, or was used    | SIGN_IN_LINK_ENDED |
 * | no member of whom the authorization server makes known | NOT_A_MEMBER |
 * | the same, and no address that it confirms    | ADDRESS_UNCONFIRMED |
 * | no session, or one that ended                | SIGN_IN_REQUIRED   |
 * | a closed or suspended organization           | as for a key       |
 *
 * A member without a seat signs in and is told so by what they ask for (`AppDoor`). Whoever is signed in gets out again, however
 * their organization stands. decisions, section 21.
 */
import { Clock, Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as LogPace from "../operation/LogPace.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import { type IdentityUnresolved, NotAMember } from "./AccessRefusals.ts"
import * as AccountStanding from "./AccountStanding.ts"
import type { MemberCaller } from "./Caller.ts"
import {
  AddressUnconfirmed,
  type BegunSignIn,
  IdentityProvider,
  type IdentityProvider as Provider,
  type SignInDeclined,
  SignInEnded
} from "./IdentityProvider.ts"
import { type KnownPerson, Sessions, type SignedInMember } from "./Sessions.ts"
import * as SessionSecret from "./SessionSecret.ts"

/** Nobody is signed in, or not any more. */
export class SignInRequired extends Schema.TaggedError<SignInRequired>()("SIGN_IN_REQUIRED", {}) {
  override get message() {
    return "You are not signed in, or your session has ended; sign in again."
  }
}

/** The link signs nobody in. */
export class SignInLinkEnded extends Schema.TaggedError<SignInLinkEnded>()("SIGN_IN_LINK_ENDED", {}) {
  override get message() {
    return "This sign-in link was used before, is older than 15 minutes, or was replaced by a newer one; ask for another."
  }
}

/** The secret of a session that was opened, which the browser alone keeps. */
export interface OpenedSession {
  readonly secret: Redacted.Redacted
  readonly caller: MemberCaller
}

/** What may come of a sign-in at the authorization server. */
export type IssuerRefusal =
  | SignInEnded
  | SignInDeclined
  | IdentityUnresolved
  | AddressUnconfirmed
  | NotAMember
  | AccountStanding.StandingRefusal
  | TemporarilyUnavailable

export class AppSignIn extends Context.Service<AppSignIn, {
  /** A link's secret for an active member; none: there is no such member. */
  issueLink(orgId: OrganizationId, memberId: string): Effect.Effect<
    Option.Option<Redacted.Redacted>,
    TemporarilyUnavailable
  >
  /** Whom a link would sign in. Does not use it up, so that a page may ask before somebody agrees. */
  lookAtLink(secret: Redacted.Redacted): Effect.Effect<
    { readonly member: Member; readonly organization: Organization },
    SignInLinkEnded | TemporarilyUnavailable
  >
  /** Uses a link up. */
  redeem(request: {
    readonly link: Redacted.Redacted
    readonly userAgent: string | null
    readonly requestId: string
  }): Effect.Effect<OpenedSession, SignInLinkEnded | AccountStanding.StandingRefusal | TemporarilyUnavailable>
  /** What people know the authorization server by; none: they sign in by links alone. */
  readonly issuer: Option.Option<string>
  /** Begins a sign-in at the authorization server. `to`: where the person wants to be afterwards. */
  begin(to: string): Effect.Effect<BegunSignIn, IssuerRefusal>
  /** Ends it, with what the browser kept and what the authorization server sent it back with. */
  finish(request: {
    readonly attempt: Redacted.Redacted
    readonly query: string
    readonly userAgent: string | null
    readonly requestId: string
  }): Effect.Effect<
    OpenedSession & {
      readonly to: string
      /** The person may choose between organizations. */
      readonly choosing: boolean
    },
    IssuerRefusal
  >
  /** Goes on in another organization of the same person, with a session of its own; the one before stays if it is refused. */
  change(
    caller: MemberCaller,
    to: OrganizationId
  ): Effect.Effect<OpenedSession, NotAMember | AccountStanding.StandingRefusal | TemporarilyUnavailable>
  /** Who is signed in. */
  admit(request: {
    readonly session: Redacted.Redacted
    readonly requestId: string
  }): Effect.Effect<MemberCaller, SignInRequired | AccountStanding.StandingRefusal | TemporarilyUnavailable>
  /** The same, however their organization stands: for whoever leaves it. */
  identify(request: {
    readonly session: Redacted.Redacted
    readonly requestId: string
  }): Effect.Effect<MemberCaller, SignInRequired | TemporarilyUnavailable>
  /** Ends the session of a caller; answers where the browser signs out at the authorization server too, null: nowhere. */
  signOut(caller: MemberCaller): Effect.Effect<string | null, TemporarilyUnavailable>
}>()("@freehold/core/access/AppSignIn") {
  static readonly layer = Layer.effect(
    AppSignIn,
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const standing = yield* AccountStanding.AccountStanding
      const provider = yield* IdentityProvider
      /** Whoever has an account at the authorization server can sign in again and again. */
      const pace = LogPace.make()

      /** Says the same to every person of whom no address is confirmed, so that nobody learns which addresses are members'. */
      const unconfirmed = ({ subject }: KnownPerson) =>
        pace(
          Effect.logInfo(`A sign-in has no email address that the authorization server confirms: subject ${subject}`)
        ).pipe(Effect.andThen(Effect.fail(new AddressUnconfirmed())))

      /** A sign-in by an authorization server, where there is none, has ended before it began. */
      const withProvider = <A, E>(
        use: (provider: Provider) => Effect.Effect<A, E>
      ): Effect.Effect<A, E | SignInEnded> =>
        Option.match(provider, { onNone: () => Effect.fail(new SignInEnded()), onSome: use })

      const { generate, hashOf } = SessionSecret.make(digest, random)

      const callerOf = ({ member, organization, session }: SignedInMember, requestId: string): MemberCaller => ({
        kind: "member",
        credentialId: session.sessionId,
        label: member.name,
        scopes: [],
        organization,
        territory: member.territory,
        requestId,
        member
      })

      const asCaller = (found: SignedInMember, requestId: string) =>
        Effect.as(AccountStanding.check(standing, found.organization), callerOf(found, requestId))

      /** The live session that has the secret. */
      const signedIn = Effect.fnUntraced(function*(secret: Redacted.Redacted) {
        if (!SessionSecret.isWellFormed(secret)) return yield* new SignInRequired()
        const found = yield* sessions.authorize(yield* hashOf(secret), yield* Clock.currentTimeMillis)
        return Option.isSome(found) ? found.value : yield* new SignInRequired()
      })

      /** The secret of a session and what is stored of it. */
      const newSession = Effect.gen(function*() {
        const secret = yield* generate
        const stored = {
          sessionId: yield* random.uuidV7(),
          secretHash: yield* hashOf(secret),
          now: yield* Clock.currentTimeMillis
        }
        return { secret, stored }
      })

      return AppSignIn.of({
        issuer: Option.map(provider, ({ host }) => host),
        issueLink: Effect.fn("AppSignIn.issueLink")(function*(orgId, memberId) {
          const secret = yield* generate
          const secretHash = yield* hashOf(secret)
          const issued = yield* sessions.issueLink({ orgId, memberId, secretHash, now: yield* Clock.currentTimeMillis })
          return issued ? Option.some(secret) : Option.none()
        }),
        lookAtLink: Effect.fn("AppSignIn.lookAtLink")(function*(secret) {
          if (!SessionSecret.isWellFormed(secret)) return yield* new SignInLinkEnded()
          const found = yield* sessions.lookAtLink(yield* hashOf(secret), yield* Clock.currentTimeMillis)
          return Option.isSome(found) ? found.value : yield* new SignInLinkEnded()
        }),
        redeem: Effect.fn("AppSignIn.redeem")(function*({ link, requestId, userAgent }) {
          if (!SessionSecret.isWellFormed(link)) return yield* new SignInLinkEnded()
          const { secret, stored } = yield* newSession
          const found = yield* sessions.redeem(yield* hashOf(link), {
            ...stored,
            userAgent: SessionSecret.keptAgent(userAgent)
          })
          if (Option.isNone(found)) return yield* new SignInLinkEnded()
          return { secret, caller: yield* asCaller(found.value, requestId) }
        }),
        begin: Effect.fn("AppSignIn.begin")((to) => withProvider((provider) => provider.begin(to))),
        finish: Effect.fn("AppSignIn.finish")(function*({ attempt, query, requestId, userAgent }) {
          const { person, to } = yield* withProvider((provider) => provider.finish({ attempt, query }))
          const { secret, stored } = yield* newSession
          const found = yield* sessions.enter(person, { ...stored, userAgent: SessionSecret.keptAgent(userAgent) })
          if (Option.isNone(found)) return yield* person.email === null ? unconfirmed(person) : new NotAMember()
          const caller = yield* asCaller(found.value, requestId)
          const memberships = yield* sessions.memberships(caller.organization.org_id, caller.credentialId)
          return { secret, caller, to, choosing: memberships.length > 1 }
        }),
        change: Effect.fn("AppSignIn.change")(function*({ credentialId: sessionId, organization, requestId }, to) {
          const memberships = yield* sessions.memberships(organization.org_id, sessionId)
          const wanted = memberships.find(({ org_id }) => org_id === to)
          if (wanted === undefined) return yield* new NotAMember()
          // Before anything ends: whoever is refused stays where they are.
          yield* AccountStanding.check(standing, wanted)
          const { secret, stored } = yield* newSession
          const found = yield* sessions.change({ orgId: organization.org_id, sessionId }, to, stored)
          if (Option.isNone(found)) return yield* new NotAMember()
          return { secret, caller: yield* asCaller(found.value, requestId) }
        }),
        admit: Effect.fn("AppSignIn.admit")(function*({ requestId, session }) {
          return yield* asCaller(yield* signedIn(session), requestId)
        }),
        identify: Effect.fn("AppSignIn.identify")(function*({ requestId, session }) {
          return callerOf(yield* signedIn(session), requestId)
        }),
        signOut: Effect.fn("AppSignIn.signOut")(
          function*({ credentialId: sessionId, member: { memberId }, organization: { org_id: orgId } }) {
            const hint = yield* sessions.signOutHint(orgId, sessionId)
            yield* sessions.revoke({ orgId, memberId, sessionId })
            return Option.isSome(hint) && Option.isSome(provider) ? yield* provider.value.leave(hint.value) : null
          }
        )
      })
    })
  )
}
