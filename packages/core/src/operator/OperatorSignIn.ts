/**
 * How the operator's people get into their area of the app, and how one of them looks at the app as a member has it.
 *
 * | what is found                             | refusal                   |
 * | ----------------------------------------- | ------------------------- |
 * | a link that is unknown, over, or was used | SIGN_IN_LINK_ENDED        |
 * | no session of the operator                | OPERATOR_SIGN_IN_REQUIRED |
 * | a view that has ended                     | VIEW_ENDED                |
 * | a view of a closed or suspended organization | VIEW_ENDED             |
 */
import { Clock, Context, DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as AccountStanding from "../access/AccountStanding.ts"
import { SignInLinkEnded } from "../access/AppSignIn.ts"
import type { MemberCaller } from "../access/Caller.ts"
import type { OperatorFacts } from "../access/Operator.ts"
import { type OperatorSession, OperatorSessions } from "../access/OperatorSessions.ts"
import * as SessionSecret from "../access/SessionSecret.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as OperatorNote from "./OperatorNote.ts"

/** Nobody of the operator's people is signed in, or not any more. */
export class OperatorSignInRequired
  extends Schema.TaggedError<OperatorSignInRequired>()("OPERATOR_SIGN_IN_REQUIRED", {})
{
  override get message() {
    return "You are not signed in as the operator, or your session has ended; make a new link: freehold operator link"
  }
}

/** What was seen as a member has ended. */
export class ViewEnded extends Schema.TaggedError<ViewEnded>()("VIEW_ENDED", {}) {
  override get message() {
    return "Your look at the app as this member has ended."
  }
}

/** Lets the operator's people in. */
export class OperatorSignIn extends Context.Service<OperatorSignIn, {
  /** A link's secret for whoever is called so. */
  issueLink(name: string): Effect.Effect<Redacted.Redacted, TemporarilyUnavailable>
  /** Whom a link would sign in. Does not use it up. */
  lookAtLink(secret: Redacted.Redacted): Effect.Effect<string, SignInLinkEnded | TemporarilyUnavailable>
  /** Uses a link up and writes that down; answers the secret of the session, which the browser alone keeps. */
  redeem(request: {
    readonly link: Redacted.Redacted
    readonly userAgent: string | null
  }): Effect.Effect<Redacted.Redacted, SignInLinkEnded | TemporarilyUnavailable>
  /** Who is signed in. */
  admit(request: {
    readonly session: Redacted.Redacted
    readonly requestId: string
  }): Effect.Effect<OperatorFacts, OperatorSignInRequired | TemporarilyUnavailable>
  /** The member as whom one of the operator's people looks. */
  seeing(request: {
    readonly view: Redacted.Redacted
    readonly requestId: string
  }): Effect.Effect<MemberCaller, ViewEnded | AccountStanding.StandingRefusal | TemporarilyUnavailable>
  /** Ends a view. */
  endView(view: Redacted.Redacted): Effect.Effect<void, TemporarilyUnavailable>
  /** Ends a session. */
  signOut(operator: OperatorFacts): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/operator/OperatorSignIn") {
  static readonly layer = Layer.effect(
    OperatorSignIn,
    Effect.gen(function*() {
      const sessions = yield* OperatorSessions
      const organizations = yield* Organizations
      const { note } = yield* OperatorNote.make
      const standing = yield* AccountStanding.AccountStanding
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const { generate, hashOf } = SessionSecret.make(digest, random)

      const factsOf = ({ expiresAt, name, sessionId }: OperatorSession, requestId: string): OperatorFacts => ({
        sessionId,
        name,
        expiresAt: expiresAt.toISOString(),
        requestId
      })

      return OperatorSignIn.of({
        issueLink: Effect.fn("OperatorSignIn.issueLink")(function*(name) {
          const secret = yield* generate
          yield* sessions.issueLink({ name, secretHash: yield* hashOf(secret), now: yield* Clock.currentTimeMillis })
          return secret
        }),
        lookAtLink: Effect.fn("OperatorSignIn.lookAtLink")(function*(secret) {
          if (!SessionSecret.isWellFormed(secret)) return yield* new SignInLinkEnded()
          const found = yield* sessions.lookAtLink(yield* hashOf(secret), yield* Clock.currentTimeMillis)
          return Option.isSome(found) ? found.value : yield* new SignInLinkEnded()
        }),
        redeem: Effect.fn("OperatorSignIn.redeem")(function*({ link, userAgent }) {
          if (!SessionSecret.isWellFormed(link)) return yield* new SignInLinkEnded()
          const secret = yield* generate
          const linkHash = yield* hashOf(link)
          const session = {
            sessionId: yield* random.uuidV7(),
            secretHash: yield* hashOf(secret),
            userAgent: SessionSecret.keptAgent(userAgent),
            now: yield* Clock.currentTimeMillis
          }
          return yield* organizations.atomically(Effect.gen(function*() {
            const opened = yield* sessions.redeem(linkHash, session)
            if (Option.isNone(opened)) return yield* new SignInLinkEnded()
            const { name } = opened.value
            yield* note({ name, reason: null }, {
              action: "operator.signed_in",
              orgId: null,
              subject: name,
              before: null,
              after: null
            })
            return secret
          }))
        }),
        admit: Effect.fn("OperatorSignIn.admit")(function*({ requestId, session }) {
          if (!SessionSecret.isWellFormed(session)) return yield* new OperatorSignInRequired()
          const found = yield* sessions.authorize(yield* hashOf(session), yield* Clock.currentTimeMillis)
          return Option.isSome(found) ? factsOf(found.value, requestId) : yield* new OperatorSignInRequired()
        }),
        seeing: Effect.fn("OperatorSignIn.seeing")(function*({ requestId, view }) {
          if (!SessionSecret.isWellFormed(view)) return yield* new ViewEnded()
          const found = yield* sessions.view(yield* hashOf(view), yield* Clock.currentTimeMillis)
          if (Option.isNone(found)) return yield* new ViewEnded()
          const { expiresAt, member, name, organization, sessionId } = found.value
          // Its members see nothing, so there is nothing to be seen as one of them.
          yield* AccountStanding.check(standing, organization).pipe(
            Effect.catchTag(["ORG_SUSPENDED", "ACCOUNT_CLOSED"], () => Effect.fail(new ViewEnded()))
          )
          const caller: MemberCaller = {
            kind: "member",
            credentialId: sessionId,
            label: `${name} as ${member.name}`,
            scopes: [],
            organization,
            territory: member.territory,
            requestId,
            member,
            seenBy: { name, until: DateTime.formatIso(DateTime.fromDateUnsafe(expiresAt)) }
          }
          return caller
        }),
        endView: Effect.fn("OperatorSignIn.endView")(function*(view) {
          if (SessionSecret.isWellFormed(view)) yield* sessions.endView(yield* hashOf(view))
        }),
        signOut: Effect.fn("OperatorSignIn.signOut")(({ sessionId }) => Effect.asVoid(sessions.revoke(sessionId)))
      })
    })
  )
}
