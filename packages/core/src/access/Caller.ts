/**
 * Who is calling, as admission found it: the credential and the organization behind it at this very moment.
 *
 * Provided to a handler for one request. Everything a handler needs to know about rights is here, so that no handler
 * asks the database for it again.
 */
import { Context } from "effect"
import type { Counted } from "../limit/RateWindow.ts"
import type { KeyDailyLimits } from "./KeyDailyLimits.ts"
import type { Organization } from "./Organization.ts"
import type { Scope } from "./Scope.ts"

/** An organization's key. People's connections join this union with sign-in. */
export interface CallerFacts {
  readonly kind: "key"
  readonly credentialId: string
  /** Key name plus the first 12 characters of the key. */
  readonly label: string
  readonly keyName: string
  readonly scopes: ReadonlyArray<Scope>
  readonly organization: Organization
  /** The key's own daily limits; absent: none. */
  readonly dailyLimits?: KeyDailyLimits
  /**
   * How the counters of requests stand, this one counted. `day` null: no daily ceiling is in force. Absent: nobody counts
   * requests.
   */
  readonly requests?: { readonly minute: Counted; readonly day: Counted | null }
  readonly requestId: string
}

export class Caller extends Context.Service<Caller, CallerFacts>()("@freehold/core/access/Caller") {}
