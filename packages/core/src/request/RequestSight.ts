/** Which requests of its organization a caller reads, and what of each. */
import * as Acting from "../access/Acting.ts"
import type { CallerFacts } from "../access/Caller.ts"
import type { OperatorRequest } from "./OperatorRequests.ts"

/** Whose alone: of a member who is no admin, their own. undefined: anybody's; a key is the organization's. */
export const actorIdFor = (caller: CallerFacts): string | undefined => {
  const member = Acting.member(caller)
  return member === null || member.role === "admin" ? undefined : member.memberId
}

/** What became of it, and who asked. */
export const outcomeOf = ({ actor, answer, closedAt, createdAt, id, status }: OperatorRequest) => ({
  id,
  status,
  asked_by: actor.name,
  created_at: createdAt,
  closed_at: closedAt,
  answer
})
