/**
 * The credits that an organization is granted at the start of each UTC month: its `monthly_credit_allotment`, where its
 * apply document says `"monthly_grant": true`.
 *
 * Once a month, by a reference of the month, so that any number of processes may grant it at once. They go into the bucket
 * `included` and end with the month, unless `monthly_grant_rolls_over`. Implements decisions, section 21.
 *
 * *Gotcha*: a grant that the operator made under the reference of a month is that month's.
 */
import { Clock, DateTime, Effect, Result } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { nextMonth } from "../operation/UtcTime.ts"
import type { Organization } from "../organization/Organization.ts"
import { decideGrant, type Granted } from "./Grant.ts"
import { Ledger, type LedgerDecision, type LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"

const actor: EntryActor = { kind: "system", id: null, name: "monthly grant" }

/** The reference of the grant of the UTC month of `now`, such as `monthly:2026-11`. */
export const referenceOf = (now: number): string =>
  `monthly:${DateTime.formatIso(DateTime.makeUnsafe(now)).slice(0, 7)}`

/** Whether months bring the organization credits. */
export const isGranted = (organization: Organization): boolean =>
  organization.monthly_grant === true && organization.monthly_credit_allotment > 0

/** An allotment that never becomes credits. */
export const grantsNothing = (organization: Organization): boolean =>
  organization.monthly_grant !== true && organization.monthly_credit_allotment > 0

/** `snapshot` is about the subject `Grant` of the month's reference. null: there is nothing to grant. */
export const decideMonthlyGrant = (
  snapshot: LedgerSnapshot,
  organization: Organization,
  now: number
): Result.Result<LedgerDecision<Granted | null>, InvalidInput> => {
  if (!isGranted(organization) || snapshot.organization.status !== "active") return Result.succeed(decide(null))
  return Result.mapError(
    decideGrant(snapshot, {
      ref: referenceOf(now),
      bucket: "included",
      amount: organization.monthly_credit_allotment,
      expiresAt: organization.monthly_grant_rolls_over === true ? null : nextMonth(now),
      actor,
      requestId: null,
      now
    }),
    ({ issues }) => invalid("monthly_credit_allotment", issues.map(({ message }) => message).join("; "))
  )
}

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger

  /** Grants what the present month is to bring, once; the organization is held by `Organizations.atomically`. */
  const grantTo = Effect.fn("MonthlyGrant.grantTo")(function*(organization: Organization) {
    const now = yield* Clock.currentTimeMillis
    const granted = yield* ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Grant", ref: referenceOf(now) },
        exclusive: false,
        now
      },
      (snapshot) => decideMonthlyGrant(snapshot, organization, now)
    ).pipe(
      // It cannot be: the command is not exclusive.
      Effect.catchTag("ACTION_IN_PROGRESS", Effect.die)
    )
    return granted?.outcome ?? "unchanged"
  })

  return { grantTo }
})
