/**
 * The next step of a price whose action would be refused: that of the refusal which the action itself would answer.
 *
 * A price tells codes without their detail. Where a step is made of detail, it is the action's own dry run, which is free and
 * says the rest.
 */
import { pricedOperations, subjectKindOf } from "@freehold/core/research/PricedAction"
import { PriceResearch } from "@freehold/core/research/ResearchOperations"
import { Schema } from "effect"
import { nextStep } from "./NextStep.ts"
import type { NextStep } from "./RefusedCall.ts"
import { type Tool, tools } from "./Tools.ts"

type Input = (typeof PriceResearch)["input"]["Type"]

const isInput = Schema.is(PriceResearch.input)

const isPrice = Schema.is(PriceResearch.output)

/** Their steps name what only their own refusal tells. */
const untold: ReadonlySet<string> = new Set([
  "OUT_OF_TERRITORY",
  "PROPERTY_RETIRED",
  "PROPERTY_UNLOCK_REQUIRED",
  "RATE_LIMITED",
  "SCOPE_REQUIRED"
])

/** Whether it names a property beside its subject: which of the two is not found, a price does not tell. */
const isOfTwo = ({ action, property_id: property }: Input): boolean =>
  property !== undefined && subjectKindOf(action) !== "property"

/** The action as a call of its own tool, about one of what was priced. */
const callOf = (input: Input, id: string) => {
  const { name } = pricedOperations[input.action]
  const tool: Tool | undefined = tools.find(({ published }) => published.name === name)
  const { properties } = tool?.published.inputSchema ?? { properties: {} }
  const given = { ...input, id, maxCredits: 0 }
  return {
    tool: name,
    input: Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(properties, key))),
    exampleFor: tool?.exampleFor ?? (() => ({}))
  }
}

/** What helps against what the price says that the action would be refused with; none where nothing would, or of no price. */
export const nextOf = ({ operation }: Tool, input: unknown, price: unknown): NextStep | undefined => {
  if (operation.name !== PriceResearch.name || !isInput(input) || !isPrice(price)) return undefined
  const { items: [first, ...others], refused, run_id } = price
  // Of many that are all refused, each says why.
  const code = refused === "EMPTY_SELECTION" ? first?.refused ?? "NOT_FOUND" : refused
  if (code === null) return undefined
  const item = first?.refused === code ? first : others.find((each) => each.refused === code) ?? first
  const call = callOf(input, item?.id ?? "")
  if (code === "ALREADY_RESEARCHED") return { tool: "service_get_property", arguments: { id: item?.id } }
  const isUntold = untold.has(code) || code === "NOT_FOUND" && isOfTwo(input)
  if (isUntold) return { tool: call.tool, arguments: call.input }
  const opened = item?.opening_credits === undefined ? {} : { property_id: item.property_id }
  return nextStep(code, {
    ...call,
    detail: { run_id: run_id ?? item?.run_id ?? null, resource: subjectKindOf(input.action), ...opened }
  })
}
