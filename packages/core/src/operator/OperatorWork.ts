/** Does what one of the operator's people asks for, and writes down who, what, why, before and after: both or neither. */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Operator } from "../access/Operator.ts"
import type { Noted } from "../administration/Administration.ts"
import { AdministrationLog } from "../administration/AdministrationLog.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

/** What is written down: about which organization, null: about none. */
export interface OperatorNoted extends Noted {
  readonly orgId: OrganizationId | null
}

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const log = yield* AdministrationLog
  const random = yield* SecureRandom.SecureRandom

  /** Writes a line of the log, as a part of the transaction that is under way. */
  const note = Effect.fnUntraced(function*(reason: string, { after, action, before, orgId, subject }: OperatorNoted) {
    yield* log.record({
      id: yield* Effect.orDie(random.uuidV7()),
      orgId,
      actor: yield* Operator.actor,
      action,
      subjectId: subject.id,
      subjectName: subject.name,
      before,
      after,
      reason,
      now: yield* Clock.currentTimeMillis
    })
  })

  /** Runs the work in one transaction with its line of the log; null: it changed nothing, and nothing is written down. */
  const act = Effect.fn("OperatorWork.act")(function*<A, E, R>(
    reason: string,
    work: Effect.Effect<readonly [A, OperatorNoted | null], E, R>
  ): Effect.fn.Return<A, E | TemporarilyUnavailable, R | Operator> {
    return yield* organizations.atomically(Effect.gen(function*() {
      const [value, noted] = yield* work
      if (noted !== null) yield* note(reason, noted)
      return value
    }))
  })

  /** The organization of an id. */
  const organizationOf = Effect.fnUntraced(function*(orgId: OrganizationId) {
    return yield* Effect.flatMap(organizations.find(orgId), Effect.fromOption).pipe(
      Effect.catchTag("NoSuchElementError", () => Effect.fail(new NotFound({ resource: "organization" })))
    )
  })

  return { act, note, organizationOf }
})
