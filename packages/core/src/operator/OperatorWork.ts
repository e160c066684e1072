/** Does what one of the operator's people asks for, and writes down who, what, why, before and after: both or neither. */
import { Effect } from "effect"
import { Operator } from "../access/Operator.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as OperatorNote from "./OperatorNote.ts"

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const { note } = yield* OperatorNote.make

  /** Runs the work in one transaction with its lines of the logs; null: it changed nothing, and nothing is written down. */
  const act = Effect.fn("OperatorWork.act")(function*<A, E, R>(
    reason: string,
    work: Effect.Effect<readonly [A, OperatorNote.OperatorNoted | null], E, R>
  ): Effect.fn.Return<A, E | TemporarilyUnavailable, R | Operator> {
    return yield* organizations.atomically(Effect.gen(function*() {
      const [value, noted] = yield* work
      if (noted !== null) yield* note({ name: (yield* Operator).name, reason }, noted)
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
