/**
 * Every code of the specification's tables, with the doors that it comes through and, on REST, its status and where it
 * stands. service-api "Errors", the endpoints' own tables, decisions sections 6, 18 and 20.
 */

export interface Listed {
  /** The status on REST; none: the code is MCP's alone, or an operator's. */
  readonly rest?: 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  /** Where it stands in the body on REST. */
  readonly place?: "top and meta" | "meta"
  /** A refusal of a tool. */
  readonly mcp?: true
  /** Of whoever is not let in to the tools: over HTTP before JSON-RPC, with the status and the place of REST. */
  readonly entrance?: true
  /** A refusal of the `freehold` command. */
  readonly command?: true
}

const before = (rest: 401 | 403 | 429 | 503) => ({ rest, place: "top and meta", entrance: true }) as const
const endpoint = (rest: 400 | 403 | 404 | 409 | 503) => ({ rest, place: "meta", mcp: true }) as const
const money = (rest: 402 | 403 | 429) => ({ rest, place: "top and meta", mcp: true }) as const
const tool = { mcp: true } as const

export const closedList = {
  // Access and account
  SCOPE_NOT_GRANTED: before(403),
  UPGRADE_REQUIRED: before(403),
  ORG_SUSPENDED: before(403),
  ORG_SUSPENSION_UNAVAILABLE: before(503),
  ACCOUNT_CLOSED: before(403),
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: before(503),
  CREDENTIAL_LIMIT_REACHED: { command: true },
  rate_limited: before(429),
  rate_limit_unavailable: before(503),
  INVALID_OAUTH_TOKEN: before(401),
  NOT_A_MEMBER: before(403),
  MEMBER_CONNECT_DISABLED: before(403),
  GRANT_REVOKED: before(403),
  NO_ACTIVE_SEAT: tool,
  ROLE_NOT_PERMITTED: tool,
  ACTING_USER_REQUIRED: tool,
  // The tools take both.
  ACTING_USER_NOT_SUPPORTED: { rest: 403, place: "top and meta" },
  IDENTITY_UNRESOLVED: before(503),

  // Credits and limits
  INSUFFICIENT_CREDITS: money(402),
  CREDITS_DORMANT: money(402),
  USER_CREDIT_LIMIT_EXCEEDED: tool,
  DAILY_REQUEST_LIMIT_EXCEEDED: before(429),
  ACCOUNT_DAILY_CAP_EXCEEDED: money(429),
  DAILY_CAP_EXCEEDED: money(429),
  CREDENTIAL_DAILY_CAP_EXCEEDED: money(429),
  RECORDS_ALLOWANCE_EXCEEDED: money(429),
  COST_CONFIRMATION_REQUIRED: tool,
  ACTION_IN_PROGRESS: endpoint(409),
  PAYMENT_FAILED: money(402),
  CREDIT_ACTION_IN_PROGRESS: tool,
  RATE_LIMITED: tool,
  SUBSCRIPTION_PAYMENT_FAILED: tool,
  BILLING_NOT_PROVISIONED: tool,

  // Coverage and visibility
  OUT_OF_TERRITORY: endpoint(403),
  NO_VISIBLE_TERRITORY: endpoint(403),
  NOT_ENTITLED: endpoint(403),
  FEATURE_GATED: money(403),
  NOT_FOUND: endpoint(404),
  PROPERTY_RETIRED: endpoint(409),
  PROPERTY_NOT_AVAILABLE: endpoint(404),
  CONTACT_NOT_AVAILABLE: endpoint(404),
  LIST_NOT_FOUND: tool,
  COMPLIANCE_CHECK_UNAVAILABLE: endpoint(503),

  // Pipeline and write-back
  NO_PIPELINE_RECORD: endpoint(404),
  CRM_MODE_NOT_EXTERNAL: { rest: 409, place: "meta" },
  CHANGED_IN_FLIGHT: { rest: 409, place: "meta" },
  STAGE_CAPPED: tool,
  MCP_QUALIFICATION_DISABLED: tool,
  SCOPE_REQUIRED: tool,
  DEAL_VALUE_REQUIRED: tool,
  INVALID_LOSS_REASON_CODE: tool,
  SAME_STATUS: tool,
  ALREADY_DISQUALIFIED: tool,
  CLOSED_STAGE: tool,
  INVALID_TRANSITION: tool,

  // Research, lists and search
  NOT_RESEARCHED: endpoint(409),
  PROPERTY_UNLOCK_REQUIRED: tool,
  CONTACT_REVEAL_REQUIRED: tool,
  STRATEGY_REQUIRED: tool,
  DO_NOT_CONTACT: tool,
  ALREADY_RESEARCHING: tool,
  BATCH_ALREADY_RUNNING: tool,
  RESEARCH_LAUNCH_BUSY: tool,
  BATCH_TOO_LARGE: tool,
  EMPTY_SELECTION: tool,
  WRONG_LIST_TYPE: tool,
  NAME_IN_USE: tool,
  MISSING_QUERY_BOUNDS_OR_COUNTY: endpoint(400),
  AMBIGUOUS_SEARCH_MODE: endpoint(400),
  INVALID_CURSOR: endpoint(400),
  CURSOR_SORT_MISMATCH: endpoint(400),
  OFFSET_REQUIRES_SORT: tool,
  SIGNALS_NOT_ENABLED: endpoint(400),
  TEMPORARILY_UNAVAILABLE: endpoint(503),

  // Webhooks, and arguments of tools
  WEBHOOK_ENDPOINT_LIMIT_REACHED: { rest: 409, place: "meta" },
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: { rest: 409, place: "meta" },
  INVALID_ARGUMENTS: tool,

  // Extensions
  IDEMPOTENCY_KEY_REUSED: { rest: 422, place: "meta" },
  IDEMPOTENCY_KEY_IN_PROGRESS: { rest: 409, place: "meta" },
  IDEMPOTENCY_ROOM_EXHAUSTED: { rest: 429, place: "meta" }
} as const satisfies Readonly<Record<string, Listed>>

export type Code = keyof typeof closedList
