/**
 * What a screen says to a refusal, and what can be done next. The table is total: a code that the server gains and this
 * table lacks does not compile. A code that a newer server has is shown in the server's own words.
 */
import type { PageName } from "../app/Paths.ts"
import { type RefusalCode, Refused } from "./Call.ts"

/** What can be done about a refusal, and where. */
interface Step {
  readonly next: string
  readonly way?: {
    readonly page: PageName
    readonly parameters?: Readonly<Record<string, string>>
    readonly label: string
  }
}

export interface Words extends Step {
  readonly sentence: string
  /** That nothing of it was done or charged; where several were asked for one by one, of the one that was refused. */
  readonly nothing?: string
  /** What an admin does about it, where others ask one. */
  readonly admin?: Step
}

const nothingDone = "Nothing was done."
const nothingCharged = "Nothing was charged."
const retry = "Try again in a moment."
const askAdmin = "Ask an admin of your organization."
const askOperator = "Ask whoever runs this service."

const toUsage = { page: "usage", label: "Usage and limits" } as const
const toResearch = { page: "research", label: "The runs under way" } as const
const toSearch = { page: "search", label: "Search" } as const
const toRequests = { page: "requests", label: "Ask for it" } as const

const adminAsks: Step = { next: askOperator, way: toRequests }
const adminChanges = (what: string, part: string, label: string): Step => ({
  next: `Change ${what}.`,
  way: { page: "admin", parameters: { part }, label }
})
const ofLimit = adminChanges("your limit", "members", "Members")
const ofTerritory = adminChanges("your territory", "members", "Members")
const ofPipeline = adminChanges("what assistants may do", "settings", "Settings")

const busy: Words = { sentence: "The service is busy.", nothing: nothingDone, next: retry }

/** The words of every code that a screen can meet. */
export const words: Readonly<Record<RefusalCode, Words>> = {
  SIGN_IN_REQUIRED: { sentence: "Your session has ended.", next: "Sign in again." },
  SIGN_IN_LINK_ENDED: { sentence: "This sign-in link has ended.", next: "Ask for a new one." },
  FOREIGN_ORIGIN: { sentence: "The request did not come from this page.", next: "Reload the page." },
  OFFLINE: { sentence: "The server cannot be reached.", next: "Look at your connection, and try again." },
  FAULT: { sentence: "Something went wrong on our side.", nothing: nothingCharged, next: retry },
  LOST: { sentence: "The answer was lost on its way.", next: "Look at what is shown by now, and try again." },
  CHARGE_UNKNOWN: {
    sentence: "No answer came: it is not known whether it was charged.",
    next: "Look at what is open by now and at the balance, before you try again."
  },
  NOT_A_MEMBER: { sentence: "You are no member of that organization.", next: "Ask an admin of that one." },
  VIEW_ONLY: {
    sentence: "You see this as the member, and change nothing.",
    next: "End the view to do something yourself."
  },
  VIEW_ENDED: { sentence: "Your look as this member has ended.", next: "Go back to the organization." },
  OPERATOR_SIGN_IN_REQUIRED: { sentence: "Your session has ended.", next: "Make a new link: freehold operator link" },
  DIFFERENCE_CHANGED: {
    sentence: "It would change something else by now.",
    nothing: nothingDone,
    next: "Look at the difference again."
  },
  ALREADY_RUNNING: { sentence: "This is being done already.", next: "Wait until it has ended." },
  IMPORT_RUNNING: {
    sentence: "Another file is being loaded, and one at a time is.",
    nothing: nothingDone,
    next: "Import this one when it has ended."
  },
  NO_ACTIVE_SEAT: { sentence: "You have no seat in this organization.", next: askAdmin, admin: adminAsks },
  ADMINS_ONLY: { sentence: "Only admins can do this.", next: askAdmin },
  ROLE_NOT_PERMITTED: { sentence: "Your role reads only.", next: askAdmin },
  NOT_OFFERED: { sentence: "The app does not offer this.", next: "Reload the page; it may have changed." },
  ACTING_USER_REQUIRED: { sentence: "Only a person can do this.", next: "Sign in again." },
  FEATURE_GATED: { sentence: "Your organization's plan does not have this.", next: askOperator, way: toRequests },
  ORG_SUSPENDED: { sentence: "The organization is suspended.", next: askOperator },
  ORG_SUSPENSION_UNAVAILABLE: { sentence: "The organization cannot be looked up at the moment.", next: retry },
  ACCOUNT_CLOSED: { sentence: "The organization's account is closed.", next: askOperator },
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: { sentence: "The organization cannot be looked up at the moment.", next: retry },
  rate_limited: { sentence: "Those were too many requests in a minute.", next: "Wait a little." },
  rate_limit_unavailable: busy,
  TEMPORARILY_UNAVAILABLE: busy,
  COMPLIANCE_CHECK_UNAVAILABLE: { sentence: "Who may be shown cannot be looked up at the moment.", next: retry },
  VIEWING_PAUSED: {
    sentence: "You opened many property pages in a short time.",
    next: "They open again by themselves within 30 minutes; search, lists and the pipeline go on."
  },
  INVALID_ARGUMENTS: { sentence: "Something of what you entered does not fit.", next: "Correct it, and try again." },

  CREDENTIAL_LIMIT_REACHED: {
    sentence: "There are as many active keys as there may be.",
    next: "Revoke one that is not used."
  },

  INSUFFICIENT_CREDITS: {
    sentence: "There are not enough credits.",
    nothing: nothingCharged,
    next: askAdmin,
    admin: adminAsks
  },
  USER_CREDIT_LIMIT_EXCEEDED: {
    sentence: "This would pass your monthly credit limit.",
    nothing: nothingCharged,
    next: `${askAdmin} It begins anew next month.`,
    way: toUsage,
    admin: ofLimit
  },
  PAYMENT_FAILED: {
    sentence: "Your organization's payment failed.",
    nothing: nothingCharged,
    next: askAdmin,
    admin: adminAsks
  },
  CREDITS_DORMANT: {
    sentence: "Credits cannot be spent on your plan.",
    nothing: nothingCharged,
    next: askOperator,
    way: toRequests
  },
  SUBSCRIPTION_PAYMENT_FAILED: {
    sentence: "Your organization's payment failed.",
    nothing: nothingCharged,
    next: askAdmin,
    admin: adminAsks
  },
  BILLING_NOT_PROVISIONED: { sentence: "Your organization has no credits yet.", next: askOperator },
  CREDIT_ACTION_IN_PROGRESS: { sentence: "The same is being done already.", next: retry },
  ACTION_IN_PROGRESS: { sentence: "The same is being done already.", next: retry },
  COST_CONFIRMATION_REQUIRED: {
    sentence: "It costs more than you agreed to.",
    next: "Look at the price, and confirm."
  },
  ACCOUNT_DAILY_CAP_EXCEEDED: {
    sentence: "The service's limit of the day is reached.",
    next: "It begins anew at midnight UTC.",
    way: toUsage
  },
  DAILY_CAP_EXCEEDED: {
    sentence: "Your organization's limit of the day is reached.",
    next: "It begins anew at midnight UTC.",
    way: toUsage
  },
  CREDENTIAL_DAILY_CAP_EXCEEDED: {
    sentence: "The key's limit of the day is reached.",
    next: "It begins anew at midnight UTC.",
    way: toUsage
  },
  RECORDS_ALLOWANCE_EXCEEDED: {
    sentence: "The records of this period are used up.",
    next: askAdmin,
    way: toUsage,
    admin: adminAsks
  },

  NOT_FOUND: {
    sentence: "There is no such record, or it is outside your area.",
    next: "Search for it.",
    way: toSearch
  },
  OUT_OF_TERRITORY: { sentence: "This is outside your territory.", next: askAdmin, admin: ofTerritory },
  NO_VISIBLE_TERRITORY: {
    sentence: "None of that lies in your area.",
    next: "Choose a county of yours.",
    way: toSearch
  },
  PROPERTY_RETIRED: { sentence: "This record was merged into another one.", next: "Open the other one." },
  PROPERTY_NOT_AVAILABLE: {
    sentence: "One of the properties cannot be found in your area.",
    next: "Take it out, and try again."
  },
  CONTACT_NOT_AVAILABLE: {
    sentence: "One of the people cannot be found in your area.",
    next: "Take them out, and try again."
  },
  NOT_ENTITLED: { sentence: "You may not open this.", next: askAdmin, admin: adminAsks },
  NOT_RESEARCHED: { sentence: "There is nothing to unlock here yet.", next: "Have it researched." },

  LIST_NOT_FOUND: { sentence: "There is no such list.", next: "Choose another one." },
  WRONG_LIST_TYPE: { sentence: "That list holds records of the other kind.", next: "Choose another list." },
  NAME_IN_USE: { sentence: "There is one of that name already.", next: "Choose another name." },

  MISSING_QUERY_BOUNDS_OR_COUNTY: {
    sentence: "A search needs words or a place.",
    next: "Enter words, or choose a county."
  },
  AMBIGUOUS_SEARCH_MODE: { sentence: "Words and filters cannot be combined.", next: "Clear one of them." },
  INVALID_CURSOR: { sentence: "This page of results is too old.", next: "Search again." },
  CURSOR_SORT_MISMATCH: { sentence: "The order has changed in between.", next: "Search again." },
  OFFSET_REQUIRES_SORT: { sentence: "This page needs an order.", next: "Choose an order." },
  SIGNALS_NOT_ENABLED: { sentence: "Your organization does not have signals.", next: askOperator, way: toRequests },

  NO_PIPELINE_RECORD: { sentence: "This property is no lead.", next: "Qualify it first." },
  CRM_MODE_NOT_EXTERNAL: { sentence: "Your CRM does not own the stages.", next: "Move the lead here." },
  CHANGED_IN_FLIGHT: { sentence: "Somebody changed it in the meantime.", next: "Look at it, and try again." },
  STAGE_CAPPED: { sentence: "Your CRM owns the stages.", next: "Move the lead there." },
  MCP_QUALIFICATION_DISABLED: {
    sentence: "Assistants may not change the pipeline.",
    next: askAdmin,
    admin: ofPipeline
  },
  DEAL_VALUE_REQUIRED: { sentence: "It needs a deal value above 1.", next: "Enter one." },
  INVALID_LOSS_REASON_CODE: { sentence: "It needs a reason.", next: "Choose one." },
  SAME_STATUS: { sentence: "It is there already.", next: "Choose another stage." },
  ALREADY_DISQUALIFIED: { sentence: "It is disqualified already.", next: "Qualify it again to go on." },
  CLOSED_STAGE: { sentence: "The lead is closed.", next: "Qualify it again to go on." },
  INVALID_TRANSITION: { sentence: "A lead cannot go there from where it is.", next: "Choose another stage." },

  ALREADY_RESEARCHING: {
    sentence: "It is being researched already.",
    nothing: nothingCharged,
    next: "Follow the run that is under way.",
    way: toResearch
  },
  BATCH_ALREADY_RUNNING: {
    sentence: "A batch is under way already.",
    nothing: nothingCharged,
    next: "Start the next one when it has ended.",
    way: toResearch
  },
  RESEARCH_LAUNCH_BUSY: { sentence: "Another launch is under way.", next: retry, way: toResearch },
  BATCH_TOO_LARGE: { sentence: "Those are too many at once.", next: "Choose fewer." },
  EMPTY_SELECTION: { sentence: "There is nothing to do of what you chose.", next: "Choose others." },
  PROPERTY_UNLOCK_REQUIRED: { sentence: "The property is locked.", next: "Unlock it first." },
  CONTACT_REVEAL_REQUIRED: { sentence: "The person is locked.", next: "Reveal them first." },
  STRATEGY_REQUIRED: { sentence: "It needs deep research first.", next: "Have it researched deeply." },
  DO_NOT_CONTACT: { sentence: "This person must not be contacted that way.", next: "Leave them be." },
  RATE_LIMITED: { sentence: "Too many were started in a short time.", next: "Wait a minute." },

  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    sentence: "There are as many endpoints as may be active.",
    next: "Disable one first."
  },
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: {
    sentence: "There are as many endpoints as may be.",
    next: "Delete one first."
  }
}

/** Whether a code that came along with an answer has words here. */
export const isCode = (code: string): code is RefusalCode => Object.hasOwn(words, code)

/** What to say to a refusal. */
export const wordsOf = ({ code, detail: { name }, message }: Refused): Words =>
  code === "IMPORT_RUNNING" && typeof name === "string"
    ? { ...words[code], sentence: `${name} is being loaded, and one file at a time is.` }
    : isCode(code)
    ? words[code]
    : { sentence: message, next: retry }

/** What can be done about it by somebody who is an admin, or not. */
export const stepOf = ({ admin, ...words }: Words, isAdmin: boolean): Step =>
  isAdmin && admin !== undefined ? admin : words

/** No answer came: what was asked for may have been done. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Refused && (error.code === "OFFLINE" || error.code === "LOST" || error.code === "CHARGE_UNKNOWN")

/** The service cannot answer for a moment, and did nothing. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Refused && (error.code === "TEMPORARILY_UNAVAILABLE" || error.code === "rate_limit_unavailable")

/** What passes by itself, and says nothing of what was asked for. */
const passing: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  "OFFLINE",
  "LOST",
  "FAULT",
  "TEMPORARILY_UNAVAILABLE",
  "rate_limit_unavailable",
  "rate_limited",
  "VIEWING_PAUSED",
  "COMPLIANCE_CHECK_UNAVAILABLE",
  "ORG_SUSPENSION_UNAVAILABLE",
  "ACCOUNT_CLOSURE_CHECK_UNAVAILABLE"
])

/** Whether asking again may be answered. */
export const isPassing = (error: unknown): boolean => error instanceof Refused && passing.has(error.code)

/**
 * What is shown of an answer: what came last stays when asking anew is refused for a while, with what was typed beside it.
 * What may not be seen any more goes.
 */
export const knownOf = <Data>({ data, error }: {
  readonly data: Data | undefined
  readonly error: Error | null
}): Data | undefined => error === null || isPassing(error) ? data : undefined
