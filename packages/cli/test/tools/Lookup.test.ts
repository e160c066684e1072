/** The tools that tell valid values and coverage, from outside. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { counties, layer as host, tool } from "./ToolHost.ts"

const values = (input: object) =>
  Effect.map(
    tool("service_lookup", input),
    (found): Array<string> => found.values.map(({ value }: { readonly value: string }) => value)
  )

layer(host, { excludeTestServices: true })("service_lookup", (it) => {
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
      assert.deepStrictEqual(yield* values({ kind: "counties", state: "WA" }), [])
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
      ) assert.deepInclude(events.values, { value, label: null, note })
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
        licensed: true,
        switched_on: true,
        properties: 1,
        last_refresh: null
      })
      assert.deepInclude(found.counties.at(-1), { fips: counties.outside, licensed: false, switched_on: false })
      assert.deepStrictEqual((yield* tool("service_get_coverage", { state: "WA" })).counties, [])
      assert.strictEqual((yield* tool("service_get_coverage", { state: "Texas" })).code, "INVALID_ARGUMENTS")
    }))
})
