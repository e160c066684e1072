/** Lets one of the operator's people look at the app as a member has it, and writes down that they did. */
import { Clock, Effect, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Operator } from "../access/Operator.ts"
import { OperatorSessions } from "../access/OperatorSessions.ts"
import * as SessionSecret from "../access/SessionSecret.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { decoder } from "../operation/InvalidInput.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Organizations } from "../organization/Organizations.ts"
import { ofOrganization, Reason } from "./OperatorOperation.ts"
import * as OperatorWork from "./OperatorWork.ts"

const decode = decoder(Schema.Struct({ ...ofOrganization, member_id: Uuid, reason: Reason }))

export const make = Effect.gen(function*() {
  const sessions = yield* OperatorSessions
  const organizations = yield* Organizations
  const { generate, hashOf } = SessionSecret.make(yield* Digest.Digest, yield* SecureRandom.SecureRandom)
  const { act, organizationOf } = yield* OperatorWork.make

  /** Answers the secret of the view, which the browser alone keeps. */
  const open = Effect.fn("MemberViews.open")(function*(input: unknown) {
    const { member_id, org_id: orgId, reason } = yield* Effect.fromResult(decode(input))
    const memberId = member_id.toLowerCase()
    const { sessionId } = yield* Operator
    const secret = yield* generate
    const secretHash = yield* hashOf(secret)
    return yield* act(
      reason,
      Effect.gen(function*() {
        yield* organizationOf(orgId)
        const members = yield* organizations.members(orgId)
        const member = members.find((each) => each.memberId === memberId)
        const now = yield* Clock.currentTimeMillis
        const opened = yield* sessions.openView({ sessionId, secretHash, orgId, memberId, now })
        if (member === undefined || !opened) return yield* new NotFound({ resource: "member" })
        return [secret, {
          orgId,
          action: "member.seen_as" as const,
          subject: member.email,
          told: { id: memberId, name: member.name },
          before: null,
          after: { name: member.name }
        }] as const
      })
    )
  })

  return { open }
})
