/**
 * What to do about an id that names something else than what was asked for: the tool, or the argument, that takes it.
 *
 * Of a text that is no id, only the record that it names is told again.
 */
import type { NamedRecord, RecordKind } from "@freehold/core/catalogue/RecordKinds"
import { unknownKey, valueAt } from "@freehold/core/operation/InvalidInput"
import { isIdName, meant } from "@freehold/core/operation/Nearest"
import { PriceResearch } from "@freehold/core/research/ResearchOperations"
import { Predicate } from "effect"
import { without } from "./MendedArguments.ts"
import { type NextStep, type RefusedCall, text, texts } from "./RefusedCall.ts"
import { type Tool, tools } from "./Tools.ts"

/** A text that named nothing of the kind that was asked for. */
export interface Suspect {
  readonly given: string
  /** null: an id of no kind. */
  readonly wanted: RecordKind | null
  /** The argument that it stood in. */
  readonly key: string
  /** The argument that it belongs in, where the tool has none by that name. */
  readonly place?: string
}

/** What it names instead, in a sentence, and what helps. */
export interface Mistaken {
  readonly said: string
  readonly records: ReadonlyArray<Pick<NamedRecord, "kind" | "id">>
  readonly next: NextStep
}

type Call = Pick<RefusedCall, "tool" | "input">

const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool: Tool) => [tool.published.name, tool]))

const kinds: ReadonlyArray<readonly [named: RegExp, kind: RecordKind]> = [
  [/contact/, "contact"],
  [/organization/, "organization"],
  [/saved_search/, "saved search"],
  [/list/, "list"],
  [/run_|research_status/, "research run"],
  [/propert/, "property"]
]

/** What an argument that is an id is the id of; of `id` alone, the tool's name tells. */
const kindOf = (key: string, tool: string): RecordKind | undefined => {
  const subject = (key === "id" ? tool : key).toLowerCase()
  return kinds.find(([named]) => named.test(subject))?.[1]
}

const suspectAt = (given: unknown, key: string, { tool }: Call): Suspect | undefined => {
  const wanted = kindOf(key, tool)
  return typeof given === "string" && wanted !== undefined ? { given, wanted, key } : undefined
}

/** The argument that names what was not found. */
const subjectIn = (call: Call, wanted: RecordKind): Suspect | undefined => {
  const { input } = call
  const key = Object.keys(input).find((each) =>
    isIdName(each) && kindOf(each, call.tool) === wanted && typeof input[each] === "string"
  )
  return key === undefined ? undefined : suspectAt(input[key], key, call)
}

/** The list that a filter names. */
const listIn = (call: Call): Suspect | undefined => {
  const { filters } = call.input
  const named = Predicate.isReadonlyObject(filters)
    ? ["inListId", "notInListId"].find((key) => typeof filters[key] === "string")
    : undefined
  return subjectIn(call, "list") ??
    (named === undefined ? undefined : suspectAt(valueAt(call.input, ["filters", named]), named, call))
}

const issuesIn = ({ detail: { issues } }: RefusedCall): ReadonlyArray<object> =>
  Array.isArray(issues) ? issues.filter((issue) => Predicate.isReadonlyObject(issue)) : []

/** The first text in the place of an id that is none. */
const misfitIn = (call: RefusedCall): Suspect | undefined => {
  for (const issue of issuesIn(call)) {
    if (text(valueAt(issue, ["message"]))?.startsWith(unknownKey) === true) continue
    const field = text(valueAt(issue, ["field"]))
    const path = field?.split(".") ?? []
    const key = path.findLast((each) => !/^\d+$/.test(each)) ?? ""
    const found = isIdName(key) ? suspectAt(valueAt(call.input, path), key, call) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The one id under a name that the tool has not, and that is like none of its names: of a contact where a property's was wanted. By the
 * place alone, it would be put where it names nothing.
 */
const misnamedIn = (call: RefusedCall): Suspect | undefined => {
  const tool = toolsByName.get(call.tool)
  const known = Object.keys(tool?.published.inputSchema.properties ?? {})
  const ids = Object.keys(call.input).filter(isIdName)
  const [key, ...others] = ids.filter((each) => !known.includes(each))
  if (key === undefined || others.length > 0 || meant(key, known) !== undefined) return undefined
  const value: unknown = call.input[key]
  const [given, ...more]: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const [missing, ...further] = issuesIn(call).flatMap((issue) => {
    const field = text(valueAt(issue, ["field"]))
    return field !== undefined && isIdName(field) && known.includes(field) && !Object.hasOwn(call.input, field)
      ? [field]
      : []
  })
  if (typeof given !== "string" || more.length > 0) return undefined
  if (missing === undefined) {
    // Beside an id of the tool's own, and where something is written, it is one too many; else only its name tells of what it is.
    const isSubject = ids.length === 1 && tool?.operation.effect !== "write" && kindOf(key, "") !== undefined
    return isSubject ? { given, wanted: null, key } : undefined
  }
  const wanted = kindOf(missing, call.tool)
  return wanted === undefined || further.length > 0 ? undefined : { given, wanted, key, place: missing }
}

/** What of the call may be another record than it asks for. */
export const suspectOf = (code: string, call: RefusedCall): Suspect | undefined => {
  const { detail, input } = call
  switch (code) {
    case "NOT_FOUND": {
      const resource = detail["resource"] === "saved_search" ? "saved search" : detail["resource"]
      const wanted = kinds.find(([, kind]) => kind === resource)?.[1]
      return wanted === undefined ? undefined : subjectIn(call, wanted)
    }
    case "LIST_NOT_FOUND":
      return listIn(call)
    case "EMPTY_SELECTION": {
      const [skipped]: ReadonlyArray<unknown> = Array.isArray(detail["skipped"]) ? detail["skipped"] : []
      return Predicate.isReadonlyObject(skipped) && skipped["reason"] === "NOT_FOUND" &&
          input["property_ids"] !== undefined
        ? suspectAt(skipped["id"], "property_ids", call)
        : undefined
    }
    case "PROPERTY_NOT_AVAILABLE":
    case "CONTACT_NOT_AVAILABLE": {
      const [given] = texts(detail["item_ids"])
      const wanted = code === "PROPERTY_NOT_AVAILABLE" ? "property" : "contact"
      return given === undefined ? undefined : { given, wanted, key: "item_ids" }
    }
    case "INVALID_ARGUMENTS":
      return misfitIn(call) ?? misnamedIn(call)
    default:
      return undefined
  }
}

/** The same of an answer: what a price was asked of that is not there, and the firm that nothing fits. */
export const suspectIn = (call: Call, answered: object): Suspect | undefined => {
  const { input, tool } = call
  const { items, total_matching: total }: { readonly items?: unknown; readonly total_matching?: unknown } = answered
  if (tool === PriceResearch.name) {
    const [item]: ReadonlyArray<unknown> = Array.isArray(items) ? items : []
    if (!Predicate.isReadonlyObject(item) || item["refused"] !== "NOT_FOUND") return undefined
    const key = ["property_ids", "property_id", "contact_id", "organization_id"].find((each) => {
      const value = input[each]
      return value === item["id"] || texts(value).includes(String(item["id"]))
    })
    return key === undefined ? undefined : suspectAt(item["id"], key, call)
  }
  const firm = valueAt(input, ["organizationId"]) ?? valueAt(input, ["filters", "organizationId"])
  return total === 0 ? suspectAt(firm, "organizationId", call) : undefined
}

type Taker = readonly [tool: string, argument: string]

const readers: Readonly<Record<RecordKind, Taker>> = {
  property: ["service_get_property", "id"],
  contact: ["service_get_contact", "id"],
  organization: ["service_get_organization", "id"],
  list: ["service_get_list_items", "list_id"],
  "research run": ["service_get_research_status", "run_id"],
  "saved search": ["service_run_saved_search", "saved_search_id"]
}

type Takers = Readonly<Partial<Record<RecordKind, Taker>>>

const researchers: Takers = {
  property: ["service_research_property", "id"],
  contact: ["service_research_contact", "id"],
  organization: ["service_research_organization", "id"],
  list: ["service_research_properties", "list_id"]
}

/** What does the same to another kind of record. */
const twins: Readonly<Record<string, Takers>> = {
  service_reveal_property: { contact: ["service_reveal_contact", "id"] },
  service_reveal_contact: { property: ["service_reveal_property", "id"] },
  service_research_property: researchers,
  service_research_properties: researchers,
  service_research_contact: researchers,
  service_research_organization: researchers,
  service_get_organization_properties: { contact: ["service_get_contact_relationships", "id"] },
  service_get_contact_relationships: { organization: ["service_get_organization_properties", "id"] }
}

/** Where those that are asked for are found by what was given. */
const waysTo: Readonly<Partial<Record<RecordKind, Takers>>> = {
  property: {
    contact: ["service_get_contact_relationships", "id"],
    organization: ["service_get_organization_properties", "id"]
  },
  contact: { organization: ["service_browse_contacts", "organizationId"] }
}

/** Whose result is the record itself. */
const isReader = (tool: string): boolean => Object.values(readers).some(([each]) => each === tool)

/** The arguments of one tool that each take a kind of their own. */
const own: Readonly<Record<string, Readonly<Partial<Record<RecordKind, string>>>>> = {
  service_get_changes: { property: "property_id", contact: "contact_id" },
  service_list_research_runs: { property: "property_id", contact: "contact_id", organization: "organization_id" },
  service_research_properties: { property: "property_ids", list: "list_id" }
}

type Action = (typeof PriceResearch)["input"]["Type"]["action"]

/** The action that does the same to another kind of record, and the argument of its price. */
const actions: Readonly<Record<string, Readonly<Partial<Record<RecordKind, readonly [Action, string]>>>>> = {
  unlock_property: { contact: ["reveal_contact", "contact_id"] },
  reveal_contact: { property: ["unlock_property", "property_ids"] },
  research_property: {
    contact: ["research_contact", "contact_id"],
    organization: ["research_organization", "organization_id"]
  },
  research_contact: {
    property: ["research_property", "property_ids"],
    organization: ["research_organization", "organization_id"]
  },
  research_organization: {
    property: ["research_property", "property_ids"],
    contact: ["research_contact", "contact_id"]
  }
}

const valueFor = (argument: string, id: string) => argument.endsWith("_ids") ? [id] : id

/** The call with the record where it belongs, or the tool that takes it. */
const stepFor = (
  { input, tool }: Call,
  { given, key, place, wanted }: Suspect,
  { id, kind }: NamedRecord
): NextStep => {
  const rest = without(input, key)
  if (kind === wanted && place !== undefined) return { tool, arguments: { ...rest, [place]: id } }
  if (kind === wanted && Object.hasOwn(input, key)) {
    const value: unknown = input[key]
    const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    return {
      tool,
      arguments: { ...input, [key]: items.length === 0 ? id : items.map((each) => each === given ? id : each) }
    }
  }
  const argument = own[tool]?.[kind]
  if (argument !== undefined) return { tool, arguments: { ...rest, [argument]: valueFor(argument, id) } }
  const [action, priced] = tool === PriceResearch.name ? actions[String(input["action"])]?.[kind] ?? [] : []
  if (action !== undefined && priced !== undefined) {
    return { tool, arguments: { action, [priced]: valueFor(priced, id) } }
  }
  const [taker, takes] = twins[tool]?.[kind] ??
    (isReader(tool) || wanted === null ? undefined : waysTo[wanted]?.[kind]) ?? readers[kind]
  return { tool: taker, arguments: { [takes]: id } }
}

/** As the tools call them. */
const called: Readonly<Record<RecordKind, string>> = {
  property: "a property",
  contact: "a contact",
  organization: "a firm",
  list: "a list",
  "research run": "a research run",
  "saved search": "a saved search"
}

const saidOf = (records: ReadonlyArray<NamedRecord>): string => {
  const [record, ...others] = records
  if (record === undefined) return ""
  if (record.by === "id") return `${record.id} is the id of ${called[record.kind]}.`
  const told = records.map((each) => each.by === "parcel number" ? `${each.id} in county ${each.countyFips}` : each.id)
  return `What was given is the ${record.by} of ${others.length === 0 ? "the property" : "several properties"}: ` +
    `${told.join(", ")}.`
}

/** Undefined where it names nothing, or what was asked for, so that something else is the matter. */
export const mistaken = (
  call: Call,
  suspect: Suspect,
  records: ReadonlyArray<NamedRecord>
): Mistaken | undefined => {
  const [record, ...others] = records
  const isSame = suspect.given.toLowerCase() === record?.id
  if (record === undefined || record.kind === suspect.wanted && isSame) return undefined
  const step = stepFor(call, suspect, record)
  const [argument = ""] =
    Object.entries(step.arguments ?? {}).find(([, value]) => value === record.id || texts(value).includes(record.id)) ??
      []
  return {
    said: saidOf(records),
    records: records.map(({ id, kind }) => ({ kind, id })),
    next: others.length === 0
      ? step
      : { ...step, arguments: without(step.arguments ?? {}, argument), missing: [argument] }
  }
}
