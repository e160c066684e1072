/** A caller as the one who changes leads. */
import * as Acting from "../access/Acting.ts"
import type { CallerFacts } from "../access/Caller.ts"
import type { LeadOwner, PipelineActor } from "./Pipeline.ts"

/** An agent, unless a member does it in the app. */
export const moverOf = (caller: CallerFacts): PipelineActor => {
  const { id, name } = Acting.actor(caller)
  return { kind: Acting.isAgent(caller) ? "agent" : "member", id, name: name ?? caller.label }
}

/** Whose a lead becomes that the caller qualifies first; null: nobody's. */
export const ownerOf = (caller: CallerFacts): LeadOwner | null => {
  const member = Acting.member(caller)
  return member === null ? null : { id: member.memberId, name: member.name }
}
