/**
 * The tokens that people sign in with: access tokens of the authorization server that the operator named.
 *
 * An adapter verifies signature, issuer, expiry and audience; what is a member is not its matter.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { IdentityUnresolved, InvalidOauthToken } from "./AccessRefusals.ts"

/** What a verified token says of a person and their assistant. */
export interface PersonToken {
  readonly issuer: string
  /** The person, for good, at that issuer. */
  readonly subject: string
  /** An address that the issuer verified; null: none. */
  readonly email: string | null
  /** The assistant. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
  /** The organization that the token is for; null: it names none. */
  readonly orgId: string | null
}

/** Port: reads the token with which a person signs in. */
export class PersonTokens extends Context.Service<PersonTokens, {
  /** IDENTITY_UNRESOLVED: the issuer's keys cannot be had at the moment. */
  verify(token: Redacted.Redacted): Effect.Effect<PersonToken, InvalidOauthToken | IdentityUnresolved>
}>()("@freehold/core/access/PersonTokens") {}

/** Whether a bearer has the form of a JSON Web Token; no key has. */
export const isTokenForm = (bearer: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer)
