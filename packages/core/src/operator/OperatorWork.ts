/** Does what one of the operator's people asks for, and writes down who, what, why, before and after: both or neither. */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Operator } from "../access/Operator.ts"
import { type ActionOfTheOperator, AdministrationLog, type Side } from "../administration/AdministrationLog.ts"
import { type OperatorAction, OperatorLog } from "../administration/OperatorLog.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

/** What is written down of what was done. */
interface Done {
  /** As the operator reads it: an id, or what was given. */
  readonly subject: string
  readonly before: Side
  readonly after: Side
}

/** What was done to an organization, and what of it its admins read in their log. */
interface DoneToOrganization extends Done {
  readonly orgId: OrganizationId
  readonly action: ActionOfTheOperator
  readonly told: { readonly id: string; readonly name: string }
}

/** What was done to no one organization. */
interface DoneToAll extends Done {
  readonly orgId: null
  readonly action: OperatorAction
}

/** A line of the operator's log; of an organization, with one for its admins. */
export type OperatorNoted = DoneToOrganization | DoneToAll

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const operatorLog = yield* OperatorLog
  const administrationLog = yield* AdministrationLog
  const random = yield* SecureRandom.SecureRandom
  const uuid = Effect.orDie(random.uuidV7())

  /** Writes it down, as a part of the transaction that is under way. */
  const note = Effect.fnUntraced(function*(reason: string, noted: OperatorNoted) {
    const { action, after, before, orgId, subject } = noted
    const { name } = yield* Operator
    const now = yield* Clock.currentTimeMillis
    yield* operatorLog.record({ id: yield* uuid, actor: name, action, orgId, subject, before, after, reason, now })
    if (noted.orgId === null) return
    yield* administrationLog.record({
      id: yield* uuid,
      orgId: noted.orgId,
      actor: yield* Operator.actor,
      action: noted.action,
      subjectId: noted.told.id,
      subjectName: noted.told.name,
      before,
      after,
      now
    })
  })

  /** Runs the work in one transaction with its lines of the logs; null: it changed nothing, and nothing is written down. */
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

  return { act, organizationOf }
})
