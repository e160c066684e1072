/**
 * What each code means and what to do about it: the one table behind `docs/errors.md`, the pages at `/docs/errors/CODE`
 * and the `Link` of every refusal.
 *
 * It is total: a code that core gains and this table lacks does not compile. A header links a page, and not a field of the
 * body: the body of a refusal is its code and its detail, the same over REST and MCP.
 */
import type {
  CredentialLimitReached,
  NoActiveSeat,
  RoleNotPermitted,
  ScopeRequired
} from "@freehold/core/access/AccessRefusals"
import type { RefusalCode } from "../Status.ts"

/** Those of both hosts and of the operator's command. */
export type ErrorCode =
  | RefusalCode
  | (CredentialLimitReached | NoActiveSeat | RoleNotPermitted | ScopeRequired)["_tag"]

export const folder = "/docs/errors"

export const pathOf = (code: ErrorCode) => `${folder}/${code}` as const

/** The value of the Link header of a refusal. */
export const linkOf = (code: ErrorCode): string => `<${pathOf(code)}>; rel="help"`

export interface Explanation {
  readonly cause: string
  readonly remedy: string
}

export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  UNAUTHENTICATED: {
    cause:
      "The request has no key, or one that is malformed, unknown, expired or revoked. REST answers 401 without a code.",
    remedy: "Send `Authorization: Bearer <API_KEY>` with a live key. An operator makes one with `freehold key create`."
  },
  INVALID_ARGUMENTS: {
    cause: "An argument is unknown, missing or breaks a rule. REST answers 400 or 422 without a code.",
    remedy: "Each entry of `meta.issues` names a field and its rule; correct them and send the request again."
  },
  INVALID_OAUTH_TOKEN: {
    cause:
      "The token of a person is not of the authorization server of this service, not meant for it, or has expired.",
    remedy: "Sign in again. If it stays, the operator compares OAUTH_ISSUER and the audience of the tokens."
  },
  IDENTITY_UNRESOLVED: {
    cause: "The member behind a sign-in could not be looked up at the moment.",
    remedy: "Wait for `Retry-After` and send the same request again."
  },
  NOT_A_MEMBER: {
    cause: "The person is signed in, and no organization has an active member of that identity or verified email.",
    remedy: "The operator adds the person as a member with `freehold apply`, under the email of the sign-in."
  },
  GRANT_REVOKED: {
    cause: "The connection of this person and assistant was revoked. Signing in again does not bring it back.",
    remedy: "The operator clears it with `freehold member clear-grant`."
  },
  MEMBER_CONNECT_DISABLED: {
    cause: "In this organization only admins may connect assistants.",
    remedy: "Ask an admin, or have `member_connect` set to `all`."
  },
  ACTING_USER_REQUIRED: {
    cause: "The action is written down under a person's name, and the caller is an organization key.",
    remedy: "Use it through an assistant that a person signed in to."
  },
  ACTING_USER_NOT_SUPPORTED: {
    cause: "A person's token was sent to REST, which takes organization keys alone.",
    remedy: "Use an organization key here, or the tools at `/v1/mcp`, which take both."
  },
  SCOPE_NOT_GRANTED: {
    cause: "The key lacks the scope that `meta.scope` names.",
    remedy: "Use a key with this scope. The operator gives it to a key with `freehold key allow` or `freehold apply`."
  },
  SCOPE_REQUIRED: {
    cause: "A tool needs a further scope beside `mcp`; the detail names it, and who grants it (`granted_by`).",
    remedy:
      "`admin`: the operator adds it to the key with `freehold key allow`. `sign_in`: the person signs in anew and grants it."
  },
  NO_ACTIVE_SEAT: {
    cause: "The signed-in member has no seat.",
    remedy: "The operator gives the member a seat with `freehold apply` (`\"seat\": true`)."
  },
  ROLE_NOT_PERMITTED: {
    cause: "A member whose role is read-only called what writes or spends credits.",
    remedy: "Have the member's role changed, or leave it to somebody who may."
  },
  CREDENTIAL_LIMIT_REACHED: {
    cause: "The organization has 10 active keys already.",
    remedy: "Revoke one that is not used any more with `freehold key revoke`, then make the new one."
  },
  UPGRADE_REQUIRED: {
    cause: "The organization's plan does not have this part of the API; `minimumTier` names the plan that has.",
    remedy: "Use the endpoints of your plan, or have the plan changed."
  },
  FEATURE_GATED: {
    cause: "A feature that this endpoint needs, such as lists or the pipeline, is switched off for the organization.",
    remedy: "Have the operator switch it on (`features` of the apply document). GET /account tells what is on."
  },
  ORG_SUSPENDED: {
    cause: "The organization is suspended; every call of its keys and people is refused, and its deliveries wait.",
    remedy: "Settle it with the operator. After `freehold org resume` calls and waiting deliveries go on."
  },
  ORG_SUSPENSION_UNAVAILABLE: {
    cause: "Whether the organization is suspended could not be told, so that nothing was let in.",
    remedy: "Wait for `Retry-After` and send the same request again."
  },
  ACCOUNT_CLOSED: {
    cause: "The organization's account is closed.",
    remedy: "Stop calling. Only the operator can open it again."
  },
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: {
    cause: "Whether the account is closed could not be told, so that nothing was let in.",
    remedy: "Wait for `Retry-After` and send the same request again."
  },
  rate_limited: {
    cause:
      "More requests in 60 seconds than the key, or the address before any key, may send; `meta.limit` has the numbers.",
    remedy:
      "Wait for `Retry-After`. Watch `X-RateLimit-Remaining` and spread the requests; refused ones do not lengthen the wait."
  },
  rate_limit_unavailable: {
    cause: "Requests could not be counted, and what is not counted is not let in.",
    remedy: "Wait for `Retry-After` and send the same request again."
  },
  DAILY_REQUEST_LIMIT_EXCEEDED: {
    cause: "The organization's requests of this UTC day are used up by all its keys and connections together.",
    remedy: "Go on after midnight UTC (`meta.limit.resets_at`), or have the operator raise `requests_per_day`."
  },
  ACCOUNT_DAILY_CAP_EXCEEDED: {
    cause:
      "The maximum that the service set for this kind of data and UTC day is used, or does not suffice for what the call needs " +
      "at once (`needed`). With `derived` it follows from the records allowance.",
    remedy: "Go on after `resetsAt`. Admins cannot raise it; the operator can (`daily_limits`, layer `service`)."
  },
  DAILY_CAP_EXCEEDED: {
    cause: "The organization's own limit for this kind of data and UTC day is used, or is 0, which pauses it.",
    remedy: "Go on after `resetsAt`, or have an admin raise the limit. GET /allowance lists the limits in force."
  },
  CREDENTIAL_DAILY_CAP_EXCEEDED: {
    cause: "This key's or connection's own limit for the UTC day is used, or is 0, which pauses it.",
    remedy: "Go on after `resetsAt`, or have the key's limit raised with `freehold key set-limit`."
  },
  RECORDS_ALLOWANCE_EXCEEDED: {
    cause:
      "The call would take more records than are left of the period's allowance, and of the overage where there is one.",
    remedy:
      "Wait for `limit.period_ends_at`, or have the allowance raised. Searches, lists and what was taken before go on."
  },
  INSUFFICIENT_CREDITS: {
    cause: "The action costs `required` credits and `available` can be spent. Nothing was charged.",
    remedy:
      "Have credits added, then send the same request again; GET /account shows the balance. Of a batch, `affordable` " +
      "says for how many there is enough."
  },
  USER_CREDIT_LIMIT_EXCEEDED: {
    cause: "The member's own credits of this UTC month do not suffice. Nothing was charged.",
    remedy: "Go on after `resetsAt`, or have an admin raise the member's `monthly_credit_limit`."
  },
  PAYMENT_FAILED: {
    cause: "The subscription's payment failed, so that nothing is charged. What is open already stays free.",
    remedy: "Settle the payment with the operator, then send the same request again."
  },
  CREDITS_DORMANT: {
    cause: "The organization's credits cannot be spent on its present plan.",
    remedy: "Have the plan changed; the credits are still there."
  },
  ACTION_IN_PROGRESS: {
    cause: "Another request is opening the same item at this moment. This one charged nothing.",
    remedy: "Send it again after a second: it then answers that the item is open, free."
  },
  COST_CONFIRMATION_REQUIRED: {
    cause: "The action would cost `projectedCredits`, more than the `maxCredits` of the call. Nothing was charged.",
    remedy:
      "Call again with `maxCredits` at or above `projectedCredits`, if that is wanted. It would go through: `balance` and " +
      "the member's own limit (`ownLimitRemaining`) are enough. What is there to know before stands beside them: `records` " +
      "that reading it takes, what a batch leaves out (`skipped`), whom not to contact (`doNotContact`)."
  },
  NOT_RESEARCHED: {
    cause: "Nothing is known of the property beyond its public record, so that there is nothing to unlock.",
    remedy:
      "Have it researched (an assistant's service_research_property), or choose properties whose `researchState` is `locked`."
  },
  SUBSCRIPTION_PAYMENT_FAILED: {
    cause: "The subscription's payment failed, so that no paid run is started.",
    remedy: "Settle the payment with the operator, then start it again."
  },
  BILLING_NOT_PROVISIONED: {
    cause: "The organization was never given any credits. Assistants alone are told so.",
    remedy: "The operator grants credits with `freehold credits grant` or the apply document."
  },
  CREDIT_ACTION_IN_PROGRESS: {
    cause: "The same paid action is being started by another call. This one charged nothing.",
    remedy: "Wait `retryAfterSeconds`, then look at the run or call again."
  },
  ALREADY_RESEARCHING: {
    cause: "The subject is being researched already. Nothing was charged.",
    remedy:
      "Ask for that run's state with service_get_research_status and the `run_id`; null: it is another organization's."
  },
  BATCH_ALREADY_RUNNING: {
    cause: "A batch of the organization is running; the detail has its `run_id`.",
    remedy:
      "Follow it with service_get_research_status and start the next one when it has ended. A `run_id` of null: you see nothing " +
      "of what it is about."
  },
  RESEARCH_LAUNCH_BUSY: {
    cause: "Another launch of the organization is being recorded. Nothing was charged.",
    remedy: "Call again after `retryAfterSeconds`."
  },
  BATCH_TOO_LARGE: {
    cause: "A batch has more properties than the `maximum` of the detail, or a list more that are not open yet.",
    remedy: "Split it. Of a list, a search by `inListId` and `researchState` names those that are not open yet."
  },
  EMPTY_SELECTION: {
    cause:
      "None of the properties can be researched: not visible, being researched, or researched and open (`skipped`).",
    remedy: "Read those that are open; a search with `researchState` finds others."
  },
  PROPERTY_UNLOCK_REQUIRED: {
    cause: "The action about a person needs one of their properties unlocked; the detail names it.",
    remedy:
      "Unlock the property: POST /properties/{id}/unlock, or service_reveal_property. Where the detail has a `contact_id`, to " +
      "reveal that contact alone costs less and is enough: POST /contacts/{id}/reveal, or service_reveal_contact. Where it has " +
      "`researched: false`, research includes the unlock: service_research_property."
  },
  CONTACT_REVEAL_REQUIRED: {
    cause: "The action needs the contact revealed.",
    remedy:
      "Reveal it first: POST /contacts/{id}/reveal, or service_reveal_contact. Where the detail has a `property_id`, the " +
      "research of that property opens the contact, too: service_research_property."
  },
  STRATEGY_REQUIRED: {
    cause: "An email is drafted from deep research about the contact and the property, and there is none yet.",
    remedy: "Start service_deep_research_contact, and draft when it has ended; `run_id` names the one that goes on."
  },
  DO_NOT_CONTACT: {
    cause: "The person asked not to be emailed, so that no email is drafted.",
    remedy: "Leave it. Another contact of the property may be written to."
  },
  RATE_LIMITED: {
    cause: "Too many requests of one kind within an hour: to support, for coverage, or for research.",
    remedy: "Call again after `retryAfterSeconds`."
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: "The Idempotency-Key was used within 24 hours for a request with another path or body.",
    remedy: "Make a new key for each new request; repeat a key only with the very same request."
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    cause: "A request with this Idempotency-Key is under way.",
    remedy: "Send it again after `Retry-After`: it then answers what the first one did."
  },
  IDEMPOTENCY_ROOM_EXHAUSTED: {
    cause: "The answers that are kept for this key's requests fill their room. Nothing was done.",
    remedy: "Wait for `Retry-After`, or send without Idempotency-Key what needs no repeating."
  },
  NOT_FOUND: {
    cause: "There is no such item, or the caller does not see it.",
    remedy:
      "Check the id. What lies outside the area that the organization switched on is not told apart from what is not there."
  },
  OUT_OF_TERRITORY: {
    cause:
      "The property is outside the area that the organization switched on (`reason` `subscription`) or the member's territory (`territory`).",
    remedy:
      "Choose a property inside it; GET /account shows the area as `serviceable_area`. With `subscription`, `county_fips` is the county to ask for."
  },
  NO_VISIBLE_TERRITORY: {
    cause:
      "Nothing at all is visible to the caller; `cause` says whether the organization lacks an area (`no_serviceable_area`) or the member (`member_territory_empty`).",
    remedy: "Have counties or states switched on, or the member's territory set within them."
  },
  PROPERTY_NOT_AVAILABLE: {
    cause: "One of the properties is not there, merged into another or outside the area; none was added.",
    remedy: "Leave out those of `item_ids`, or send instead what `successors` has for one that was merged."
  },
  CONTACT_NOT_AVAILABLE: {
    cause: "One of the contacts is not there or not available to the organization; none was added.",
    remedy: "Leave out those of `item_ids` and send the rest."
  },
  LIST_NOT_FOUND: {
    cause: "There is no such list, or it is another member's private one. REST answers NOT_FOUND.",
    remedy: "Look the id up with service_list_lists."
  },
  WRONG_LIST_TYPE: {
    cause: "The list holds the other kind of item; `list_type` says which.",
    remedy: "Use a list of the right kind."
  },
  NAME_IN_USE: {
    cause: "A list or saved search of this name exists.",
    remedy: "Choose another name, or for lists send `reuse_existing_by_name`."
  },
  NOT_ENTITLED: {
    cause: "The property is neither unlocked by the organization nor covered by its subscription.",
    remedy: "Unlock it first: POST /properties/{id}/unlock."
  },
  PROPERTY_RETIRED: {
    cause: "The property was merged into another record.",
    remedy: "Use `successorPropertyId` instead, and store it in place of the old id."
  },
  NO_PIPELINE_RECORD: {
    cause: "The property was never a lead of the organization.",
    remedy: "Qualify it first, in the pipeline or with service_qualify_lead."
  },
  CRM_MODE_NOT_EXTERNAL: {
    cause: "The organization manages stages in the service, so that nothing is written back.",
    remedy: "Move the lead in the service, or have `crm_mode` set to `external`."
  },
  CHANGED_IN_FLIGHT: {
    cause: "Somebody else changed the lead at the same moment. Nothing was done by this call.",
    remedy: "Read the lead again and send the change again if it still fits."
  },
  STAGE_CAPPED: {
    cause: "The organization's CRM owns this stage.",
    remedy: "Move the lead in the CRM; its outcome comes back through POST /leads/{id}/status."
  },
  MCP_QUALIFICATION_DISABLED: {
    cause: "An admin switched pipeline changes by keys and assistants off.",
    remedy: "A person moves the lead, or an admin switches `agent_pipeline_changes` on."
  },
  DEAL_VALUE_REQUIRED: {
    cause: "A qualified or won lead needs a deal value above 1 US dollar.",
    remedy: "Send `deal_value` in whole US dollars."
  },
  INVALID_LOSS_REASON_CODE: {
    cause: "A lost lead needs a loss reason that the organization knows; `allowed` lists them.",
    remedy: "Send one of them, with a note where it asks for one."
  },
  SAME_STATUS: {
    cause: "The lead is in that stage already.",
    remedy: "Nothing is left to do."
  },
  ALREADY_DISQUALIFIED: {
    cause: "The lead is disqualified already.",
    remedy: "Nothing is left to do."
  },
  CLOSED_STAGE: {
    cause: "A won or lost lead cannot be disqualified.",
    remedy: "Reopen it first if it is not settled after all."
  },
  INVALID_TRANSITION: {
    cause: "The lead cannot go from its stage to that one; `allowed` lists where it can go.",
    remedy: "Go through one of the stages of `allowed`."
  },
  MISSING_QUERY_BOUNDS_OR_COUNTY: {
    cause: "A search needs free text, a map box, or filters with a location.",
    remedy:
      "Send `query`, `bounds`, or `filters` with `countyFips`, `countyNames`, `zipCodes`, `cities`, `within` or `near`. A " +
      "cursor goes beside those of its first page."
  },
  AMBIGUOUS_SEARCH_MODE: {
    cause: "More than one of `query`, `filters` and `bounds` was sent.",
    remedy: "Send exactly one. An area together with attributes is `filters` with `within` or `near`."
  },
  INVALID_CURSOR: {
    cause: "The cursor is not one of this search and organization, or is older than 24 hours.",
    remedy: "Start again from the first page, and send each cursor with the arguments that it was answered to."
  },
  CURSOR_SORT_MISMATCH: {
    cause: "The cursor belongs to a search in another order.",
    remedy: "Repeat `sortBy` and `sortOrder` of the first page, or start again without the cursor."
  },
  OFFSET_REQUIRES_SORT: {
    cause: "A saved search is paged by offset without an explicit order.",
    remedy: "Send `sortBy` with every page, or go on with `cursor`."
  },
  SIGNALS_NOT_ENABLED: {
    cause: "Changes are not switched on for the organization.",
    remedy: "Leave out the filters and event types about changes, or have `features.signals` switched on."
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    cause: "The organization has 10 active webhook endpoints.",
    remedy: "Remove one that is not used any more: DELETE /webhooks/{id}."
  },
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: {
    cause: "The organization has 100 webhook endpoints, deactivated ones included.",
    remedy: "Subscribe one of their URLs again, which replaces its endpoint, or ask the operator."
  },
  COMPLIANCE_CHECK_UNAVAILABLE: {
    cause: "Whether the record may be shown could not be checked. Nothing was billed.",
    remedy: "Wait for `Retry-After` and send the same request again."
  },
  TEMPORARILY_UNAVAILABLE: {
    cause:
      "Something that the request needs is briefly unavailable or busy, or it took longer than it may. Nothing was charged.",
    remedy:
      "Wait for `Retry-After` and send the same request again; a repeated unlock or reveal is never charged twice."
  }
}
