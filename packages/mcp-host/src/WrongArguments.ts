/**
 * What to do about arguments that do not fit: the same call as it was meant, what finds the id of what was named, or the tool that
 * does what was asked.
 */
import { decoder, unknownKey, valueAt } from "@freehold/core/operation/InvalidInput"
import { isIdName } from "@freehold/core/operation/Nearest"
import { isOneLine, isPlain } from "@freehold/core/operation/PlainText"
import { choicesIn, locationKeys } from "@freehold/core/property/SearchPlaces"
import { Predicate, Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { isShort, mended, type Path, replaced, type Values, without } from "./MendedArguments.ts"
import type { NextStep, RefusedCall, Step } from "./RefusedCall.ts"
import { type Tool, tools } from "./Tools.ts"

interface Fault {
  /** null: in the whole. */
  readonly path: Path | null
  /** Of a name that several places have: how each of them is told. */
  readonly choices: ReadonlyArray<string>
}

/** What is at fault. An unknown key is not, since it may hold what belongs elsewhere. */
const faultsOf = ({ detail: { issues } }: RefusedCall): ReadonlyArray<Fault> =>
  (Array.isArray(issues) ? issues : []).flatMap((issue: unknown) => {
    if (!Predicate.isReadonlyObject(issue)) return []
    const [field, message] = [issue["field"], String(issue["message"])]
    return message.startsWith(unknownKey)
      ? []
      : [{ path: typeof field === "string" ? field.split(".") : null, choices: choicesIn(message) }]
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

/** The tools that find what is named, where its id is wanted; those that take a name say in which argument. */
const finders: ReadonlyArray<readonly [named: RegExp, tool: string, argument?: string]> = [
  [/contact/, "service_find_contacts", "query"],
  [/organization/, "service_browse_organizations", "query"],
  [/saved_search/, "service_list_saved_searches"],
  [/list/, "service_list_lists"]
]

/** Letters, and no id that was mistyped. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 100 && /\p{L}{2}/u.test(value) && !/^[\da-f-]{12,}$/i.test(value) &&
  isPlain(value) && isOneLine(value)

/** Where a name was given in the place of an id: what finds the id. */
const byName = (call: RefusedCall): NextStep | undefined => {
  const { input, tool } = call
  for (const { path } of faultsOf(call)) {
    const key = path?.at(-1) ?? ""
    const value = valueAt(input, path ?? [])
    if (path === null || !isIdName(key) || !isName(value)) continue
    const subject = (key === "id" ? tool : key).toLowerCase()
    const [, finder, argument] = finders.find(([named]) => named.test(subject)) ?? []
    if (finder !== undefined) return { tool: finder, arguments: argument === undefined ? {} : { [argument]: value } }
  }
  return undefined
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

const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool: Tool) => [tool.published.name, tool]))

/**
 * Arguments that fit in the place of those that do not: what was given and fits, and a sample of what is required, but of what
 * would be written: that only the person knows.
 */
const fitting: Step = (call) => {
  const { exampleFor, tool: name } = call
  const tool = toolsByName.get(name)
  const faults = faultsOf(call)
  if (tool === undefined || faults.some(({ path }) => path === null)) {
    return { tool: name, arguments: exampleFor({}), example: true }
  }
  const input = faults.reduce(
    (given, { choices: [choice], path }) =>
      path === null || choice === undefined ? given : replaced(given, path, choice),
    call.input
  )
  const paths = faults.flatMap(({ choices, path }) => path === null || choices.length > 0 ? [] : [path])
  const left = mended(tool, input, paths)
  const fits = exampleFor(left)
  const sample = exampleFor({})
  const made = tool.operation.effect === "write"
    ? Object.keys(fits).filter((key) => !Object.hasOwn(left, key) && isDeepStrictEqual(fits[key], sample[key]))
    : []
  const isWellFormed = isShort(input) && Result.isSuccess(decoder<unknown, unknown>(tool.operation.input)(input))
  const lacking = Object.keys(tool.published.inputSchema.properties).filter((key) =>
    made.includes(key) ||
    !Object.hasOwn(fits, key) && paths.some(([at]) => at === key) && !(isWellFormed && Object.hasOwn(input, key))
  )
  const missing = [...lacking, ...placeFor(name, fits, paths)]
  return {
    tool: name,
    arguments: without(fits, ...made),
    ...tool.operation.effect === "write" ? {} : { example: true },
    ...missing.length === 0 ? {} : { missing }
  }
}

/** What helps against wrong arguments. */
export const stepOf: Step = (call) => otherMove(call) ?? byName(call) ?? ofSaved(call) ?? fitting(call)
