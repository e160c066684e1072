/**
 * What to do about arguments that do not fit: the same call as it was meant, what finds the id of what was named, or the tool that
 * does what was asked.
 */
import { decoder, unknownKey, valueAt } from "@freehold/core/operation/InvalidInput"
import { isIdName } from "@freehold/core/operation/Nearest"
import { isOneLine, isPlain } from "@freehold/core/operation/PlainText"
import { Uuid } from "@freehold/core/operation/Uuid"
import { categoryMeant } from "@freehold/core/property/CategoryWords"
import { choicesIn, locationKeys } from "@freehold/core/property/SearchPlaces"
import { Predicate, Result, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { sentInOne, withSubcategory } from "./MeantArguments.ts"
import { isShort, mended, type Path, replaced, type Values, without, withoutNulls } from "./MendedArguments.ts"
import type { NextStep, RefusedCall, Step } from "./RefusedCall.ts"
import { type Tool, tools } from "./Tools.ts"

interface Fault {
  /** null: in the whole. */
  readonly path: Path | null
  /** Of a name that several places have: how each of them is told. Of no category: the one that it is like. */
  readonly choices: ReadonlyArray<string>
  /** Of no category: whether it is a subcategory. */
  readonly isSubcategory: boolean
}

/** What is at fault. An unknown key is not, since it may hold what belongs elsewhere. */
const faultsOf = ({ detail: { issues } }: RefusedCall): ReadonlyArray<Fault> =>
  (Array.isArray(issues) ? issues : []).flatMap((issue: unknown) => {
    if (!Predicate.isReadonlyObject(issue)) return []
    const [field, message] = [issue["field"], String(issue["message"])]
    if (message.startsWith(unknownKey)) return []
    const meant = categoryMeant(message)
    const [, like] = /; did you mean (\w+)\?$/.exec(message) ?? []
    return [{
      path: typeof field === "string" ? field.split(".") : null,
      choices: meant?.key === "categories" ? [meant.value] : like === undefined ? choicesIn(message) : [like],
      isSubcategory: meant?.key === "subcategories"
    }]
  })

/** The tools for what is no move of `service_update_lead_status`. */
const otherMoves: ReadonlyMap<unknown, NextStep> = new Map<unknown, NextStep>([
  ["qualified", { tool: "service_qualify_lead" }],
  ["disqualified", { tool: "service_disqualify_lead", missing: ["reason_code"] }]
])

/** The tool for the stage that a lead was to be moved to, where it is another one. */
const otherMove = (call: RefusedCall): NextStep | undefined => {
  const [fault, ...others] = faultsOf(call)
  const isStage = call.tool === "service_update_lead_status" && fault?.path?.[0] === "status" && others.length === 0
  const move = isStage ? otherMoves.get(call.input["status"]) : undefined
  return move === undefined ? undefined : { ...move, arguments: { property_id: call.input["property_id"] } }
}

const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool: Tool) => [tool.published.name, tool]))

/** The tools that find what is named, where its id is wanted; those that take a name say in which argument. */
const finders: ReadonlyArray<readonly [named: RegExp, tool: string, argument?: string]> = [
  [/contact/, "service_find_contacts", "query"],
  [/organization/, "service_browse_organizations", "query"],
  [/saved_search/, "service_list_saved_searches"],
  [/list/, "service_list_lists"],
  [/^run_id$/, "service_list_research_runs"]
]

/** A property's id may be any text, so that only a missing one is looked for. */
const propertyFinder = [/propert(y|ies)/, "service_search_properties", "query"] as const

/** Letters, and no id that was mistyped. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 100 && /\p{L}{2}/u.test(value) && !/^[\da-f-]{12,}$/i.test(value) &&
  isPlain(value) && isOneLine(value)

/** A number, and the name of a street. */
const isAddress = (value: string): boolean => isName(value) && /^\d+\S* +\p{L}{2}/u.test(value)

/** What an argument that is an id is the id of. */
const subjectOf = (key: string, tool: string): string => (key === "id" ? tool : key).toLowerCase()

/** What finds the code of the county that is named; a state after its name is not looked at. */
const countyCalled = (name: string): NextStep => ({
  tool: "service_lookup",
  arguments: { kind: "counties", query: name.split(",")[0]?.trim() }
})

const isId = Schema.is(Uuid)

/** Where a name, or what is no id, was given in the place of an id, or a name in that of a county's code: what finds it. */
const byName = (call: RefusedCall): NextStep | undefined => {
  const { input, tool } = call
  for (const { path } of faultsOf(call)) {
    const key = path?.findLast((each) => !/^\d+$/.test(each)) ?? ""
    const value = valueAt(input, path ?? [])
    // An id that is one breaks another rule.
    if (path === null || typeof value !== "string" || isId(value)) continue
    if (/fips$/i.test(key) && isName(value)) return countyCalled(value)
    if (!isIdName(key)) continue
    if (isAddress(value)) return { tool: "service_search_properties", arguments: { query: value } }
    const [, finder, argument] = finders.find(([named]) => named.test(subjectOf(key, tool))) ?? []
    if (finder === undefined) continue
    return argument === undefined
      ? { tool: finder, arguments: {} }
      : isName(value)
      ? { tool: finder, arguments: { [argument]: value } }
      : { tool: finder, missing: [argument] }
  }
  return undefined
}

/** The name of a county under a name of its own, where the tool takes the codes of counties. */
const countyIn = ({ input }: RefusedCall, properties: object): NextStep | undefined => {
  const key = Object.keys(input).find((each) =>
    /^count(y|ies)(_?names?)?$/i.test(each) && !Object.hasOwn(properties, each)
  )
  const value: unknown = key === undefined ? undefined : input[key]
  const name: unknown = Array.isArray(value) ? value[0] : value
  return isName(name) && Object.keys(properties).some((each) => /^county_?fips$/i.test(each))
    ? countyCalled(name)
    : undefined
}

/** Where an id is missing and a name was given by a name of its own: what finds the id. */
const byOwnName = (call: RefusedCall): NextStep | undefined => {
  const { input, tool } = call
  const { properties } = toolsByName.get(tool)?.published.inputSchema ?? { properties: {} }
  const county = countyIn(call, properties)
  if (county !== undefined) return county
  const [called, ...others] = Object.keys(input).flatMap((key) =>
    !Object.hasOwn(properties, key) && !isIdName(key) && isName(input[key]) ? [input[key]] : []
  )
  const missing = faultsOf(call).flatMap(({ path }) => path?.length === 1 ? path : []).filter((key) =>
    isIdName(key) && !Object.hasOwn(input, key)
  )
  const [key] = missing
  if (called === undefined || others.length > 0 || key === undefined || missing.length > 1) return undefined
  const [, finder, argument] = [...finders, propertyFinder].find(([named]) => named.test(subjectOf(key, tool))) ?? []
  return finder === undefined
    ? undefined
    : { tool: finder, arguments: argument === undefined ? {} : { [argument]: called } }
}

/** What is wrong with a saved search is in no argument of running it. */
const ofSaved = (call: RefusedCall): NextStep | undefined =>
  call.tool === "service_run_saved_search" && faultsOf(call).some(({ path }) => path?.[0] === "filters")
    ? { tool: "service_list_saved_searches", arguments: {} }
    : undefined

const search = "service_search_properties"

/** What says where, if these arguments of a search have filters and none of them does: of what was at fault, or a county. */
export const placeFor = (
  tool: string,
  { filters }: Values,
  faults: ReadonlyArray<Path> = []
): ReadonlyArray<string> => {
  if (
    tool !== search || !Predicate.isReadonlyObject(filters) || locationKeys.some((key) => Object.hasOwn(filters, key))
  ) {
    return []
  }
  const place = faults.find(([at, key]) => at === "filters" && locationKeys.some((each) => each === key))
  return [`filters.${place?.[1] ?? "countyFips"}`]
}

/** The ways to search, of which a call takes one. */
const ways = ["query", "bounds", "filters"]

/** The ways that a sample took beside the one that is still to be given, or in the place of what is. */
const samplesOfWays = (
  tool: string,
  { input, left, missing }: { readonly input: Values; readonly left: Values; readonly missing: ReadonlyArray<string> }
): ReadonlyArray<string> =>
  tool === search && missing.length > 0
    ? ways.filter((way) =>
      !Object.hasOwn(left, way) && (Object.hasOwn(input, way) || ways.some((each) => missing.includes(each)))
    )
    : []

/** Of an object that was given, what is still to be given: what of it did not fit. A list that kept a value is there. */
const within = (fits: Values, paths: ReadonlyArray<Path>): ReadonlyArray<string> =>
  paths.flatMap(([outer, inner]) =>
    outer === undefined || inner === undefined || /^\d+$/.test(inner) ||
      !Predicate.isReadonlyObject(fits[outer]) || Object.hasOwn(fits[outer], inner)
      ? []
      : [`${outer}.${inner}`]
  )

/** Whether something was given: blank text says nothing. */
const isSaid = (value: unknown): boolean => typeof value === "string" ? value.trim() !== "" : value !== undefined

/**
 * Arguments that fit in the place of those that do not: what was given and fits, and a sample of what is required, but of what
 * would be written: that only the person knows.
 */
const fitting: Step = (call) => {
  const { exampleFor, tool: name } = call
  const tool = toolsByName.get(name)
  const found = faultsOf(call)
  const moved = withSubcategory(call.input)
  const faults = moved === call.input ? found : found.filter(({ isSubcategory }) => !isSubcategory)
  if (tool === undefined || faults.some(({ path }) => path === null)) {
    return { tool: name, arguments: exampleFor({}), example: true }
  }
  const input = faults.reduce(
    (given, { choices: [choice], path }) =>
      path === null || choice === undefined ? given : replaced(given, path, choice),
    moved
  )
  const paths = faults.flatMap(({ choices, path }) => path === null || choices.length > 0 ? [] : [path])
  const left = mended(tool, input, paths)
  const fits = exampleFor(left)
  const sample = exampleFor({})
  const made = tool.operation.effect === "write"
    ? Object.keys(fits).filter((key) =>
      !isDeepStrictEqual(fits[key], left[key]) && isDeepStrictEqual(fits[key], sample[key])
    )
    : []
  const isWellFormed = isShort(input) && Result.isSuccess(decoder<unknown, unknown>(tool.operation.input)(input))
  const lacking = Object.keys(tool.published.inputSchema.properties).filter((key) =>
    made.includes(key) ||
    !Object.hasOwn(fits, key) && paths.some(([at]) => at === key) && !(isWellFormed && isSaid(input[key]))
  )
  const asked = isWellFormed ? [] : within(fits, paths)
  const missing = Array.from(new Set([...lacking, ...asked, ...placeFor(name, fits, paths)]))
  return {
    tool: name,
    arguments: without(fits, ...made, ...samplesOfWays(name, { input, left, missing })),
    ...tool.operation.effect === "write" ? {} : { example: true },
    ...missing.length === 0 ? {} : { missing }
  }
}

/** The arguments that were sent in one, where some of them are the tool's; undefined: they were not. */
const unwrapped = ({ input, tool }: RefusedCall): Values | undefined => {
  const { inner = {} } = (isShort(input) ? sentInOne(input) : undefined) ?? {}
  const known = toolsByName.get(tool)?.published.inputSchema.properties ?? {}
  return Object.keys(inner).some((each) => Object.hasOwn(known, each)) ? inner : undefined
}

/** The call with other arguments, and what is at fault with these. */
const asking = (call: RefusedCall, input: Values): RefusedCall => {
  const tool = toolsByName.get(call.tool)
  const read = tool === undefined ? undefined : decoder<unknown, unknown>(tool.operation.input)(input)
  return {
    ...call,
    input,
    detail: { ...call.detail, issues: read !== undefined && Result.isFailure(read) ? read.failure.issues : [] }
  }
}

/** What helps against wrong arguments: those that were sent in one, or as null where they are left out, are read as they were meant. */
export const stepOf: Step = (given) => {
  const inner = unwrapped(given)
  const named = inner === undefined ? given : asking(given, inner)
  const present = isShort(named.input) ? withoutNulls(named.input) : named.input
  const hasNulls = !isDeepStrictEqual(present, named.input)
  const call = hasNulls ? asking(named, present) : named
  const isMended = Array.isArray(call.detail["issues"]) && call.detail["issues"].length === 0
  return isMended
    ? { tool: call.tool, arguments: call.input }
    : otherMove(call) ?? byName(call) ?? byOwnName(call) ?? ofSaved(call) ?? fitting(call)
}
