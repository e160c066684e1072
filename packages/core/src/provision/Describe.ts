/**
 * A stored organization as the document that makes it: applying it changes nothing.
 *
 * Without secrets, which nobody can read back; without keys that work no more: no document brings back a revoked one, or makes an expired one; and without grants, which
 * happened once and are in the ledger.
 */
import type { Credential } from "../access/KeyRing.ts"
import { named } from "../access/NamedKey.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"

const keyPart = ({ dailyLimits, expiresAt, name, scopes }: Credential) => ({
  name,
  scopes,
  daily_limits: dailyLimits,
  expires_at: expiresAt?.toISOString() ?? null
})

const memberPart = ({ email, monthlyCreditLimit, name, role, seat, status, territory }: Member) => ({
  email,
  name,
  role,
  seat,
  status,
  territory,
  monthly_credit_limit: monthlyCreditLimit
})

/** What is stored of an organization. */
export interface StoredOrganization {
  readonly organization: Organization
  readonly credentials: ReadonlyArray<Credential>
  readonly members: ReadonlyArray<Member>
}

/** The entry of an organization in a document. */
export const describe = ({ credentials, members, organization }: StoredOrganization) => ({
  ...organization,
  // A name means one key, whichever others had it.
  keys: credentials.filter((key) => key.status === "active" && named(credentials, key.name) === key).map(keyPart),
  members: members.map(memberPart)
})
export type Described = ReturnType<typeof describe>
