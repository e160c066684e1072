/**
 * The sessions of the operator's people in the app, and what one of them sees as a member.
 *
 * They are of a kind of their own: nothing finds one among members' sessions, nor a member's among them. A link is made by
 * whoever has the shell, and signs in once; a newer one of the same name takes its place. A session ends by itself, idle
 * or old, and when it is revoked; there are at most `maximumOperatorSessions`, and one more ends the one unused longest.
 *
 * A view is a session's look at the app as one member has it. It ends with its time, with the session, with the member,
 * and with the next view of that session. Secrets are kept as their SHA-256 alone.
 */
import { Context, Duration, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { NewSession } from "./Sessions.ts"

/** How long a session of the operator lasts, used or not. */
export const operatorSessionLifetime = Duration.hours(8)

/** How long it lasts unused. */
export const operatorIdleTime = Duration.minutes(30)

/** How long a view as a member lasts. */
export const viewLifetime = Duration.minutes(15)

/** Live sessions of all of the operator's people. */
export const maximumOperatorSessions = 20

/** One browser in which one of the operator's people is signed in. */
export interface OperatorSession {
  readonly sessionId: string
  /** What the person is called, as whoever made the link said. */
  readonly name: string
  readonly signedInAt: Date
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Date
  /** The last moment at which it may be used, unless it is used before. */
  readonly expiresAt: Date
  /** What the browser says of itself; null: nothing. */
  readonly userAgent: string | null
}

/** A live view: as whom, by whom, and until when. */
export interface MemberView {
  readonly sessionId: string
  /** What the one who looks is called. */
  readonly name: string
  readonly expiresAt: Date
  readonly member: Member
  readonly organization: Organization
}

/** Port: keeps the sessions of the operator's people, their links, and their views. Times are milliseconds. */
export class OperatorSessions extends Context.Service<OperatorSessions, {
  /** Makes the one link of a name. */
  issueLink(link: {
    readonly name: string
    readonly secretHash: string
    readonly now: number
  }): Effect.Effect<void, TemporarilyUnavailable>

  /** Whose link it is; none: it is unknown, over, or was used. Changes nothing. */
  lookAtLink(secretHash: string, now: number): Effect.Effect<Option.Option<string>, TemporarilyUnavailable>

  /** Uses a link up and opens a session, both or neither; none: it is unknown, over, or was used. */
  redeem(linkHash: string, session: NewSession): Effect.Effect<Option.Option<OperatorSession>, TemporarilyUnavailable>

  /** Finds a live session by its secret and notes that it is used; none: nobody is signed in by it. */
  authorize(secretHash: string, now: number): Effect.Effect<Option.Option<OperatorSession>, TemporarilyUnavailable>

  /** The live sessions, the one used last first. */
  list(now: number): Effect.Effect<ReadonlyArray<OperatorSession>, TemporarilyUnavailable>

  /** Ends a session, or with null every one, and all links with them; answers how many sessions. */
  revoke(sessionId: string | null): Effect.Effect<number, TemporarilyUnavailable>

  /** Opens the one view of a session; false: there is no such session, or no such active member. */
  openView(view: {
    readonly sessionId: string
    readonly secretHash: string
    readonly orgId: OrganizationId
    readonly memberId: string
    readonly now: number
  }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** Finds a live view of a live session by its secret; none: it has ended. */
  view(secretHash: string, now: number): Effect.Effect<Option.Option<MemberView>, TemporarilyUnavailable>

  /** Ends a view; one that has ended stays so. */
  endView(secretHash: string): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/access/OperatorSessions") {}
