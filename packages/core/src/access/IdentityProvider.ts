/**
 * The operator's authorization server, as the app lets people sign in by it: OpenID Connect, authorization code with PKCE.
 *
 * What a sign-in needs between its two steps is sealed and kept by the browser in which it began, so that it ends in no
 * other. Tokens are the adapter's alone.
 */
import { Context, type Effect, Option, type Redacted, Schema } from "effect"
import type { IdentityUnresolved } from "./AccessRefusals.ts"
import type { KnownPerson } from "./Sessions.ts"

/** The sign-in began elsewhere, too long ago, or has ended before. */
export class SignInEnded extends Schema.TaggedError<SignInEnded>()("SIGN_IN_ENDED", {}) {
  override get message() {
    return "This sign-in began in another browser, began more than 10 minutes ago, or has ended before; begin anew."
  }
}

/** The authorization server says no, or answers what does not verify. */
export class SignInDeclined extends Schema.TaggedError<SignInDeclined>()("SIGN_IN_DECLINED", {}) {
  override get message() {
    return "The sign-in was not confirmed; begin anew."
  }
}

/** No member is known by the person's subject, and the authorization server confirms no address to know them by. */
export class AddressUnconfirmed extends Schema.TaggedError<AddressUnconfirmed>()("ADDRESS_UNCONFIRMED", {}) {
  override get message() {
    return "The sign-in has not confirmed an email address of yours; confirm it there, and begin anew."
  }
}

/** A sign-in that began. */
export interface BegunSignIn {
  /** Where the browser goes. */
  readonly address: string
  /** What it brings back; opaque. */
  readonly attempt: Redacted.Redacted
}

export interface IdentityProvider {
  /** What people know it by. */
  readonly host: string
  /** `to`: the path at which the person wants to be afterwards. */
  begin(to: string): Effect.Effect<BegunSignIn, IdentityUnresolved>
  /** `query`: what the authorization server sent the browser back with. */
  finish(answer: { readonly attempt: Redacted.Redacted; readonly query: string }): Effect.Effect<
    { readonly person: KnownPerson; readonly to: string },
    SignInEnded | SignInDeclined | IdentityUnresolved
  >
  /** Where the browser goes to sign out there too; null: nowhere. */
  leave(signOutHint: Uint8Array): Effect.Effect<string | null>
}

/** None: people sign in by links alone. */
export const IdentityProvider = Context.Reference<Option.Option<IdentityProvider>>(
  "@freehold/core/access/IdentityProvider",
  { defaultValue: Option.none }
)
