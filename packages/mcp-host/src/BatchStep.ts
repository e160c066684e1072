/** What to do about a batch of research that was refused, or that leaves something out. */
import { Predicate } from "effect"
import { type NextStep, type RefusedCall, type Step, texts } from "./RefusedCall.ts"

/** What is part of the address only the person knows. */
export const propertyByAddress: NextStep = { tool: "service_search_properties", missing: ["query"] }

/** Of what was left out of a batch, by what it was named with; those of one reason where that is asked for. */
const skippedOf = ({ detail: { skipped } }: RefusedCall, only?: string): ReadonlyArray<string> =>
  (Array.isArray(skipped) ? skipped : []).flatMap((each: unknown) => {
    if (!Predicate.isReadonlyObject(each)) return []
    const { id, reason } = each
    return typeof id === "string" && (only === undefined || reason === only) ? [id] : []
  })

/** The call at the price that was told, without what would not be paid for. */
export const confirmed: Step = (call) => {
  const { detail: { projectedCredits, property_id }, input, tool } = call
  const gone = new Set(skippedOf(call))
  const { property_ids } = input
  const left = texts(property_ids).filter((id) => !gone.has(id) && !gone.has(id.toLowerCase()))
  return {
    tool,
    arguments: {
      ...input,
      ...property_ids === undefined ? {} : { property_ids: left },
      ...property_id === undefined ? {} : { property_id },
      maxCredits: projectedCredits
    }
  }
}

/** Where what was left out of a batch can be read instead; or where other properties are found. */
export const nothingChosen: Step = (call) => {
  const [open] = skippedOf(call, "ALREADY_RESEARCHED")
  const [going] = skippedOf(call, "ALREADY_RESEARCHING")
  // Those of a long list are not named.
  if (open === undefined && going === undefined && call.detail["open_already"] !== undefined) {
    return { tool: "service_get_list_items", arguments: { list_id: call.input["list_id"] } }
  }
  return open !== undefined
    ? { tool: "service_get_property", arguments: { id: open } }
    : going !== undefined
    // Its `enrichmentStatus` tells how it stands, whoever it is researched for.
    ? { tool: "service_get_property", arguments: { id: going } }
    : propertyByAddress
}

/** As many as one batch holds. Of a list those that are not open yet, by their ids alone. */
export const fewer = ({ detail: { county_fips }, input, tool }: RefusedCall, most: number): NextStep =>
  input["list_id"] === undefined
    ? {
      tool,
      arguments: { ...input, property_ids: texts(input["property_ids"]).slice(0, most) }
    }
    : {
      tool: "service_search_properties",
      arguments: {
        filters: {
          ...county_fips === undefined ? {} : { countyFips: county_fips },
          inListId: input["list_id"],
          researchState: ["none", "locked"]
        },
        fields: ["id"],
        limit: most
      },
      // In which counties it lies, the list does not say.
      ...county_fips === undefined ? { missing: ["filters.countyFips"] } : {}
    }
