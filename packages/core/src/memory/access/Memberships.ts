/** Where people are members, and how one whom the authorization server makes known is found, in memory. */
import type { ConnectionRequest } from "../../access/Connections.ts"
import type { Member } from "../../organization/Organizations.ts"
import type { State, StoredIdentity } from "../MemoryState.ts"

export interface Membership {
  readonly key: string
  readonly orgId: string
  readonly member: Member
  readonly identity: StoredIdentity | null
}

/** Active members of all organizations, first joined first. */
export const membershipsOf = (state: State): ReadonlyArray<Membership> =>
  [...state.identities].flatMap(([key, identity]) => {
    const [orgId = "", memberId] = key.split(" ")
    const member = state.members.get(orgId)?.find((each) => each.memberId === memberId)
    return member?.status === "active" ? [{ key, orgId, member, identity }] : []
  })

/** Stores the subject at the members of that address who have none of this issuer. */
export const recognize = (
  state: State,
  { email, issuer, subject }: Pick<ConnectionRequest, "email" | "issuer" | "subject">
): void => {
  const all = membershipsOf(state)
  for (const { identity, key, member, orgId } of all) {
    const elsewhere = all.some((each) =>
      each.orgId === orgId && each.identity?.issuer === issuer && each.identity.subject === subject
    )
    if (member.email.toLowerCase() === email?.toLowerCase() && identity?.issuer !== issuer && !elsewhere) {
      state.identities.set(key, { issuer, subject })
    }
  }
}
