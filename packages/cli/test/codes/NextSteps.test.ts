/** The next step of every code, from every tool that may spend: none of them spends more than the call agreed to. */
import { tooManyItems, tooManyLists } from "@freehold/core/list/ListKeeper"
import { tooManyNotes } from "@freehold/core/note/NoteKeeper"
import { tooManySearches } from "@freehold/core/search/SearchShelf"
import { nextStep } from "@freehold/mcp-host/NextStep"
import type { NextStep } from "@freehold/mcp-host/RefusedCall"
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { assert, describe, it } from "vitest"
import { closedList } from "./ClosedList.ts"

const spending = tools.filter(({ operation }: Tool) => operation.effect === "spend")
const names: ReadonlySet<string> = new Set(spending.map(({ published }: Tool) => published.name))

const id = "00000000-0000-4000-8000-000000000001"

/** What the refusals tell that a step is made of. */
const detail = {
  projectedCredits: 10,
  successorPropertyId: id,
  property_id: id,
  run_id: id,
  maximum: 100,
  item_ids: [],
  issues: [{ field: "id", message: "Missing key" }]
}

describe.each(Object.keys(closedList))("the next step of %s", (code) => {
  it.each(spending)("has a ceiling if it may spend, from $published.name", ({ exampleFor, published }: Tool) => {
    for (const input of [{ id }, { property_id: id }, { contact_id: id }, { property_ids: [id] }]) {
      for (const given of [input, { ...input, maxCredits: 3 }]) {
        const next = nextStep(code, { tool: published.name, input: given, exampleFor, detail })
        if (next?.tool === undefined || !names.has(next.tool)) continue
        const ceiling = next.arguments?.["maxCredits"]
        assert.oneOf(ceiling, code === "COST_CONFIRMATION_REQUIRED" ? [10] : [0, 3], JSON.stringify(next))
        if (ceiling === 3) assert.property(given, "maxCredits")
      }
    }
  })
})

describe("the next step of a lead that was changed at the same time", () => {
  it.each(["service_qualify_lead", "service_disqualify_lead", "service_update_lead_status"])(
    "reads it before %s is called again",
    (tool) => {
      const call = { tool, input: { property_id: id }, exampleFor: () => ({}), detail: {} }
      assert.deepStrictEqual(nextStep("CHANGED_IN_FLIGHT", call), {
        tool: "service_get_lead_history",
        arguments: { property_id: id }
      })
    }
  )
})

describe("the next step where nothing is visible", () => {
  const of = (input: object, cause: string) =>
    nextStep("NO_VISIBLE_TERRITORY", {
      tool: "service_search_properties",
      input: { ...input },
      exampleFor: () => ({}),
      detail: { cause }
    })

  it("asks for the counties that were asked about, or for some; a member's territory is an admin's to widen", () => {
    const asked = { tool: "service_request_coverage", arguments: { county_fips: ["48113"] } }
    assert.deepStrictEqual(of({ filters: { countyFips: ["48113"] } }, "no_serviceable_area"), asked)
    assert.deepStrictEqual(of({ countyFips: ["48113"] }, "no_serviceable_area"), asked)
    assert.deepStrictEqual(of({ filters: { cities: ["Quillgate"] } }, "no_serviceable_area"), {
      tool: "service_request_coverage",
      missing: ["county_fips"]
    })
    assert.deepStrictEqual(of({ countyFips: ["48113"] }, "member_territory_empty"), { ask: "admin" })
  })
})

describe("the next step where as much is kept as may be", () => {
  it.each<readonly [tool: string, field: string, rule: string, expected: NextStep]>([
    ["service_create_list", "list_name", tooManyLists, { ask: "member" }],
    ["service_add_note", "content", tooManyNotes, { ask: "member" }],
    ["service_add_to_list", "item_ids", tooManyItems, { tool: "service_get_list_items", arguments: { list_id: id } }],
    ["service_save_search", "name", tooManySearches, { tool: "service_list_saved_searches", arguments: {} }]
  ])("from %s is no other form of the same arguments", (tool, field, message, expected) => {
    const call = { tool, input: { list_id: id }, exampleFor: () => ({}), detail: { issues: [{ field, message }] } }
    assert.deepStrictEqual(nextStep("INVALID_ARGUMENTS", call), expected)
  })
})

describe("the next step of a batch that is too large", () => {
  const of = (input: object, more: object = {}) =>
    nextStep("BATCH_TOO_LARGE", {
      tool: "service_research_properties",
      input: { ...input, maxCredits: 0 },
      exampleFor: () => ({}),
      detail: { maximum: 2, ...more }
    })

  it("is as many as it holds, and of a list a search for those that are not open", () => {
    assert.deepStrictEqual(of({ property_ids: ["a", "b", "c"] }), {
      tool: "service_research_properties",
      arguments: { property_ids: ["a", "b"], maxCredits: 0 }
    })
    assert.deepStrictEqual(of({ list_id: id }), {
      tool: "service_search_properties",
      arguments: { filters: { inListId: id, researchState: ["none", "locked"] }, fields: ["id"], limit: 2 },
      missing: ["filters.countyFips"]
    })
    const told = of({ list_id: id }, { county_fips: ["48113"] })
    assert.deepNestedInclude(told, { "arguments.filters.countyFips": ["48113"] })
    assert.notProperty(told, "missing")
  })
})
