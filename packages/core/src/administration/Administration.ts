/** Changes something about the caller's organization and writes down that it did, both or neither. */
import { Clock, Duration, Effect, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type AdministrationAction, AdministrationLog, type Side } from "./AdministrationLog.ts"

/** So many changes an organization makes in a day: each leaves rows behind, and nobody makes as many, but programs. */
export const mostChanges = 5000

/** Within which they are counted. */
const counted = Duration.days(1)

const tooManyChanges = `Expected at most ${mostChanges} changes of keys, members, settings and endpoints, tests and ` +
  "resends in 24 hours; your organization has made as many"

/** What is written down of a change. */
export interface Noted {
  readonly action: AdministrationAction
  readonly subject: { readonly id: string; readonly name: string }
  readonly before: Side
  readonly after: Side
}

/** The fields that differ, with what was and what is; null: none does. */
export const differenceOf = <Fields extends Readonly<Record<string, Schema.Json>>>(
  before: Fields,
  after: Fields
): { readonly before: Side; readonly after: Side } | null => {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  const only = (side: Fields): Side => Object.fromEntries(changed.map((field) => [field, side[field] ?? null]))
  return changed.length === 0 ? null : { before: only(before), after: only(after) }
}

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const log = yield* AdministrationLog
  const random = yield* SecureRandom.SecureRandom

  const requireRoom = Effect.fnUntraced(function*(orgId: OrganizationId) {
    const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(counted)
    if ((yield* log.countSince({ orgId, since, atMost: mostChanges })) >= mostChanges) {
      return yield* invalid(null, tooManyChanges)
    }
  })

  /**
   * Runs the change in one transaction with its line of the log; null: it changed nothing, and nothing is written down.
   * No other change of the same organization runs meanwhile.
   */
  const noting = Effect.fn("Administration.change")(function*<A, E, R>(
    work: (organization: Organization) => Effect.Effect<readonly [A, Noted | null], E, R>
  ): Effect.fn.Return<A, E | TemporarilyUnavailable, R | Caller> {
    const caller = yield* Caller
    const { org_id: orgId } = caller.organization
    return yield* organizations.atomically(Effect.gen(function*() {
      const held = yield* Effect.flatMap(organizations.find(orgId), Effect.fromOption).pipe(Effect.orDie)
      const now = yield* Clock.currentTimeMillis
      const [value, noted] = yield* work(held)
      if (noted !== null) {
        yield* log.record({
          id: yield* Effect.orDie(random.uuidV7()),
          orgId,
          actor: Acting.actor(caller),
          action: noted.action,
          subjectId: noted.subject.id,
          subjectName: noted.subject.name,
          before: noted.before,
          after: noted.after,
          now
        })
      }
      return value
    }))
  })

  /** Refused is what comes after `mostChanges` of a day. */
  const change = <A, E, R>(
    work: (organization: Organization) => Effect.Effect<readonly [A, Noted | null], E, R>
  ): Effect.Effect<A, E | InvalidInput | TemporarilyUnavailable, R | Caller> =>
    noting((organization) => Effect.andThen(requireRoom(organization.org_id), work(organization)))

  return {
    change,
    /**
     * For what ends something that was made or given, refused at no number: whoever stops a program that has made them all comes
     * after it. Nothing is ended that was not made before.
     */
    end: noting
  }
})
