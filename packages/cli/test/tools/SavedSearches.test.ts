/** The tools about saved searches, from outside: what they answer, and every code that they refuse with. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { counties, ids, layer as host, tool, toolAs } from "./ToolHost.ts"

const here = { filters: { countyFips: [counties.open, counties.licensed], zipCodes: ["75001"] } }

const save = (name: string, search: object = here, person: "ana" | "ben" = "ana") =>
  toolAs(person, "service_save_search", { name, search })

layer(host, { excludeTestServices: true })("The tools about saved searches", (it) => {
  it.effect("save, list, run and delete a search", () =>
    Effect.gen(function*() {
      const { saved_search } = yield* save("North", { ...here, limit: 2 })
      assert.deepInclude(saved_search, { name: "North", owner_name: "Ana", search: { ...here, limit: 2 } })
      const listed = yield* toolAs("ana", "service_list_saved_searches")
      assert.deepInclude(listed.saved_searches, saved_search)
      const saved_search_id = saved_search.id
      const found = yield* toolAs("ana", "service_run_saved_search", { saved_search_id })
      assert.deepStrictEqual([found.results.length, found.total_matching], [2, 3])
      // An offset would be refused: the search has no sort.
      const { next_cursor: cursor, next_offset, ...page } = found
      assert.isNull(next_offset)
      const { next_cursor: _, next_offset: __, ...same } = yield* tool("service_search_properties", {
        ...here,
        limit: 2
      })
      assert.deepStrictEqual(page, same)
      // Each is sealed with its time, and both go on with the same search.
      const rest = yield* toolAs("ana", "service_run_saved_search", { saved_search_id, cursor })
      assert.deepStrictEqual([rest.results.length, rest.has_more], [1, false])
      const deleted = yield* toolAs("ana", "service_delete_saved_search", { saved_search_id })
      assert.deepStrictEqual(deleted, { saved_search_id, deleted: true })
      const again = yield* toolAs("ana", "service_delete_saved_search", { saved_search_id })
      assert.deepInclude(again, { code: "NOT_FOUND", resource: "saved_search" })
    }))

  it.effect("are listed page by page, and a cursor is of whoever asked", () =>
    Effect.gen(function*() {
      for (const name of ["Page 1", "Page 2", "Page 3"]) yield* save(name)
      const list = (input: object) => tool("service_list_saved_searches", input)
      const { next_cursor: none, saved_searches: all, total } = yield* list({})
      assert.deepStrictEqual([none, all.length], [null, total])
      const { next_cursor: cursor, ...first } = yield* list({ limit: 2 })
      const rest = yield* list({ cursor })
      assert.deepStrictEqual([...first.saved_searches, ...rest.saved_searches], all)
      assert.deepStrictEqual([first.total, rest.total, rest.next_cursor], [total, total, null])
      assert.strictEqual((yield* toolAs("ana", "service_list_saved_searches", { cursor })).code, "INVALID_CURSOR")
      for (const limit of [0, 201]) assert.strictEqual((yield* list({ limit })).code, "INVALID_ARGUMENTS")
    }))

  it.effect("page by offset with a sort only, asked for or saved", () =>
    Effect.gen(function*() {
      const { saved_search: { id: saved_search_id } } = yield* save("Unsorted")
      const run = (input: object) => toolAs("ana", "service_run_saved_search", { saved_search_id, ...input })
      assert.deepInclude(yield* run({ limit: 1, offset: 1 }), { code: "OFFSET_REQUIRES_SORT" })
      const pages = yield* Effect.forEach([0, 1, 2], (offset) => run({ limit: 1, offset, sortBy: "address" }))
      assert.lengthOf(new Set(pages.map(({ results }) => results[0].id)), 3)
      assert.deepStrictEqual(pages.map(({ next_offset }) => next_offset), [1, 2, null])
      const { saved_search: sorted } = yield* save("Sorted", { ...here, sortBy: "city", sortOrder: "desc" })
      const page = yield* toolAs("ana", "service_run_saved_search", { saved_search_id: sorted.id, offset: 2 })
      assert.deepStrictEqual([page.results.length, page.sorted_by], [1, { field: "city", direction: "desc" }])
    }))

  it.effect("page free text with the cursor", () =>
    Effect.gen(function*() {
      const { saved_search: { id: saved_search_id } } = yield* save("Text", { query: "sample street" })
      const run = (input: object) => toolAs("ana", "service_run_saved_search", { saved_search_id, ...input })
      const first = yield* run({ limit: 2 })
      const second = yield* run({ limit: 2, cursor: first.next_cursor })
      const found = [...first.results, ...second.results].map(({ id }: { readonly id: string }) => id)
      assert.lengthOf(new Set(found), 4)
      assert.strictEqual((yield* run({ offset: 1 })).code, "INVALID_ARGUMENTS")
      assert.strictEqual((yield* run({ cursor: "made-up" })).code, "INVALID_CURSOR")
    }))

  it.effect("are each member's own; a key sees and runs them all, and can neither save nor delete", () =>
    Effect.gen(function*() {
      const { saved_search: { id: saved_search_id } } = yield* save("Own")
      const others = yield* toolAs("ben", "service_list_saved_searches")
      assert.notInclude(others.saved_searches.map(({ id }: { readonly id: string }) => id), saved_search_id)
      for (const name of ["service_run_saved_search", "service_delete_saved_search"]) {
        assert.strictEqual((yield* toolAs("ben", name, { saved_search_id })).code, "NOT_FOUND")
      }
      assert.strictEqual((yield* tool("service_run_saved_search", { saved_search_id })).total_matching, 3)
      assert.strictEqual((yield* tool("service_run_saved_search", { saved_search_id }, "two")).code, "NOT_FOUND")
      for (const name of ["service_save_search", "service_delete_saved_search"]) {
        assert.strictEqual((yield* tool(name, { saved_search_id })).code, "ACTING_USER_REQUIRED")
      }
      const readOnly = yield* toolAs("ana", "service_delete_saved_search", { saved_search_id }, "read_only")
      assert.strictEqual(readOnly.code, "ROLE_NOT_PERMITTED")
    }))

  it.effect("run with the rights of now: a list that is gone from sight is not found", () =>
    Effect.gen(function*() {
      const { list } = yield* toolAs("ben", "service_create_list", { list_name: "Mine", list_type: "properties" })
      const search = { filters: { ...here.filters, inListId: list.id } }
      const { saved_search: { id: saved_search_id } } = yield* save("Listed", search)
      const found = yield* toolAs("ana", "service_run_saved_search", { saved_search_id })
      assert.strictEqual(found.code, "LIST_NOT_FOUND")
      assert.strictEqual((yield* tool("service_run_saved_search", { saved_search_id })).total_matching, 0)
    }))

  it.effect("that name a city of several places lead to where they are read", () =>
    Effect.gen(function*() {
      const { saved_search: { id: saved_search_id } } = yield* save("Twins", { filters: { cities: ["Twinford"] } })
      const { code, next } = yield* toolAs("ana", "service_run_saved_search", { saved_search_id })
      assert.strictEqual(code, "INVALID_ARGUMENTS")
      assert.deepStrictEqual(next, { tool: "service_list_saved_searches", arguments: {} })
    }))

  it.effect("refuse a name in use and a search that could never run", () =>
    Effect.gen(function*() {
      yield* save("Once")
      assert.deepInclude(yield* save("ONCE"), { code: "NAME_IN_USE", resource: "saved_search" })
      assert.isDefined((yield* save("once", here, "ben")).saved_search)
      assert.strictEqual((yield* save("a", {})).code, "MISSING_QUERY_BOUNDS_OR_COUNTY")
      assert.strictEqual((yield* save("a", { ...here, query: "street" })).code, "AMBIGUOUS_SEARCH_MODE")
      const changed = { filters: { ...here.filters, changedWithinDays: 3 } }
      assert.strictEqual((yield* save("a", changed)).code, "SIGNALS_NOT_ENABLED")
      for (
        const [search, field] of [
          [{ ...here, offset: 5 }, "search.offset"],
          [{ ...here, colour: "red" }, "search.colour"],
          [{ filters: { ...here.filters, minLotSqft: 2, maxLotSqft: 1 } }, "search.filters.maxLotSqft"]
        ] as const
      ) {
        const { code, issues } = yield* save("a", search)
        assert.deepStrictEqual([code, issues.map((issue: { readonly field: string }) => issue.field)], [
          "INVALID_ARGUMENTS",
          [field]
        ])
      }
      assert.strictEqual((yield* save(" ")).code, "INVALID_ARGUMENTS")
      assert.strictEqual(
        (yield* toolAs("ana", "service_run_saved_search", { saved_search_id: ids.nowhere })).code,
        "NOT_FOUND"
      )
    }))
})
