/**
 * The sessions of members who use the app, which are opened by a link or by the operator's authorization server.
 *
 * A person whom the authorization server knows may be a member of several organizations: a session is for one of them, and
 * may be changed for a session of another. One that a link opened is its member's alone.
 *
 * Secrets are kept as their SHA-256 alone. A link signs its member in once, within its time; a newer one takes the place
 * of an older. A session ends by itself, idle or old; with its member, who was removed; and when it is revoked: whatever
 * ended, ended for the very next request. A member has at most `maximumSessions`; one more ends the one unused longest.
 */
import { Context, Duration, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"

/** How long a link may be used. */
export const linkLifetime = Duration.minutes(15)

/** How long a session lasts, used or not. */
export const sessionLifetime = Duration.days(7)

/** How long a session lasts unused. */
export const idleTime = Duration.hours(12)

/** Live sessions of one member. */
export const maximumSessions = 20

/** One browser in which a member is signed in. */
export interface Session {
  readonly sessionId: string
  readonly orgId: OrganizationId
  readonly memberId: string
  readonly signedInAt: Date
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Date
  /** The last moment at which it may be used, unless it is used before. */
  readonly expiresAt: Date
  /** What the browser says of itself; null: nothing. */
  readonly userAgent: string | null
}

/** A session to be opened. `now`: milliseconds. */
export interface NewSession {
  readonly sessionId: string
  /** SHA-256 of its secret, in lower-case hex. */
  readonly secretHash: string
  readonly userAgent: string | null
  readonly now: number
}

/** A person whom the authorization server made known. */
export interface KnownPerson {
  readonly issuer: string
  readonly subject: string
  /** A verified address; null: none. */
  readonly email: string | null
  /** The organization that they signed in for, alone; null: any that they are a member of. */
  readonly orgId: string | null
  /** What the issuer is told when they sign out, sealed by whoever made them known; null: nothing. */
  readonly signOutHint: Uint8Array | null
}

/** A live session and who is behind it. */
export interface SignedInMember {
  readonly session: Session
  readonly member: Member
  readonly organization: Organization
}

/** Keeps the sessions of members in the app, and the links by which they sign in. */
export class Sessions extends Context.Service<Sessions, {
  /** Makes the one link of an active member; false: there is no such member. `now`: milliseconds. */
  issueLink(link: {
    readonly orgId: OrganizationId
    readonly memberId: string
    readonly secretHash: string
    readonly now: number
  }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** Whose link it is; none: it is unknown, over, or was used. Changes nothing. */
  lookAtLink(secretHash: string, now: number): Effect.Effect<
    Option.Option<{ readonly member: Member; readonly organization: Organization }>,
    TemporarilyUnavailable
  >

  /** Uses a link up and opens a session, both or neither; none: it is unknown, over, or was used. */
  redeem(linkHash: string, session: NewSession): Effect.Effect<Option.Option<SignedInMember>, TemporarilyUnavailable>

  /**
   * Opens a session of a person; none: they are no active member. The member is found as `Connections.authorize` finds
   * one; of several organizations it is one that is active, and of those the one that was joined first.
   */
  enter(person: KnownPerson, session: NewSession): Effect.Effect<Option.Option<SignedInMember>, TemporarilyUnavailable>

  /** The organizations that whoever has the session may change to, and its own, by name. */
  memberships(orgId: OrganizationId, sessionId: string): Effect.Effect<
    ReadonlyArray<Organization>,
    TemporarilyUnavailable
  >

  /**
   * Ends a session and opens one for another organization of the same person, which lasts no longer than the first would
   * have; both or neither. None: the person is no active member of it, or it is not active.
   */
  change(
    from: { readonly orgId: OrganizationId; readonly sessionId: string },
    to: OrganizationId,
    session: Omit<NewSession, "userAgent">
  ): Effect.Effect<Option.Option<SignedInMember>, TemporarilyUnavailable>

  /** What the session was opened with for the sign-out at the issuer; none: nothing. */
  signOutHint(orgId: OrganizationId, sessionId: string): Effect.Effect<
    Option.Option<Uint8Array>,
    TemporarilyUnavailable
  >

  /** Finds a live session by its secret and notes that it is used; none: nobody is signed in by it. */
  authorize(secretHash: string, now: number): Effect.Effect<Option.Option<SignedInMember>, TemporarilyUnavailable>

  /** The live sessions of a member, the one used last first. `now`: milliseconds. */
  list(
    orgId: OrganizationId,
    memberId: string,
    now: number
  ): Effect.Effect<ReadonlyArray<Session>, TemporarilyUnavailable>

  /** Ends a session of a member, or all of them, but not the one that is kept; answers how many. */
  revoke(which: {
    readonly orgId: OrganizationId
    readonly memberId: string
    /** null: every one. */
    readonly sessionId: string | null
    readonly keptSessionId?: string
  }): Effect.Effect<number, TemporarilyUnavailable>
}>()("@freehold/core/access/Sessions") {}
