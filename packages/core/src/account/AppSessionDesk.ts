/** Tells members where they are signed in and where they may go on, and signs them out elsewhere. */
import { Clock, Effect } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Sessions } from "../access/Sessions.ts"
import type { ListOrganizations, ListSessions, RevokeSession } from "./AppSessionOperations.ts"

/** Whose session it is, and which. */
const own = Effect.gen(function*() {
  const caller = yield* Caller
  const member = Acting.member(caller)
  if (member === null) return yield* Effect.die("a key has no session in the app")
  return { orgId: caller.organization.org_id, memberId: member.memberId, sessionId: caller.credentialId }
})

export const make = Effect.gen(function*() {
  const sessions = yield* Sessions

  const list: HandlerOf<typeof ListSessions> = Effect.fn("AppSessionDesk.list")(function*() {
    const { memberId, orgId, sessionId } = yield* own
    const live = yield* sessions.list(orgId, memberId, yield* Clock.currentTimeMillis)
    return {
      items: live.map((session) => ({
        session_id: session.sessionId,
        current: session.sessionId === sessionId,
        signed_in_at: session.signedInAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        user_agent: session.userAgent
      }))
    }
  })

  const revoke: HandlerOf<typeof RevokeSession> = Effect.fn("AppSessionDesk.revoke")(function*(input) {
    const { memberId, orgId, sessionId } = yield* own
    const which = "session_id" in input
      ? { sessionId: input.session_id }
      : { sessionId: null, keptSessionId: sessionId }
    return { ended: yield* sessions.revoke({ orgId, memberId, ...which }) }
  })

  const listOrganizations: HandlerOf<typeof ListOrganizations> = Effect.fn("AppSessionDesk.listOrganizations")(
    function*() {
      const { orgId, sessionId } = yield* own
      const memberships = yield* sessions.memberships(orgId, sessionId)
      return {
        items: memberships.map(({ name, org_id }) => ({ org_id, name, current: org_id === orgId }))
      }
    }
  )

  return { list, revoke, listOrganizations }
})
