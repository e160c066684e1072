/**
 * Who is calling, as admission found it: the credential and the organization behind it at this very moment.
 *
 * Provided to a handler for one request. Everything a handler needs to know about rights is here, so that no handler
 * asks the database for it again. A caller is a `Perspective` too: what it sees is `Territory.visible(caller)`.
 */
import { Context } from "effect"
import type { Perspective } from "../coverage/Territory.ts"
import type { Scope } from "../operation/Scope.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { Counted } from "../rate/RateWindow.ts"
import type { KeyDailyLimits } from "./KeyDailyLimits.ts"

/** What every credential says of its call. */
interface CredentialFacts extends Perspective {
  /** The id of the key, of the connection, or of the session in the app. */
  readonly credentialId: string
  /** For display: a key's name plus its first 12 characters; a person's name and assistant. */
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly organization: Organization
  /** The credential's own daily limits; absent: none. */
  readonly dailyLimits?: KeyDailyLimits
  /**
   * How the counters of requests stand, this one counted. `day` null: no daily ceiling is in force. Absent: nobody counts
   * requests.
   */
  readonly requests?: { readonly minute: Counted; readonly day: Counted | null }
  readonly requestId: string
}

/** An organization's key. It is nobody's, and sees the whole serviceable area. */
export interface KeyCaller extends CredentialFacts {
  readonly kind: "key"
  readonly keyName: string
  readonly territory: null
}

/** The assistant connection of a member who signed in: one member, one client. */
export interface PersonCaller extends CredentialFacts {
  readonly kind: "person"
  readonly member: Member
  /** The assistant, by its client id at the authorization server. */
  readonly clientId: string
}

/** A member who signed in to the app, and does there what a person does by hand. */
export interface MemberCaller extends CredentialFacts {
  readonly kind: "member"
  readonly member: Member
  /** One of the operator's people who looks at the app as the member has it, and changes nothing. Absent: it is the member. */
  readonly seenBy?: { readonly name: string; readonly until: string }
}

export type CallerFacts = KeyCaller | PersonCaller | MemberCaller

/** Who is behind a request, for as long as it is answered. */
export class Caller extends Context.Service<Caller, CallerFacts>()("@freehold/core/access/Caller") {}
