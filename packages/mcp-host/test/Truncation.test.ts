/** Where a result above 20,000 tokens is cut, however deep its lists are, and however many of them are too long. */
import { assert, describe, it } from "@effect/vitest"
import { DescribeWorkspace } from "@freehold/core/account/AccountOperations"
import { GetLeadBundle } from "@freehold/core/lead/LeadOperations"
import { Workload } from "@freehold/core/load/Workload"
import { valueAt } from "@freehold/core/operation/InvalidInput"
import { GetLeadHistory } from "@freehold/core/pipeline/PipelineOperations"
import { ListSavedSearches } from "@freehold/core/search/SavedSearchOperations"
import { Effect, Predicate } from "effect"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { type BoundTool, Toolbox } from "../src/Toolbox.ts"
import { noRest, type Tool, tools } from "../src/Tools.ts"
import * as Truncation from "../src/Truncation.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const tokensOf = (result: unknown): number => encode(JSON.stringify(result)).length

const counties = (count: number) => Array.from({ length: count }, (_, index) => String(10_000 + index * 7))

const position = (index: number) => [-96.8 + index / 1e5, 32.7 + index / 1e5]

const ring = (count: number) => Array.from({ length: count }, (_, index) => position(index))

const options = { rest: "There is more.", isReadAnew: false }

const cut = Effect.fnUntraced(function*(result: Readonly<Record<string, unknown>>) {
  const cuts = yield* Truncation.cutsOf(result, options)
  return Truncation.truncate(result, cuts, options.rest)
})

/** What the tool answers where its operation does so. */
const answerOf = Effect.fnUntraced(function*(name: string, run: BoundTool["run"], input: object = {}) {
  const tool: Tool | undefined = tools.find(({ published }) => published.name === name)
  assert(tool !== undefined)
  const toolbox = Toolbox.make([{ tool, run }], yield* Workload)
  const result = yield* StubCatalogue.asCaller(toolbox.call(name, input))
  assert.notProperty(result, "isError")
  assert.isAtMost(tokensOf(result.structuredContent), Truncation.maximumTokens)
  return result.structuredContent
}, Effect.provide(Workload.layer))

const workspace = (area: { readonly switchedOn: number; readonly licensed: number; readonly own: number }) => ({
  organization: { org_id: "org_made_up", name: "Made-up Roofing" },
  territory: {
    serviceable_area: { whole_state_abbrs: [], county_fips: counties(area.switchedOn) },
    entitlement: { nationwide: false, state_abbrs: [], county_fips: counties(area.licensed) },
    member: { county_fips: counties(area.own) },
    counties: [{ fips: "10000", name: "Quillgate" }],
    counties_total: 1
  },
  tools_unavailable: []
})

describe("a workspace", () => {
  it.effect("is cut in the list of counties that is too long, and says where and how the others are had", () =>
    Effect.gen(function*() {
      const whole = workspace({ switchedOn: 9000, licensed: 500, own: 3 })
      const shown = yield* answerOf(DescribeWorkspace.name, () => Effect.succeed(whole))
      const list = valueAt(shown, ["territory", "serviceable_area", "county_fips"])
      assert(Array.isArray(list))
      assert.deepStrictEqual(list, counties(list.length))
      assert.isAbove(tokensOf(shown), Truncation.maximumTokens - 20)
      assert.deepStrictEqual(shown["truncation"], {
        list: "territory.serviceable_area.county_fips",
        rows_shown: list.length,
        rows: 9000,
        rest:
          "service_get_coverage with a state tells its counties; service_get_account answers the area, over REST too."
      })
      assert.deepInclude(valueAt(shown, ["territory"]), { entitlement: whole.territory.entitlement })
    }))

  it.effect("is cut in all lists that are, to the same length, and in no other", () =>
    Effect.gen(function*() {
      const whole = workspace({ switchedOn: 9000, licensed: 8000, own: 100 })
      const shown = yield* answerOf(DescribeWorkspace.name, () => Effect.succeed(whole))
      const [area, licence] = ["serviceable_area", "entitlement"].map((each) =>
        valueAt(shown, ["territory", each, "county_fips"])
      )
      assert(Array.isArray(area) && Array.isArray(licence))
      assert.closeTo(area.length, licence.length, 2)
      assert.isAbove(tokensOf(shown), Truncation.maximumTokens - 40)
      assert.deepInclude(shown["truncation"], {
        list: "territory.serviceable_area.county_fips",
        rows_shown: area.length,
        also: [{ list: "territory.entitlement.county_fips", rows_shown: licence.length, rows: 8000 }]
      })
      assert.deepInclude(valueAt(shown, ["territory"]), { member: whole.territory.member })
    }))
})

describe("the history of a lead", () => {
  const move = (version: number) => ({ version, from: "proposal", to: "won", note: "made up ".repeat(100) })

  it.effect("keeps the last moves, oldest first, and says so", () =>
    Effect.gen(function*() {
      const history = Array.from({ length: 200 }, (_, index) => move(index + 1))
      const shown = yield* answerOf(
        GetLeadHistory.name,
        () => Effect.succeed({ property_id: "made-up", status: "won", history }),
        { property_id: "made-up" }
      )
      const kept = shown["history"]
      assert(Array.isArray(kept))
      assert.isAbove(tokensOf(shown), Truncation.maximumTokens - 200)
      assert.deepStrictEqual(kept, history.slice(-kept.length).map((each) => ({ ...each, user_content: true })))
      assert.deepStrictEqual(Object.keys(shown).slice(0, 3), ["property_id", "status", "history"])
      assert.deepStrictEqual(shown["truncation"], {
        list: "history",
        rows_shown: kept.length,
        rows: 200,
        rest: "The last moves are shown; the app shows those before them."
      })
    }))
})

describe("a lead bundle", () => {
  it.effect("names what reads the rest without paying again", () =>
    Effect.gen(function*() {
      const notes = Array.from({ length: 50 }, (_, index) => ({ id: String(index), content: "made up ".repeat(600) }))
      const shown = yield* answerOf(
        GetLeadBundle.name,
        () => Effect.succeed({ bundle: { notes, actions: [] }, billed_via: "credit", credits_charged: 1 }),
        { property_id: "made-up" }
      )
      assert.deepInclude(shown["truncation"], {
        list: "bundle.notes",
        rest: "service_list_notes and service_get_property read notes and people, free, and the app has the tasks; " +
          "over REST the bundle counts again."
      })
    }))
})

describe("a row that is too long by itself", () => {
  it.effect("is cut at the list in it, however deep that is", () =>
    Effect.gen(function*() {
      const within = { type: "Polygon", coordinates: [ring(4000)] }
      const saved = { id: "1", name: "Made up", search: { filters: { within, categories: ["Office"] } } }
      const shown = yield* cut({ saved_search: saved })
      const kept = valueAt(shown, ["saved_search", "search", "filters", "within", "coordinates", "0"])
      assert(Array.isArray(kept))
      assert.deepStrictEqual(kept, ring(kept.length))
      assert.isAtMost(tokensOf(shown), Truncation.maximumTokens)
      assert.isAbove(tokensOf(shown), Truncation.maximumTokens - 20)
      assert.deepInclude(shown["truncation"], {
        list: "saved_search.search.filters.within.coordinates.0",
        rows: 4000
      })
    }))

  it.effect("is the only one that is kept then, of all that stand behind it", () =>
    Effect.gen(function*() {
      const shown = yield* cut({ polygons: [ring(4000), ring(4000)], name: "Made up" })
      const [first, ...others] = Array.isArray(shown["polygons"]) ? shown["polygons"] : []
      assert.isEmpty(others)
      assert.isAtMost(tokensOf(shown), Truncation.maximumTokens)
      assert.deepInclude(shown["truncation"], {
        list: "polygons",
        rows_shown: 1,
        rows: 2,
        also: [{ list: "polygons.0", rows_shown: first.length, rows: 4000 }]
      })
      const text = "made up ".repeat(25_000)
      assert.deepInclude(yield* cut({ texts: [{ text }, { text }] }), { texts: [] })
    }))

  it.effect("is on a page of its own, so that the next one begins after it", () =>
    Effect.gen(function*() {
      const saved = (index: number) => ({
        id: String(index),
        search: { filters: { within: { type: "Polygon", coordinates: [ring(index === 0 ? 4000 : 4)] } } }
      })
      const asked: Array<unknown> = []
      const shown = yield* answerOf(ListSavedSearches.name, (input) =>
        Effect.sync(() => {
          const limit = Predicate.hasProperty(input, "limit") && typeof input.limit === "number" ? input.limit : 3
          asked.push(limit)
          return {
            saved_searches: Array.from({ length: limit }, (_, index) => saved(index)),
            total: 3,
            next_cursor: `after ${limit}`
          }
        }))
      assert.deepStrictEqual(asked, [3, 1])
      const inner = "saved_searches.0.search.filters.within.coordinates.0"
      assert.deepNestedInclude(shown, {
        next_cursor: "after 1",
        "saved_searches[0].id": "0",
        "truncation.list": "saved_searches",
        "truncation.rows_shown": 1,
        "truncation.rows": 3,
        "truncation.also[0].list": inner
      })
      const alone = yield* answerOf(
        ListSavedSearches.name,
        () => Effect.succeed({ saved_searches: [saved(0)], total: 3, next_cursor: null }),
        { limit: 1 }
      )
      assert.deepInclude(alone["truncation"], { list: inner, rest: noRest })
    }))
})
