/**
 * The HTTP side of every refusal of core: its status, and where its code and detail stand in the body.
 *
 * | code stands                | for                                                                            |
 * | -------------------------- | ------------------------------------------------------------------------------ |
 * | at the top and in `meta`   | what is refused before the endpoint runs, refusals about money, and by limits  |
 * | in `meta`                  | every other refusal                                                            |
 * | nowhere                    | 401 of a key, and validation                                                   |
 *
 * The table is total: a refusal that core gains and this table lacks does not compile. service-api "Errors", decisions
 * sections 18 and 20.
 */
import type { AdmissionRefusal, PermissionRefusal } from "@freehold/core/access/Admission"
import type { Refusal } from "@freehold/core/catalogue/Catalogue"
import type { IdempotencyRefusal } from "@freehold/core/operation/Idempotency"

/** Everything that core may refuse a request with. */
export type AnyRefusal = Refusal | AdmissionRefusal | PermissionRefusal | IdempotencyRefusal

/** The code of a refusal. */
export type RefusalCode = AnyRefusal["_tag"]

/** The status of a refusal, and where its code stands. */
export interface Outcome {
  readonly status: 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  readonly code: "top and meta" | "meta" | "nowhere"
  /** The detail stands beside the code at the top as well. */
  readonly detailOnTop?: true
}

/** What each refusal comes to, by its code. */
export const outcomes: Readonly<Record<RefusalCode, Outcome>> = {
  UNAUTHENTICATED: { status: 401, code: "nowhere" },
  INVALID_ARGUMENTS: { status: 400, code: "nowhere" },

  INVALID_OAUTH_TOKEN: { status: 401, code: "top and meta" },
  IDENTITY_UNRESOLVED: { status: 503, code: "top and meta" },
  NOT_A_MEMBER: { status: 403, code: "top and meta" },
  GRANT_REVOKED: { status: 403, code: "top and meta" },
  MEMBER_CONNECT_DISABLED: { status: 403, code: "top and meta" },

  ACTING_USER_REQUIRED: { status: 403, code: "top and meta" },
  ACTING_USER_NOT_SUPPORTED: { status: 403, code: "top and meta" },
  SCOPE_NOT_GRANTED: { status: 403, code: "top and meta" },
  UPGRADE_REQUIRED: { status: 403, code: "top and meta", detailOnTop: true },
  FEATURE_GATED: { status: 403, code: "top and meta" },
  ORG_SUSPENDED: { status: 403, code: "top and meta" },
  ORG_SUSPENSION_UNAVAILABLE: { status: 503, code: "top and meta" },
  ACCOUNT_CLOSED: { status: 403, code: "top and meta" },
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: { status: 503, code: "top and meta" },
  rate_limited: { status: 429, code: "top and meta" },
  rate_limit_unavailable: { status: 503, code: "top and meta" },
  DAILY_REQUEST_LIMIT_EXCEEDED: { status: 429, code: "top and meta" },

  ACCOUNT_DAILY_CAP_EXCEEDED: { status: 429, code: "top and meta" },
  DAILY_CAP_EXCEEDED: { status: 429, code: "top and meta" },
  CREDENTIAL_DAILY_CAP_EXCEEDED: { status: 429, code: "top and meta" },
  RECORDS_ALLOWANCE_EXCEEDED: { status: 429, code: "top and meta" },

  INSUFFICIENT_CREDITS: { status: 402, code: "top and meta" },
  USER_CREDIT_LIMIT_EXCEEDED: { status: 402, code: "top and meta" },
  PAYMENT_FAILED: { status: 402, code: "top and meta" },
  CREDITS_DORMANT: { status: 402, code: "top and meta" },

  ACTION_IN_PROGRESS: { status: 409, code: "meta" },
  COST_CONFIRMATION_REQUIRED: { status: 409, code: "meta" },
  NOT_RESEARCHED: { status: 409, code: "meta" },

  // Research is an assistant's alone, so REST never answers these.
  SUBSCRIPTION_PAYMENT_FAILED: { status: 402, code: "top and meta" },
  BILLING_NOT_PROVISIONED: { status: 402, code: "top and meta" },
  CREDIT_ACTION_IN_PROGRESS: { status: 409, code: "meta" },
  ALREADY_RESEARCHING: { status: 409, code: "meta" },
  BATCH_ALREADY_RUNNING: { status: 409, code: "meta" },
  RESEARCH_LAUNCH_BUSY: { status: 409, code: "meta" },
  BATCH_TOO_LARGE: { status: 400, code: "meta" },
  EMPTY_SELECTION: { status: 409, code: "meta" },
  PROPERTY_UNLOCK_REQUIRED: { status: 409, code: "meta" },
  CONTACT_REVEAL_REQUIRED: { status: 409, code: "meta" },
  STRATEGY_REQUIRED: { status: 409, code: "meta" },
  DO_NOT_CONTACT: { status: 409, code: "meta" },
  RATE_LIMITED: { status: 429, code: "meta" },

  IDEMPOTENCY_KEY_REUSED: { status: 422, code: "meta" },
  IDEMPOTENCY_KEY_IN_PROGRESS: { status: 409, code: "meta" },
  IDEMPOTENCY_ROOM_EXHAUSTED: { status: 429, code: "meta" },

  NOT_FOUND: { status: 404, code: "meta" },
  OUT_OF_TERRITORY: { status: 403, code: "meta" },
  NO_VISIBLE_TERRITORY: { status: 403, code: "meta" },
  PROPERTY_NOT_AVAILABLE: { status: 404, code: "meta" },
  CONTACT_NOT_AVAILABLE: { status: 404, code: "meta" },
  // REST has other words for these (`RestRefusals`), and none for a name in use.
  LIST_NOT_FOUND: { status: 404, code: "meta" },
  WRONG_LIST_TYPE: { status: 404, code: "meta" },
  NAME_IN_USE: { status: 409, code: "meta" },
  NOT_ENTITLED: { status: 403, code: "meta" },
  PROPERTY_RETIRED: { status: 409, code: "meta" },

  NO_PIPELINE_RECORD: { status: 404, code: "meta" },
  CRM_MODE_NOT_EXTERNAL: { status: 409, code: "meta" },
  CHANGED_IN_FLIGHT: { status: 409, code: "meta" },
  // Only tools move leads through the stages, so REST never answers these.
  STAGE_CAPPED: { status: 409, code: "meta" },
  MCP_QUALIFICATION_DISABLED: { status: 403, code: "meta" },
  DEAL_VALUE_REQUIRED: { status: 422, code: "meta" },
  INVALID_LOSS_REASON_CODE: { status: 422, code: "meta" },
  SAME_STATUS: { status: 409, code: "meta" },
  ALREADY_DISQUALIFIED: { status: 409, code: "meta" },
  CLOSED_STAGE: { status: 409, code: "meta" },
  INVALID_TRANSITION: { status: 409, code: "meta" },

  MISSING_QUERY_BOUNDS_OR_COUNTY: { status: 400, code: "meta" },
  AMBIGUOUS_SEARCH_MODE: { status: 400, code: "meta" },
  INVALID_CURSOR: { status: 400, code: "meta" },
  CURSOR_SORT_MISMATCH: { status: 400, code: "meta" },
  OFFSET_REQUIRES_SORT: { status: 400, code: "meta" },
  SIGNALS_NOT_ENABLED: { status: 400, code: "meta" },

  WEBHOOK_ENDPOINT_LIMIT_REACHED: { status: 409, code: "meta" },
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: { status: 409, code: "meta" },

  COMPLIANCE_CHECK_UNAVAILABLE: { status: 503, code: "meta" },
  TEMPORARILY_UNAVAILABLE: { status: 503, code: "meta" }
}
