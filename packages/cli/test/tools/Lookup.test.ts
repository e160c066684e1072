/** The tools that tell valid values and coverage, from outside. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { counties, layer as host, rest, tool } from "./ToolHost.ts"

const values = (input: object) =>
  Effect.map(
    tool("service_lookup", input),
    (found): Array<string> => found.values.map(({ value }: { readonly value: string }) => value)
  )

layer(host, { excludeTestServices: true })("service_lookup", (it) => {
  it.effect("is not needed for a search that answers nothing: a tool says why in its result, REST in meta", () =>
    Effect.gen(function*() {
      const search = { filters: { cities: ["Quilgate"] } }
      const told = `No property that you see lies in a city called "Quilgate"; did you mean "Quillgate"?`
      const { note, ...found } = yield* tool("service_search_properties", search)
      assert.strictEqual(note, told)
      const { body } = yield* rest("/properties/search", search)
      assert.deepStrictEqual(body, { success: true, data: found, meta: { note: told } })
      // REST has no tools to name.
      const outside = { filters: { countyFips: [counties.outside] }, count_only: true }
      assert.include((yield* tool("service_search_properties", outside)).note, "service_request_coverage")
      const { data, meta } = (yield* rest("/properties/search", outside)).body
      assert.deepStrictEqual([data.total_matching, data.results], [0, []])
      assert.match(meta.note, /^\S.* lies outside the area that your organization switched on\.$/)
      const nowhere = yield* rest("/contacts/browse", { countyFips: ["99999"] })
      assert.strictEqual(nowhere.body.meta.note, "No state has a county 99999.")
      const some = { filters: { countyFips: [counties.open] }, fields: ["id", "address"], limit: 1 }
      const rows = (yield* rest("/properties/search", some)).body
      assert.notProperty(rows, "meta")
      assert.deepStrictEqual(Object.keys(rows.data.results[0]), ["id", "address"])
      assert.deepStrictEqual((yield* tool("service_search_properties", some)).results, rows.data.results)
    }))

  it.effect("says why it lists nothing, and which value may be meant", () =>
    Effect.gen(function*() {
      const noteOf = (input: object) => Effect.map(tool("service_lookup", input), ({ note }) => note)
      assert.strictEqual(
        yield* noteOf({ kind: "categories", query: "Offise" }),
        `None of the categories has "Offise" in it; did you mean "Office"? Without query there are 14.`
      )
      assert.strictEqual(
        yield* noteOf({ kind: "counties", query: "zz" }),
        `None of the counties has "zz" in it. Without query there are 3.`
      )
      assert.strictEqual(
        yield* noteOf({ kind: "counties", state: "WY" }),
        "Nothing is recorded of WY yet. service_request_coverage asks for counties of it."
      )
      assert.isUndefined(yield* noteOf({ kind: "categories" }))
    }))

  it.effect("tells the values of every kind", () =>
    Effect.gen(function*() {
      for (
        const [kind, value] of [
          ["categories", "Self Storage"],
          ["subcategories", "Cold Storage"],
          ["role_types", "facilities_manager"],
          ["seniorities", "c_suite"],
          ["counties", counties.outside],
          ["loss_reasons", "price"],
          ["disqualify_reasons", "not_a_fit"],
          ["filter_keys", "minBuildingSqft"],
          ["sort_keys", "relevance"],
          ["event_types", "lead.qualified"]
        ]
      ) {
        const found = yield* tool("service_lookup", { kind })
        assert.include(found.values.map((each: { readonly value: string }) => each.value), value)
        assert.deepStrictEqual([found.kind, found.total], [kind, found.values.length])
      }
    }))

  it.effect("narrows by text and by state", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* values({ kind: "categories", query: "OFF" }), ["Office"])
      assert.deepStrictEqual(yield* values({ kind: "subcategories", query: "hospitality" }), [
        "Hotel",
        "Motel",
        "Resort"
      ])
      assert.sameMembers(yield* values({ kind: "counties", state: "TX" }), Object.values(counties))
      assert.sameMembers(yield* values({ kind: "counties", state: "tx" }), Object.values(counties))
      assert.deepStrictEqual(yield* values({ kind: "counties", state: "WA" }), [])
      for (const query of ["Quillgate County, TX", "quillgate, texas", "county of Quillgate"]) {
        assert.deepStrictEqual(yield* values({ kind: "counties", query }), [counties.open], query)
      }
      assert.deepStrictEqual(yield* values({ kind: "counties", query: "Quillgate County, WA" }), [])
      const refused = yield* tool("service_lookup", { kind: "categories", state: "TX" })
      assert.deepStrictEqual([refused.code, refused.issues[0].field], ["INVALID_ARGUMENTS", "state"])
      assert.strictEqual((yield* tool("service_lookup", { kind: "colours" })).code, "INVALID_ARGUMENTS")
    }))

  it.effect("tells the schema of a filter, and what cannot be used and why", () =>
    Effect.gen(function*() {
      const found = yield* tool("service_lookup", { kind: "filter_keys", query: "changedWithinDays" })
      const [{ note, schema }] = found.values
      assert.deepInclude(schema, { type: "integer" })
      assert.strictEqual(note, "Change filters are not switched on")
      const events = yield* tool("service_lookup", { kind: "event_types" })
      for (
        const [value, note] of [
          ["lead.qualified", null],
          ["lead.changed", "Recorded, never sent"],
          ["signal.sale", "Not switched on"]
        ]
      ) assert.deepInclude(events.values, note === null ? { value } : { value, note })
    }))
})

layer(host, { excludeTestServices: true })("service_get_coverage", (it) => {
  it.effect("tells the counties with data, the own ones first", () =>
    Effect.gen(function*() {
      const found = yield* tool("service_get_coverage")
      assert.strictEqual(found.total, 3)
      assert.deepStrictEqual(found.counties[0], {
        fips: counties.licensed,
        name: null,
        state: "TX",
        licensed: true,
        switched_on: true,
        properties: 3,
        last_refresh: null,
        sources: []
      })
      assert.deepInclude(found.counties.at(-1), { fips: counties.outside, licensed: false, switched_on: false })
      assert.deepStrictEqual(yield* tool("service_get_coverage", { state: "WA" }), {
        counties: [],
        total: 0,
        requests: [],
        requests_total: 0,
        note: "Nothing is recorded of WA yet. service_request_coverage asks for counties of it."
      })
      const { body } = yield* rest("/coverage?state=WA", undefined, "twins")
      assert.deepStrictEqual(body, {
        success: true,
        data: { counties: [], total: 0, requests: [], requests_total: 0 },
        meta: { note: "Nothing is recorded of WA yet." }
      })
      for (const state of ["tx", "Texas", " texas "]) {
        assert.deepStrictEqual(yield* tool("service_get_coverage", { state }), found)
      }
      assert.deepStrictEqual((yield* rest("/coverage?state=washington", undefined, "twins")).body, body)
      const { code, issues } = yield* tool("service_get_coverage", { state: "Texass" })
      assert.strictEqual(code, "INVALID_ARGUMENTS")
      assert.deepStrictEqual(issues, [
        { field: "state", message: "Expected a two-letter state abbreviation such as TX, or the name of a state" }
      ])
    }))
})
