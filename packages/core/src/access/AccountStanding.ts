/**
 * Whether an organization may be served: neither closed nor suspended.
 *
 * Its stored state says so, which comes with the admission. An application around the core whose accounts live elsewhere
 * (a billing system, say) provides `AccountStanding`, which is asked besides; while it cannot tell, nobody of that
 * organization is let in: ACCOUNT_CLOSURE_CHECK_UNAVAILABLE or ORG_SUSPENSION_UNAVAILABLE.
 */
import { Context, Duration, Effect, Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import {
  AccountClosed,
  AccountClosureCheckUnavailable,
  OrgSuspended,
  OrgSuspensionUnavailable
} from "./AccessRefusals.ts"

export type StandingRefusal =
  | AccountClosed
  | AccountClosureCheckUnavailable
  | OrgSuspended
  | OrgSuspensionUnavailable

export interface AccountStanding {
  isClosed(orgId: OrganizationId): Effect.Effect<boolean, TemporarilyUnavailable>
  isSuspended(orgId: OrganizationId): Effect.Effect<boolean, TemporarilyUnavailable>
}

/** None: the stored state alone decides. */
export const AccountStanding = Context.Reference<Option.Option<AccountStanding>>(
  "@freehold/core/access/AccountStanding",
  { defaultValue: Option.none }
)

/** Time within which each of the two must be known. */
const deadline = Duration.seconds(2)

const retryAfterSeconds = 1

const askedOf = Effect.fnUntraced(function*({ isClosed, isSuspended }: AccountStanding, orgId: OrganizationId) {
  const closed = yield* isClosed(orgId).pipe(
    Effect.timeout(deadline),
    Effect.mapError(() => new AccountClosureCheckUnavailable({ retryAfterSeconds }))
  )
  if (closed) return yield* new AccountClosed()
  const suspended = yield* isSuspended(orgId).pipe(
    Effect.timeout(deadline),
    Effect.mapError(() => new OrgSuspensionUnavailable({ retryAfterSeconds }))
  )
  if (suspended) return yield* new OrgSuspended()
})

/** Refuses an organization that is closed or suspended, or of which it cannot be told. */
export const check = (
  elsewhere: Option.Option<AccountStanding>,
  { org_id, status }: Organization
): Effect.Effect<void, StandingRefusal> => {
  if (status === "closed") return Effect.fail(new AccountClosed())
  if (status === "suspended") return Effect.fail(new OrgSuspended())
  return Option.isNone(elsewhere) ? Effect.void : askedOf(elsewhere.value, org_id)
}
