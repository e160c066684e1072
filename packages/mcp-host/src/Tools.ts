/**
 * The tools: which operations an assistant is offered, in which order, and what it is told of each.
 *
 * A new operation is one line in `tools`; everything else about it comes from the operation. The order is fixed and is
 * the order of `tools/list`. decisions, section 14.
 */
import {
  DescribeWorkspace,
  GetAccount,
  GetCreditBalance,
  GetPriceSheet
} from "@freehold/core/account/AccountOperations"
import { GetAllowance } from "@freehold/core/account/AllowanceOperations"
import { GetChanges } from "@freehold/core/change/ChangeOperations"
import { SignalKind } from "@freehold/core/change/SignalKind"
import {
  BrowseContacts,
  FindContacts,
  GetContact,
  GetContactRelationships,
  RevealContact
} from "@freehold/core/contact/ContactOperations"
import { GetCreditLedger } from "@freehold/core/credit/CreditOperations"
import { SyncCustomerAccounts } from "@freehold/core/customer/CustomerOperations"
import { ListEvents } from "@freehold/core/event/EventOperations"
import { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "@freehold/core/firm/FirmOperations"
import { GetLeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import { readingOf, RecordsAhead } from "@freehold/core/limit/Metering"
import { AddToList, CreateList, GetListItems, ListLists, RemoveFromList } from "@freehold/core/list/ListOperations"
import { GetCoverage, Lookup } from "@freehold/core/lookup/LookupOperations"
import { AddNote, ListNotes } from "@freehold/core/note/NoteOperations"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import {
  DisqualifyLead,
  GetLeadHistory,
  GetLossReasons,
  GetPipeline,
  GetTransitionCap,
  QualifyLead,
  UpdateLeadStatus
} from "@freehold/core/pipeline/PipelineOperations"
import { GetProperty, SearchProperties, UnlockProperty } from "@freehold/core/property/PropertyOperations"
import { ResearchState } from "@freehold/core/property/Research"
import { filterFields } from "@freehold/core/property/SearchInput"
import { ListRequests, RequestCoverage, RequestSupport } from "@freehold/core/request/RequestOperations"
import { subjectArgumentOf } from "@freehold/core/research/PricedAction"
import {
  DeepResearchContact,
  DraftEmail,
  FindEmail,
  GetResearchStatus,
  ListResearchRuns,
  PriceResearch,
  ResearchContact,
  ResearchOrganization,
  ResearchProperties,
  ResearchProperty
} from "@freehold/core/research/ResearchOperations"
import {
  DeleteSavedSearch,
  ListSavedSearches,
  RunSavedSearch,
  SaveSearch
} from "@freehold/core/search/SavedSearchOperations"
import { identity, Schema } from "effect"
import { exampleOf, filled, id } from "./ExampleArguments.ts"
import * as InputSchema from "./InputSchema.ts"
import { lean } from "./LeanAnswer.ts"
import type { Values } from "./MendedArguments.ts"
import * as PropertyCard from "./PropertyCard.ts"
import * as RunStep from "./RunStep.ts"
import { markBundle, markHistory, markRequests } from "./UserText.ts"

/** A tool as `tools/list` shows it. No output schema: a client of the older SDK throws on a refusal when there is one. */
export interface PublishedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema.InputSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  /** Which page shows its result, to a client that shows pages (MCP Apps). */
  readonly _meta?: { readonly ui: { readonly resourceUri: string } }
}

export interface Tool<Op extends AnyOperation = AnyOperation> {
  readonly operation: Op
  readonly published: PublishedTool
  /** How the result is shown to an assistant, where that is not as it is. */
  readonly show: (result: Record<string, unknown>) => Record<string, unknown>
  /** Fields that the specification does not fix: what is shown has none of them that is null. */
  readonly own: ReadonlySet<string>
  /** How the caller gets what is missing from a result that was cut, where the tool has no pages. */
  readonly rest: string
  /** The list of which a cut keeps the last rows; undefined: it keeps the first ones of every list. */
  readonly lastOf: string | undefined
  /** Arguments that fit it, shown where these did not: with what of them fits. */
  readonly exampleFor: (input: Values) => Values
}

/** Said of tools with a REST twin. */
export const restOverRest =
  "The REST API answers this result whole, to a key of the organization with the scope for it."

/** Said of a cut that nothing better is known about. */
export const noRest = "This tool shows no more of it."

interface Options {
  /** A repeated call does or costs something again. */
  readonly repeats?: boolean
  /** Takes something away that a person made. */
  readonly destroys?: boolean
  /** Arguments whose generated schema is too large to list, as they are published instead. */
  readonly arguments?: Readonly<Record<string, InputSchema.JsonSchemaObject>>
  readonly show?: Tool["show"]
  readonly own?: ReadonlyArray<string>
  readonly rest?: string
  readonly lastOf?: string
  /** Where the least arguments show little, or what must stand beside them depends on one of them. */
  readonly example?: Values | ((input: Values) => Values)
  /** The page that shows its result. */
  readonly page?: string
}

/**
 * Describes an operation as a tool. What counts or reads is read-only; what may spend or destroy is marked destructive,
 * so that clients ask their person first.
 */
export const make = <Op extends AnyOperation>(operation: Op, options: Options = {}): Tool<Op> => {
  const inputSchema = InputSchema.make(operation.input, options.arguments)
  const { example = exampleOf(inputSchema), show = identity } = options
  const own = new Set(options.own)
  return {
    operation,
    published: {
      name: operation.name,
      title: operation.title,
      description: operation.description,
      inputSchema,
      annotations: {
        title: operation.title,
        readOnlyHint: operation.effect === "read" || operation.effect === "meter",
        destructiveHint: operation.effect === "spend" || options.destroys === true,
        idempotentHint: options.repeats !== true,
        openWorldHint: false
      },
      ...(options.page === undefined ? {} : { _meta: { ui: { resourceUri: options.page } } })
    },
    show: own.size === 0 ? show : (result) => lean(show(result), own),
    own,
    rest: options.rest ?? noRest,
    lastOf: options.lastOf,
    exampleFor: (input) =>
      filled(
        { input: operation.input, schema: inputSchema },
        typeof example === "function" ? example(input) : example,
        input
      )
  }
}

const overRest = { rest: restOverRest }

const locationKeys = new Set(["countyFips", "countyNames", "zipCodes", "cities", "states", "within", "near"])

const filterKeys = Object.keys(filterFields)
const ranges = filterKeys.flatMap((key) => /^min([A-Z]\w*)$/.exec(key)?.[1] ?? [])
const attributes = filterKeys.filter((key) => !locationKeys.has(key) && !/^(min|max)[A-Z]/.test(key))

/** With its values, where nobody would guess them. */
const shown = (key: string): string => key === "researchState" ? `${key} (${ResearchState.literals.join(", ")})` : key

const filters: InputSchema.JsonSchemaObject = {
  type: "object",
  description: "One location at least: countyFips (of 5 digits), countyNames (\"Dallas, TX\"), zipCodes, cities, " +
    "within (GeoJSON), near {lat, lon, radiusMeters}; states qualifies countyNames and cities. Attributes: minX and maxX " +
    `with X one of ${ranges.join(", ")}; ${attributes.map(shown).join(", ")}.`
}

const bounds: InputSchema.JsonSchemaObject = {
  type: "object",
  description: "Map box {north, south, east, west}, degrees WGS84, at most 5 each way."
}

/** Schemas take the number as well. */
const offset: InputSchema.JsonSchemaObject = { type: "string", description: "Rows to skip." }

/** What the tool that the search was saved for says more of. */
const ofSearch: Readonly<Record<string, InputSchema.JsonSchemaObject>> = {
  limit: { type: "integer" },
  sortBy: { type: "string" },
  cursor: { type: "string" },
  offset: { type: "integer" },
  fields: { type: "array", items: { type: "string" } },
  count_only: { type: "boolean" }
}

const kinds: InputSchema.JsonSchemaObject = {
  type: "array",
  items: { type: "string", enum: SignalKind.literals },
  description: "Default: all."
}

const search: InputSchema.JsonSchemaObject = {
  type: "object",
  description: "Arguments of service_search_properties."
}

const isAhead = Schema.is(RecordsAhead)

/** What the payment opens, beside what it cost, and what reading it takes where records are counted. */
const opening = (opens: string): Tool["show"] => ({ records, ...result }) => ({
  ...result,
  ...records === undefined ? {} : { records },
  opens: isAhead(records) && records.needed > 0 ? `${opens} ${readingOf(records)}` : opens
})

/** What a move answers beside what the specification has of it. */
const ownOfMove = { own: ["previous_status", "deal_value"] }

/** Of a request, wherever it is told. */
const ownOfRequest = ["asked_by", "closed_at", "answer"]

const searchExample = {
  filters: { countyNames: ["Dallas, TX"], categories: ["Office"] },
  fields: ["id", "address", "owner", "teaser"],
  limit: 10
}

/** One way of several to search: the one that was taken. */
const searchLike = (input: Values): Values =>
  Object.hasOwn(input, "query")
    ? { query: "1 Main Street", limit: 10 }
    : Object.hasOwn(input, "bounds")
    ? { bounds: { north: 32.8, south: 32.7, east: -96.7, west: -96.8 }, limit: 10 }
    : searchExample

/** Of everybody, where nothing says of whom. */
const browseLike = ({ limit: _, ...whom }: Values): Values =>
  Object.keys(whom).length === 0 ? { roleType: "property_manager", limit: 10 } : { limit: 10 }

/** The ids that the action needs: the first action is the example of what is none. */
const priceExample = ({ action: given, property_id: named }: Values): Values => {
  const { literals } = PriceResearch.input.fields.action
  const action = literals.find((each) => each === given) ?? literals[0]
  const subject = subjectArgumentOf(action)
  return { action, [subject]: subject === "property_ids" ? [typeof named === "string" ? named : id] : id }
}

/** Those of a list, or those that are named. */
const batchExample = (input: Values): Values => ({
  ...Object.hasOwn(input, "list_id") ? { list_id: id } : { property_ids: [id] },
  maxCredits: 0
})

/** Every tool, in the order of `tools/list`. */
export const tools = [
  make(DescribeWorkspace, {
    rest: "service_get_coverage with a state tells its counties; service_get_account answers the area, over REST too.",
    own: ["role", "member", "name", "service", "organization", "key", "remaining_today"]
  }),
  make(Lookup, { rest: "query narrows it.", own: ["label", "note"] }),
  make(SearchProperties, { arguments: { bounds, filters }, example: searchLike }),
  make(GetProperty, {
    ...overRest,
    page: PropertyCard.uri,
    own: ["source", "vanishedAt", "lastStrategy", "lastDraft"]
  }),
  make(FindContacts, overRest),
  make(BrowseContacts, { example: browseLike }),
  make(GetContact, { ...overRest, own: ["last_strategy", "last_draft"] }),
  make(GetContactRelationships, overRest),
  make(BrowseOrganizations),
  make(GetOrganization, overRest),
  make(GetOrganizationProperties, overRest),
  make(GetChanges, { arguments: { kinds } }),
  make(UnlockProperty, {
    show: opening("What research there is of the property, and every contact of it: service_get_property.")
  }),
  make(RevealContact, { show: opening("This person's name, email, phone and LinkedIn, wherever the person is met.") }),
  make(PriceResearch, {
    rest: "Ask for fewer property_ids.",
    example: priceExample,
    own: ["refused", "run_id", "ownLimitRemaining", "records"]
  }),
  make(ResearchProperty, { repeats: true }),
  make(ResearchProperties, { repeats: true, example: batchExample }),
  make(GetResearchStatus, {
    show: RunStep.show,
    own: ["address", "property_id", "reason"]
  }),
  make(ListResearchRuns, { own: ["property_id", "name", "receipt", "result"] }),
  make(ResearchContact, { repeats: true }),
  make(ResearchOrganization, { repeats: true }),
  make(FindEmail, { repeats: true, own: ["run_id"] }),
  make(DeepResearchContact, { repeats: true, own: ["property_id", "address", "existing"] }),
  make(DraftEmail, { repeats: true, own: ["address", "draft"] }),
  make(ListLeads),
  make(GetLeadBundle, {
    rest: "service_list_notes and service_get_property read notes and people, free, and the app has the tasks; " +
      "over REST the bundle counts again.",
    repeats: true,
    show: markBundle
  }),
  make(GetPipeline, { own: ["city", "state"] }),
  make(GetLeadHistory, {
    rest: "The last moves are shown; the app shows those before them.",
    lastOf: "history",
    show: markHistory,
    own: ["from", "deal_value", "reason_code", "note"]
  }),
  make(QualifyLead, ownOfMove),
  make(DisqualifyLead, ownOfMove),
  make(UpdateLeadStatus, ownOfMove),
  make(GetTransitionCap),
  make(GetLossReasons, { rest: "service_lookup narrows them with query." }),
  make(ListEvents),
  make(SyncCustomerAccounts, overRest),
  make(ListLists, { arguments: { offset } }),
  make(GetListItems, {
    arguments: { offset },
    own: ["address", "city", "state", "zip", "asset_category", "title", "role_type", "employer_name"]
  }),
  make(CreateList, { repeats: true }),
  make(AddToList),
  make(RemoveFromList, { destroys: true }),
  make(ListNotes, overRest),
  make(AddNote, { repeats: true }),
  make(ListSavedSearches),
  make(RunSavedSearch, { arguments: ofSearch }),
  make(SaveSearch, {
    repeats: true,
    arguments: { search },
    example: { name: "Offices", search: searchExample }
  }),
  make(DeleteSavedSearch, { destroys: true }),
  make(GetPriceSheet),
  make(GetCreditBalance),
  make(GetAccount, overRest),
  make(GetAllowance, overRest),
  make(GetCoverage, { rest: "state narrows it.", show: markRequests, own: ["state", ...ownOfRequest] }),
  make(RequestSupport, { repeats: true }),
  make(RequestCoverage, { repeats: true, example: { county_fips: ["48113"] } }),
  make(ListRequests, { ...overRest, show: markRequests, own: ["subject", "message", "county_fips", ...ownOfRequest] })
] as const

/** What is read as a resource and is no tool. */
export const readings = [make(GetCreditLedger, overRest)] as const
