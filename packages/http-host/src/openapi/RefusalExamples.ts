/** An example of each refusal, for the contract's document. A test names the ones that are missing. */
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
  SignalsNotEnabled,
  Unauthenticated,
  UpgradeRequired
} from "@freehold/core/access/AccessRefusals"
import {
  ComplianceCheckUnavailable,
  NotEntitled,
  NotFound,
  NoVisibleTerritory,
  OutOfTerritory,
  PropertyRetired
} from "@freehold/core/coverage/CoverageRefusals"
import {
  ActionInProgress,
  CreditsDormant,
  InsufficientCredits,
  NotResearched,
  PaymentFailed,
  UserCreditLimitExceeded
} from "@freehold/core/credit/CreditRefusals"
import {
  AccountDailyCapExceeded,
  CredentialDailyCapExceeded,
  DailyCapExceeded,
  RecordsAllowanceExceeded
} from "@freehold/core/limit/LimitRefusals"
import { ContactNotAvailable, PropertyNotAvailable } from "@freehold/core/list/ListRefusals"
import {
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyRoomExhausted
} from "@freehold/core/operation/Idempotency"
import { InvalidCursor } from "@freehold/core/operation/InvalidCursor"
import { invalid } from "@freehold/core/operation/InvalidInput"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { ChangedInFlight, CrmModeNotExternal, NoPipelineRecord } from "@freehold/core/pipeline/PipelineRefusals"
import {
  AmbiguousSearchMode,
  CursorSortMismatch,
  MissingQueryBoundsOrCounty
} from "@freehold/core/property/SearchRefusals"
import { DailyRequestLimitExceeded, RateLimited, RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "@freehold/core/webhook/WebhookRefusals"
import type { AnyRefusal, RefusalCode } from "../Status.ts"

const midnight = "2026-11-23T00:00:00.000Z"

const daily = (layer: "greenfinch_admin" | "organization" | "key") => ({
  usedToday: 100,
  cap: 100,
  remainingToday: 0,
  resetsAt: midnight,
  retryAfterSeconds: 3600,
  limit: { name: "contact_reveal", level: 2, layer, value: 100, used: 100, resets_at: midnight }
} as const)

const examples: ReadonlyArray<AnyRefusal> = [
  new Unauthenticated(),
  invalid("id", "Expected a UUID"),
  new ScopeNotGranted({ scope: "data:read" }),
  new UpgradeRequired({ feature: "apiAccess", minimumTier: "enterprise" }),
  new FeatureGated({ feature: "lists" }),
  new ActingUserNotSupported(),
  new InvalidOauthToken(),
  new IdentityUnresolved({ retryAfterSeconds: 1 }),
  new NotAMember(),
  new MemberConnectDisabled(),
  new GrantRevoked(),
  new OrgSuspensionUnavailable({ retryAfterSeconds: 1 }),
  new AccountClosureCheckUnavailable({ retryAfterSeconds: 1 }),
  new ComplianceCheckUnavailable({ retryAfterSeconds: 1 }),
  new UserCreditLimitExceeded({ required: 10, available: 4, limit: 50, resetsAt: "2026-12-01T00:00:00.000Z" }),
  new OrgSuspended(),
  new AccountClosed(),
  new RateLimited({
    retryAfterSeconds: 12,
    limit: { name: "requests_per_minute", level: 1, value: 300, used: 300, resets_at: "2026-11-22T12:00:12.000Z" }
  }),
  new DailyRequestLimitExceeded({
    retryAfterSeconds: 3600,
    limit: { name: "requests_per_day", level: 1, value: 50_000, used: 50_000, resets_at: midnight }
  }),
  new RateLimitUnavailable({ retryAfterSeconds: 1 }),
  new AccountDailyCapExceeded(daily("greenfinch_admin")),
  new DailyCapExceeded(daily("organization")),
  new CredentialDailyCapExceeded(daily("key")),
  new RecordsAllowanceExceeded({
    retryAfterSeconds: 777_600,
    limit: {
      name: "records_allowance",
      level: 3,
      value: 5000,
      used: 5000,
      remaining: 0,
      period_ends_at: "2026-12-01T00:00:00.000Z",
      overage_enabled: false,
      overage_price_per_record_usd: null
    }
  }),
  new InsufficientCredits({ required: 10, available: 4 }),
  new PaymentFailed(),
  new CreditsDormant(),
  new ActionInProgress({ retryAfterSeconds: 1 }),
  new NotResearched(),
  new IdempotencyKeyReused(),
  new IdempotencyKeyInProgress({ retryAfterSeconds: 1 }),
  new IdempotencyRoomExhausted({ retryAfterSeconds: 3600 }),
  new NotFound({ resource: "property" }),
  new OutOfTerritory({ reason: "subscription", county_fips: "53905" }),
  new NoVisibleTerritory({ cause: "no_serviceable_area" }),
  new NotEntitled(),
  new PropertyRetired({ successorPropertyId: "4a4f6c1e-6c0e-5f0a-9d52-6f2c3a1b7e10" }),
  new PropertyNotAvailable({ item_ids: ["984d985b-cf50-5a37-86a9-2c9c6d63499b"] }),
  new ContactNotAvailable({ item_ids: ["8fc389b3-679d-5977-84bb-72594243890a"] }),
  new NoPipelineRecord(),
  new CrmModeNotExternal(),
  new ChangedInFlight(),
  MissingQueryBoundsOrCounty.at("filters"),
  new AmbiguousSearchMode({
    issues: [{ field: "filters", message: "Expected only one of query, filters and bounds" }]
  }),
  InvalidCursor.refuse(),
  CursorSortMismatch.refuse(),
  new SignalsNotEnabled({ issues: [{ field: "events.0", message: "Change events are not switched on" }] }),
  new WebhookEndpointLimitReached(),
  new WebhookEndpointTotalLimitReached(),
  new TemporarilyUnavailable({ retryAfterSeconds: 1 })
]

export const refusalExamples: Readonly<Partial<Record<RefusalCode, AnyRefusal>>> = Object.fromEntries(
  examples.map((refusal) => [refusal._tag, refusal])
)
