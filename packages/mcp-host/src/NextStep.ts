/**
 * What to do about a refusal: which tool helps, with its arguments filled in as far as the call and the refusal tell them, or
 * which person.
 *
 * Arguments of the call are told again only where they were checked, so that nothing is repeated but what has the form of an
 * argument. A step that may spend always has a ceiling: what the call did not agree to is asked first.
 */
import type { ScopeRequired } from "@freehold/core/access/AccessRefusals"
import type { ActingRefusal } from "@freehold/core/access/Acting"
import type { AdmissionRefusal, PermissionRefusal } from "@freehold/core/access/Admission"
import type { AdminsOnly } from "@freehold/core/access/AppDoor"
import type { Refusal } from "@freehold/core/catalogue/Catalogue"
import { tooManyItems, tooManyLists } from "@freehold/core/list/ListKeeper"
import { tooManyNotes } from "@freehold/core/note/NoteKeeper"
import { ofOwnArea } from "@freehold/core/request/RequestDesk"
import { notOfContact } from "@freehold/core/research/ResearchSubjects"
import { tooManySearches } from "@freehold/core/search/SearchShelf"
import { Predicate } from "effect"
import { confirmed, fewer, nothingChosen, propertyByAddress } from "./BatchStep.ts"
import { type Values, without } from "./MendedArguments.ts"
import { type NextStep, type RefusedCall, type Step, text, texts } from "./RefusedCall.ts"
import * as RunStep from "./RunStep.ts"
import { type Tool, tools } from "./Tools.ts"
import { isName, placeFor, stepOf } from "./WrongArguments.ts"

/** Every code that a tool may answer with. */
export type ToolCode = (Refusal | ActingRefusal | ScopeRequired | PermissionRefusal | AdmissionRefusal)["_tag"]

/** Also those of what is read as a resource alone. */
type Code = ToolCode | AdminsOnly["_tag"]

const contactOf = ({ input }: RefusedCall) => text(input["contact_id"]) ?? text(input["id"]) ?? ""

const propertyOf = ({ input }: RefusedCall) => text(input["property_id"]) ?? text(input["id"]) ?? ""

const ask = (whom: NonNullable<NextStep["ask"]>): Step => () => ({ ask: whom })

const to = (tool: string): Step => () => ({ tool, arguments: {} })

const again: Step = ({ detail }) => {
  const { retryAfterSeconds } = detail
  return { retry_after_seconds: typeof retryAfterSeconds === "number" ? retryAfterSeconds : 1 }
}

/** The same call without some of its arguments, and with others. */
const changed = (drop: ReadonlyArray<string>, add: Values = {}): Step => ({ input, tool }) => ({
  tool,
  arguments: { ...without(input, ...drop), ...add }
})

/** How the run stands. */
const runStatus = (run_id: unknown): NextStep => ({ tool: "service_get_research_status", arguments: { run_id } })

/** Of a run that goes on; one that the caller does not see, of another organization or about closed places, is waited for. */
const ofGoing: Step = ({ detail: { run_id } }) =>
  run_id === null ? { retry_after_seconds: RunStep.patience } : runStatus(run_id)

/** Words in the place of an id are an address. */
const propertyCalled = (call: RefusedCall): NextStep => {
  const given = propertyOf(call)
  return isName(given) && /\s/.test(given)
    ? { tool: "service_search_properties", arguments: { query: given } }
    : propertyByAddress
}

const notFound: Readonly<Record<string, NextStep>> = {
  contact: { tool: "service_find_contacts", missing: ["query"] },
  lead: { tool: "service_get_pipeline", arguments: {} },
  organization: { tool: "service_browse_organizations", missing: ["query"] },
  list: { tool: "service_list_lists", arguments: {} },
  saved_search: { tool: "service_list_saved_searches", arguments: {} },
  "research run": { tool: "service_list_research_runs", arguments: {} }
}

/** More than what is told and what is left of one call of ids is not said: a refusal is never cut. */
const longestItems = 22_000

/** What of the asked items is left, with the successors of those that were merged; or where others are found. */
const withoutItems = (elsewhere: NextStep): Step => ({ detail, input, tool }) => {
  const gone = new Set(texts(detail["item_ids"]))
  const successors = Predicate.isObject(detail["successors"]) ? Object.values(detail["successors"]) : []
  const item_ids = [
    ...new Set([
      ...texts(input["item_ids"]).filter((id) => !gone.has(id) && !gone.has(id.toLowerCase())),
      ...texts(successors)
    ])
  ]
  if (item_ids.length === 0) return elsewhere
  return detail["unnamed"] !== undefined || JSON.stringify([detail, item_ids]).length > longestItems
    ? { tool, arguments: without(input, "item_ids"), missing: ["item_ids"] }
    : { tool, arguments: { ...input, item_ids } }
}

/** What has to be opened first: there is too little for it where the refusal says what there is. */
const opening = (tool: string, id: unknown, { available }: Values): NextStep =>
  available === undefined ? { tool, arguments: { id, maxCredits: 0 } } : { ask: "admin" }

const people: NextStep = { tool: "service_browse_contacts", arguments: { limit: 10 } }

const stage: Step = (call) => {
  const allowed = texts(call.detail["allowed"])
  const property_id = propertyOf(call)
  const first = allowed.find((each) => each !== "qualified" && each !== "disqualified")
  return allowed.includes("qualified")
    ? { tool: "service_qualify_lead", arguments: { property_id } }
    : first === undefined
    // Their own CRM decides where it goes.
    ? { ask: "member" }
    : { tool: "service_update_lead_status", arguments: { property_id, status: first } }
}

/** How the lead came to be where it is: a page of its stage need not show it. */
const leadHistory: Step = (call) => ({
  tool: "service_get_lead_history",
  arguments: { property_id: propertyOf(call) }
})

/** The counties that were asked about are asked for: an area is the operator's to switch on. */
const coverage: Step = ({ input }) => {
  const { filters } = input
  const county_fips = texts((Predicate.isReadonlyObject(filters) ? { ...filters } : input)["countyFips"])
  return county_fips.length === 0
    ? { tool: "service_request_coverage", missing: ["county_fips"] }
    : { tool: "service_request_coverage", arguments: { county_fips } }
}

/** Who reads a lead, or takes one out, is not helped by a new one. */
const wantsNoLead: ReadonlySet<string> = new Set(["service_get_lead_history", "service_disqualify_lead"])

/** Rules that no other form of the same arguments meets. */
const stepsByRule: ReadonlyMap<unknown, Step> = new Map<unknown, Step>([
  [notOfContact, (call) => ({ tool: "service_get_contact_relationships", arguments: { id: contactOf(call) } })],
  [tooManyLists, ask("member")],
  [tooManyItems, ({ input }) => ({ tool: "service_get_list_items", arguments: { list_id: input["list_id"] } })],
  [tooManyNotes, ask("member")],
  [tooManySearches, to("service_list_saved_searches")],
  [ofOwnArea, ask("admin")]
])

/** What helps where such a rule is all that is wrong. */
const ofRule = (call: RefusedCall): NextStep | undefined => {
  const { issues } = call.detail
  const messages = new Set(
    (Array.isArray(issues) ? issues : []).map((issue: unknown) =>
      Predicate.isReadonlyObject(issue) ? issue["message"] : undefined
    )
  )
  const [message] = messages
  return messages.size === 1 ? stepsByRule.get(message)?.(call) : undefined
}

/** What a search still needs to say where. */
const where: Step = ({ input, tool }) => {
  const place = placeFor(tool, input)
  const isPage = tool === "service_search_properties" && input["cursor"] !== undefined && input["filters"] === undefined
  return place.length > 0 || isPage
    ? { tool, arguments: input, missing: isPage ? ["filters"] : place }
    : { tool: "service_get_coverage", arguments: {} }
}

/** The map box as a filter; none of what is no box, or crosses the antimeridian. */
const areaOf = (bounds: unknown): Values | undefined => {
  if (!Predicate.isReadonlyObject(bounds)) return undefined
  const { east, north, south, west } = { ...bounds }
  return typeof west === "number" && typeof east === "number" && west < east
    ? { type: "Polygon", coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] }
    : undefined
}

/** One way of several to search: filters where there are some, of which a map box becomes one. */
const oneWay: Step = ({ input, tool }) => {
  const { bounds, filters } = input
  if (!Predicate.isReadonlyObject(filters)) return { tool, arguments: without(input, "query") }
  const area = Object.hasOwn(filters, "within") ? undefined : areaOf(bounds)
  const given = {
    ...without(input, "query", "bounds"),
    ...area === undefined ? {} : { filters: { ...filters, within: area } }
  }
  const missing = placeFor(tool, given)
  return { tool, arguments: given, ...missing.length === 0 ? {} : { missing } }
}

/** The step about a search, of one that is to be saved, too: there it stands in an argument. */
const ofSearch = (step: Step): Step => (call) => {
  const { search } = call.input
  if (!Predicate.isReadonlyObject(search)) return step(call)
  const found = step({ ...call, tool: "service_search_properties", input: { ...search } })
  if (found.tool !== "service_search_properties") return found
  const { arguments: changed, missing = [] } = found
  return {
    tool: call.tool,
    arguments: { ...call.input, search: changed },
    ...missing.length === 0 ? {} : { missing: missing.map((each) => `search.${each}`) }
  }
}

const steps: Readonly<Record<Code, Step>> = {
  UNAUTHENTICATED: ask("admin"),
  INVALID_OAUTH_TOKEN: ask("member"),
  IDENTITY_UNRESOLVED: again,
  NOT_A_MEMBER: ask("admin"),
  MEMBER_CONNECT_DISABLED: ask("admin"),
  GRANT_REVOKED: ask("admin"),
  SCOPE_NOT_GRANTED: ask("admin"),
  SCOPE_REQUIRED: ({ detail }) => ({ ask: detail["granted_by"] === "sign_in" ? "member" : "admin" }),
  NO_ACTIVE_SEAT: ask("admin"),
  ROLE_NOT_PERMITTED: ask("admin"),
  ADMINS_ONLY: ask("admin"),
  ACTING_USER_REQUIRED: ask("member"),
  ACTING_USER_NOT_SUPPORTED: ask("admin"),
  UPGRADE_REQUIRED: ask("operator"),
  FEATURE_GATED: ask("operator"),
  ORG_SUSPENDED: ask("operator"),
  ACCOUNT_CLOSED: ask("operator"),
  ORG_SUSPENSION_UNAVAILABLE: again,
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: again,
  rate_limited: again,
  rate_limit_unavailable: again,
  DAILY_REQUEST_LIMIT_EXCEEDED: ask("operator"),

  INSUFFICIENT_CREDITS: ask("admin"),
  USER_CREDIT_LIMIT_EXCEEDED: ask("admin"),
  PAYMENT_FAILED: ask("admin"),
  SUBSCRIPTION_PAYMENT_FAILED: ask("admin"),
  CREDITS_DORMANT: ask("operator"),
  BILLING_NOT_PROVISIONED: ask("operator"),
  COST_CONFIRMATION_REQUIRED: confirmed,
  ACTION_IN_PROGRESS: again,
  CREDIT_ACTION_IN_PROGRESS: again,
  ACCOUNT_DAILY_CAP_EXCEEDED: ask("operator"),
  DAILY_CAP_EXCEEDED: ask("admin"),
  CREDENTIAL_DAILY_CAP_EXCEEDED: ask("admin"),
  // How much is used, and until when, the refusal says itself.
  RECORDS_ALLOWANCE_EXCEEDED: ask("operator"),
  RATE_LIMITED: again,

  OUT_OF_TERRITORY: ({ detail }) =>
    detail["reason"] === "subscription"
      ? { tool: "service_request_coverage", arguments: { county_fips: [detail["county_fips"]] } }
      : { ask: "admin" },
  NO_VISIBLE_TERRITORY: (call) => call.detail["cause"] === "no_serviceable_area" ? coverage(call) : { ask: "admin" },
  NOT_ENTITLED: (call) => ({ tool: "service_reveal_property", arguments: { id: propertyOf(call), maxCredits: 0 } }),
  NOT_FOUND: (call) => {
    const { resource } = call.detail
    return resource === "property" ? propertyCalled(call) : notFound[text(resource) ?? ""] ?? { ask: "admin" }
  },
  PROPERTY_RETIRED: ({ detail, input, tool }) => ({
    tool,
    arguments: {
      ...input,
      [input["property_id"] === undefined ? "id" : "property_id"]: detail["successorPropertyId"]
    }
  }),
  PROPERTY_NOT_AVAILABLE: withoutItems(propertyByAddress),
  CONTACT_NOT_AVAILABLE: withoutItems(people),
  LIST_NOT_FOUND: to("service_list_lists"),
  COMPLIANCE_CHECK_UNAVAILABLE: again,
  TEMPORARILY_UNAVAILABLE: again,

  NO_PIPELINE_RECORD: (call) =>
    wantsNoLead.has(call.tool)
      ? { tool: "service_get_pipeline", arguments: {} }
      : { tool: "service_qualify_lead", arguments: { property_id: propertyOf(call) }, missing: ["deal_value"] },
  CRM_MODE_NOT_EXTERNAL: ask("operator"),
  // Whoever repeats the call unread would undo what a colleague has just done.
  CHANGED_IN_FLIGHT: leadHistory,
  STAGE_CAPPED: ask("member"),
  MCP_QUALIFICATION_DISABLED: ask("admin"),
  DEAL_VALUE_REQUIRED: ({ input, tool }) => ({
    tool,
    arguments: without(input, "deal_value"),
    missing: ["deal_value"]
  }),
  INVALID_LOSS_REASON_CODE: to("service_get_loss_reasons"),
  SAME_STATUS: leadHistory,
  ALREADY_DISQUALIFIED: leadHistory,
  CLOSED_STAGE: leadHistory,
  INVALID_TRANSITION: stage,

  NOT_RESEARCHED: (call) => ({ tool: "service_research_property", arguments: { id: propertyOf(call), maxCredits: 0 } }),
  // The cheaper one, where both are enough.
  PROPERTY_UNLOCK_REQUIRED: ({ detail }) =>
    detail["contact_id"] !== undefined
      ? opening("service_reveal_contact", detail["contact_id"], detail)
      : opening(
        detail["researched"] === false ? "service_research_property" : "service_reveal_property",
        detail["property_id"],
        detail
      ),
  CONTACT_REVEAL_REQUIRED: (call) =>
    call.detail["property_id"] === undefined
      ? opening("service_reveal_contact", contactOf(call), call.detail)
      : opening("service_research_property", call.detail["property_id"], call.detail),
  STRATEGY_REQUIRED: (call) =>
    typeof call.detail["run_id"] === "string" ? runStatus(call.detail["run_id"]) : {
      tool: "service_deep_research_contact",
      arguments: {
        contact_id: contactOf(call),
        ...call.input["property_id"] === undefined ? {} : { property_id: call.input["property_id"] },
        maxCredits: 0
      }
    },
  DO_NOT_CONTACT: (call) => ({ tool: "service_get_contact", arguments: { id: contactOf(call) } }),
  ALREADY_RESEARCHING: ofGoing,
  BATCH_ALREADY_RUNNING: ofGoing,
  RESEARCH_LAUNCH_BUSY: again,
  BATCH_TOO_LARGE: (call) => fewer(call, typeof call.detail["maximum"] === "number" ? call.detail["maximum"] : 1),
  EMPTY_SELECTION: nothingChosen,
  WRONG_LIST_TYPE: ({ detail }) => ({
    tool: "service_list_lists",
    arguments: { type: detail["list_type"] === "contacts" ? "properties" : "contacts" }
  }),
  NAME_IN_USE: ({ detail, input, tool }) =>
    detail["resource"] === "list"
      ? { tool, arguments: { ...input, reuse_existing_by_name: true } }
      : { tool: "service_list_saved_searches", arguments: {} },
  MISSING_QUERY_BOUNDS_OR_COUNTY: ofSearch(where),
  AMBIGUOUS_SEARCH_MODE: ofSearch(oneWay),
  // Some lists take their cursor as offset.
  INVALID_CURSOR: ({ input, tool }) => ({
    tool,
    arguments: without(input, input["cursor"] === undefined ? "offset" : "cursor")
  }),
  CURSOR_SORT_MISMATCH: changed(["cursor"]),
  OFFSET_REQUIRES_SORT: changed([], { sortBy: "address" }),
  SIGNALS_NOT_ENABLED: ask("operator"),
  INVALID_ARGUMENTS: (call) => ofRule(call) ?? stepOf(call),

  WEBHOOK_ENDPOINT_LIMIT_REACHED: ask("admin"),
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: ask("admin")
}

const table: ReadonlyMap<string, Step> = new Map(Object.entries(steps))

const spending: ReadonlySet<string> = new Set(
  tools.filter(({ operation }: Tool) => operation.effect === "spend").map(({ published }: Tool) => published.name)
)

/** The step with a ceiling, where it may spend. */
export const capped = (step: NextStep): NextStep =>
  step.tool === undefined || !spending.has(step.tool)
    ? step
    : { ...step, arguments: { ...step.arguments, maxCredits: step.arguments?.["maxCredits"] ?? 0 } }

/** The next step; none for what is no code of a tool. */
export const nextStep = (code: string, call: RefusedCall): NextStep | undefined => {
  const step = table.get(code)?.(call)
  return step === undefined ? undefined : capped(step)
}

const helpers: Readonly<Record<NonNullable<NextStep["ask"]>, string>> = {
  admin: "An admin of your organization can help.",
  operator: "The operator of this service can help: an admin may write with service_request_support.",
  member: "The person whom you act for can help."
}

/** Refused to whoever is let in to no tool: these ask the operator in another way. */
const ofAllTools: ReadonlySet<string> = new Set([
  "UPGRADE_REQUIRED",
  "ORG_SUSPENDED",
  "ACCOUNT_CLOSED",
  "DAILY_REQUEST_LIMIT_EXCEEDED"
])

const helperOf = (ask: NonNullable<NextStep["ask"]>, code: string): string =>
  ask === "operator" && ofAllTools.has(code) ? "The operator of this service can help." : helpers[ask]

/** Longer arguments are not said again in the sentence. */
const longest = 600

/** The step as the end of a refusal's sentence; empty where that names the person or the time already. */
export const sentence = (
  { arguments: given, ask, example, missing, retry_after_seconds: wait, tool }: NextStep,
  { code, said }: { readonly code: string; readonly said: string }
): string => {
  if (ask !== undefined) {
    return ask === "admin" && /\ban admin (of your organization )?can\b/i.test(said)
      ? ""
      : helperOf(ask, code)
  }
  if (wait !== undefined) return /\bretry after \d/i.test(said) ? "" : `Next: the same call after ${wait} s.`
  const json = JSON.stringify(given)
  const shown = given === undefined || !Predicate.isString(json) || json.length > longest ? "" : ` ${json}`
  const lacking = missing === undefined ? "" : `, with ${missing.join(", ")}`
  return `${example === true ? "For example" : "Next"}: ${tool}${shown}${lacking}.`
}
