/**
 * What each endpoint may be refused with: by its own list, by admission, and by what every operation may answer.
 *
 * The table of admission is total: a refusal that admission gains and this table lacks does not compile.
 */
import {
  AccountClosed,
  AccountClosureCheckUnavailable,
  ActingUserNotSupported,
  FeatureGated,
  GrantRevoked,
  IdentityUnresolved,
  InvalidOauthToken,
  MemberConnectDisabled,
  NotAMember,
  OrgSuspended,
  OrgSuspensionUnavailable,
  ScopeNotGranted,
  Unauthenticated,
  UpgradeRequired
} from "@freehold/core/access/AccessRefusals"
import type { AdmissionRefusal, PermissionRefusal } from "@freehold/core/access/Admission"
import * as Plan from "@freehold/core/access/Plan"
import { minimumPlan } from "@freehold/core/access/Scope"
import { DailyRequestLimitExceeded, RateLimited, RateLimitUnavailable } from "@freehold/core/limit/RateRefusals"
import {
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyRoomExhausted
} from "@freehold/core/operation/Idempotency"
import { InvalidInput } from "@freehold/core/operation/InvalidInput"
import type { Access, RefusalClass } from "@freehold/core/operation/Operation"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Array } from "effect"
import * as IdempotentAnswer from "../IdempotentAnswer.ts"
import { restWords } from "../RestRefusals.ts"
import type { Route } from "../Routes.ts"
import { type Outcome, outcomes, type RefusalCode } from "../Status.ts"

/** The lowest plan that has the endpoint. */
export const planOf = ({ plan, scope }: Access): Plan.Plan =>
  scope === null || Plan.includes(plan, minimumPlan[scope]) ? plan : minimumPlan[scope]

/** A refusal of admission, and whether it can meet a call that needs `access`. */
interface Admitting {
  readonly refusal: RefusalClass
  readonly meets: (access: Access) => boolean
}

const always = () => true

export const admission = {
  UNAUTHENTICATED: { refusal: Unauthenticated, meets: always },
  INVALID_OAUTH_TOKEN: { refusal: InvalidOauthToken, meets: always },
  IDENTITY_UNRESOLVED: { refusal: IdentityUnresolved, meets: always },
  NOT_A_MEMBER: { refusal: NotAMember, meets: always },
  GRANT_REVOKED: { refusal: GrantRevoked, meets: always },
  MEMBER_CONNECT_DISABLED: { refusal: MemberConnectDisabled, meets: always },
  ACTING_USER_NOT_SUPPORTED: { refusal: ActingUserNotSupported, meets: always },
  SCOPE_NOT_GRANTED: { refusal: ScopeNotGranted, meets: ({ scope }) => scope !== null },
  UPGRADE_REQUIRED: { refusal: UpgradeRequired, meets: (access) => planOf(access) !== "team" },
  FEATURE_GATED: { refusal: FeatureGated, meets: ({ gate }) => gate !== null },
  ORG_SUSPENSION_UNAVAILABLE: { refusal: OrgSuspensionUnavailable, meets: always },
  ORG_SUSPENDED: { refusal: OrgSuspended, meets: always },
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: { refusal: AccountClosureCheckUnavailable, meets: always },
  ACCOUNT_CLOSED: { refusal: AccountClosed, meets: always },
  rate_limited: { refusal: RateLimited, meets: always },
  DAILY_REQUEST_LIMIT_EXCEEDED: { refusal: DailyRequestLimitExceeded, meets: always },
  rate_limit_unavailable: { refusal: RateLimitUnavailable, meets: always }
} as const satisfies Readonly<Record<(AdmissionRefusal | PermissionRefusal)["_tag"], Admitting>>

const common: ReadonlyArray<RefusalClass> = [InvalidInput, TemporarilyUnavailable]

export interface Refusable {
  readonly code: RefusalCode
  readonly refusal: RefusalClass
  readonly outcome: Outcome
  /** Admission refuses before it counts a request of the key, so there are no rate headers. */
  readonly beforeTheKey: boolean
}

const words: ReadonlyMap<string, ReadonlyArray<RefusalClass>> = new Map(Object.entries(restWords))

const isCode = (text: string): text is RefusalCode => Object.hasOwn(outcomes, text)

/** What `permit` refuses, after the key was counted. */
const permission: Readonly<Record<PermissionRefusal["_tag"], true>> = {
  ACTING_USER_NOT_SUPPORTED: true,
  SCOPE_NOT_GRANTED: true,
  UPGRADE_REQUIRED: true,
  FEATURE_GATED: true
}

/** Everything that core may refuse a call of the endpoint with, in the order of the checks. */
export const of = (route: Route): ReadonlyArray<Refusable> => {
  const { access, refusals } = route.operation
  const classes: ReadonlyArray<RefusalClass> = [
    ...Object.values<Admitting>(admission).flatMap(({ meets, refusal }) => meets(access) ? [refusal] : []),
    ...common,
    ...IdempotentAnswer.applies(route) ? [IdempotencyKeyReused, IdempotencyKeyInProgress] : [],
    ...route.chargesAgain ? [IdempotencyRoomExhausted] : [],
    ...refusals
  ]
  const shown = classes.flatMap((refusal) => words.get(refusal.identifier) ?? [refusal])
  return Array.dedupe(shown).flatMap((refusal) => {
    const code = refusal.identifier
    if (!isCode(code)) return []
    const beforeTheKey = Object.hasOwn(admission, code) && !Object.hasOwn(permission, code)
    return [{ code, refusal, outcome: outcomes[code], beforeTheKey }]
  })
}
