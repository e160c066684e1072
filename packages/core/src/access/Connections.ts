/**
 * The assistant connections of members: one for each member and client, made when the first token of the two is accepted.
 *
 * A connection is a credential like a key, with counters of its own. A revoked one stays revoked, after signing in again
 * too, until an administrator clears it. decisions, sections 11 and 20 "MCP and people".
 *
 * Assistants register as new clients as they please, so a member's connections are bounded, in number and in what they
 * may ask for together:
 *
 * - of all of a member's connections at most `maximumConnections` have a minute window that runs. What would begin one
 *   more waits until the first of them ends;
 * - a new client takes the place, the id and the day's counters of the live connection that was unused longest, once the
 *   member has `maximumConnections` live ones.
 */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { Counted } from "../rate/RateWindow.ts"

/** Live connections of one member, and minute windows of theirs that run. As many as an organization has keys. */
export const maximumConnections = 10

export interface Connection {
  readonly connectionId: string
  readonly orgId: OrganizationId
  readonly memberId: string
  readonly clientId: string
  readonly firstSeen: Date
  /** null: live. */
  readonly revokedAt: Date | null
}

/** Who signed in, with which assistant, and for which organization. */
export interface ConnectionRequest {
  readonly issuer: string
  readonly subject: string
  /** A verified address; null: none. */
  readonly email: string | null
  readonly clientId: string
  /** null: the one that the person joined first. */
  readonly orgId: string | null
  /** The id of the connection, if this call makes it. */
  readonly connectionId: string
  /** Milliseconds. */
  readonly now: number
}

export type ConnectionOutcome =
  | { readonly _tag: "NotAMember" }
  | { readonly _tag: "Revoked" }
  /** The organization lets admins connect alone, and the member is none. */
  | { readonly _tag: "Disabled"; readonly organization: Organization }
  /** As many other connections of the member as may be are in use in this minute; not admitted, whatever was used. */
  | { readonly _tag: "Crowded"; readonly minute: Counted }
  | {
    readonly _tag: "Connected"
    readonly connection: Connection
    readonly member: Member
    readonly organization: Organization
    readonly minute: Counted
    /** null: no daily ceiling is in force. Counted only when the minute admitted the request. */
    readonly day: Counted | null
  }

/** Port: the assistants that members have connected, and who may still use theirs. */
export class Connections extends Context.Service<Connections, {
  /**
   * Finds the member and the connection, and counts one request, atomically and as `KeyRing.authorize` does.
   *
   * A member is found by the subject that was stored at their first sign-in; before it by the verified address (without
   * regard to case), which stores the subject at every active member of that address. Once a subject is stored, nobody
   * else is let in by the address. Only `Connected` counts, and only it makes the connection.
   */
  authorize(request: ConnectionRequest): Effect.Effect<ConnectionOutcome, TemporarilyUnavailable>

  /** All connections of an organization, revoked ones included, oldest first. */
  list(orgId: OrganizationId): Effect.Effect<ReadonlyArray<Connection>, TemporarilyUnavailable>

  /**
   * Revokes a member's connections or clears them, all or the one of a client; answers those that it changed, oldest
   * first. Repeating changes nothing, and answers none.
   */
  setRevoked(change: {
    readonly orgId: OrganizationId
    readonly memberId: string
    /** null: every client. */
    readonly clientId: string | null
    readonly revoked: boolean
  }): Effect.Effect<ReadonlyArray<Connection>, TemporarilyUnavailable>
}>()("@freehold/core/access/Connections") {}
