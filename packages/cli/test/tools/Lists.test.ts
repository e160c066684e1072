/** The tools about lists, from outside: what they answer, and every code that they refuse with. */
import { assert, layer } from "@effect/vitest"
import { listBounds } from "@freehold/core/list/List"
import { Lists } from "@freehold/core/list/Lists"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import { Effect } from "effect"
import { counties, ids, layer as host, rest, tool, toolAs } from "./ToolHost.ts"

const create = (list_name: string, list_type = "properties") =>
  Effect.map(tool("service_create_list", { list_name, list_type }), ({ list }): string => list.id)

layer(host, { excludeTestServices: true })("The tools about lists", (it) => {
  it.effect("make, fill, show and empty a list", () =>
    Effect.gen(function*() {
      const list_id = yield* create("Roofs")
      assert.deepStrictEqual(
        yield* tool("service_add_to_list", { list_id, item_ids: [ids.first, ids.second, ids.third] }),
        { list_id, added: 3, already_exists: 0 }
      )
      const shown = yield* tool("service_get_list_items", { list_id, limit: 2 })
      assert.deepInclude(shown.list, { id: list_id, list_name: "Roofs", item_count: 3, owner_name: "one key" })
      assert.deepStrictEqual([shown.items.length, shown.total, shown.has_more], [2, 3, true])
      assert.deepInclude(shown.items[0], { property_id: ids.first, address: "1 Sample Street", city: "Quillgate" })
      const rest = yield* tool("service_get_list_items", { list_id, limit: 2, cursor: shown.next_cursor })
      assert.deepStrictEqual([rest.items.length, rest.has_more, rest.next_cursor], [1, false, null])
      const same = yield* tool("service_get_list_items", { list_id, limit: 2, offset: shown.next_cursor })
      assert.deepStrictEqual(same, rest)
      assert.deepStrictEqual(
        yield* tool("service_remove_from_list", { list_id, item_ids: [ids.second, ids.nowhere] }),
        { list_id, removed: 1, not_in_list: 1 }
      )
    }))

  it.effect("take properties by key as by id, and tell of a key that nothing here has", () =>
    Effect.gen(function*() {
      const list_id = yield* create("By key")
      const key = { first: `${counties.open}-${ids.first}`, outside: `${counties.outside}-${ids.outside}` }
      assert.deepStrictEqual(
        yield* tool("service_add_to_list", { list_id, item_ids: [key.first, ids.second.toUpperCase()] }),
        { list_id, added: 2, already_exists: 0 }
      )
      const refused = yield* tool("service_add_to_list", { list_id, item_ids: [ids.third, "no-such-key", key.outside] })
      assert.deepInclude(refused, { code: "PROPERTY_NOT_AVAILABLE", item_ids: ["no-such-key", key.outside] })
      assert.deepStrictEqual(
        yield* tool("service_remove_from_list", { list_id, item_ids: [key.first, "no-such-key"] }),
        { list_id, removed: 1, not_in_list: 1 }
      )
      const { items } = yield* tool("service_get_list_items", { list_id })
      assert.deepStrictEqual(items.map((item: { readonly property_id: string }) => item.property_id), [ids.second])
    }))

  it.effect("make no more lists than an organization may have, over REST neither", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const { lists: most } = listBounds
      for (let n = 0; n < most; n++) {
        yield* lists.create({
          orgId: "org_two",
          id: `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`,
          name: `List ${n}`,
          type: "properties",
          visibility: "team",
          sharedWith: [],
          owner: { memberId: null, name: "two key" },
          onClash: "allow",
          bounds: listBounds,
          now: n
        })
      }
      const issues = [{
        field: "list_name",
        message: "Expected at most 1000 lists in your organization; delete one first"
      }]
      const input = { list_name: "One more", list_type: "properties" }
      assert.deepInclude(yield* tool("service_create_list", input, "two"), {
        code: "INVALID_ARGUMENTS",
        issues,
        next: { ask: "member" }
      })
      const { body, status } = yield* rest("/lists", input, "two")
      assert.deepStrictEqual([status, body.meta.issues], [400, issues])
      const again = { list_name: "list 7", list_type: "properties", reuse_existing_by_name: true }
      assert.deepInclude(yield* tool("service_create_list", again, "two"), { created: false })
      assert.deepInclude(yield* tool("service_create_list", input), { created: true })
    }))

  it.effect("show contacts without their details", () =>
    Effect.gen(function*() {
      const list_id = yield* create("People", "contacts")
      yield* tool("service_add_to_list", { list_id, item_ids: [ids.contact] })
      const { items } = yield* tool("service_get_list_items", { list_id })
      const { added_at: _, ...item } = items[0]
      assert.deepStrictEqual(item, {
        contact_id: ids.contact,
        title: "Facilities Manager",
        seniority: "unknown"
      })
    }))

  it.effect("count for everybody what they show: no person who asked not to be listed, nothing outside the area", () =>
    Effect.gen(function*() {
      const people = yield* create("Counted people", "contacts")
      const places = yield* create("Counted places")
      yield* tool("service_add_to_list", { list_id: people, item_ids: [ids.contact] })
      // It was in the area when it was added.
      const everywhere = { nationwide: true, stateFips: [], countyFips: [] }
      const itemIds = [ids.first, ids.outside]
      yield* Lists.use((lists) =>
        lists.add({
          orgId: "org_one",
          reader: null,
          listId: places,
          itemIds,
          visible: everywhere,
          bounds: listBounds,
          now: 0
        })
      )
      const told = Effect.fnUntraced(function*(list_id: string, list_name: string, list_type: string) {
        const rows = (yield* tool("service_list_lists", { type: list_type })).lists
        const { item_count } = rows.find((each: { readonly id: string }) => each.id === list_id)
        const { items, list, total } = yield* tool("service_get_list_items", { list_id })
        const reuse = { list_name, list_type, reuse_existing_by_name: true }
        const reused = (yield* tool("service_create_list", reuse)).list
        return [items.length, total, list.item_count, item_count, reused.item_count]
      })
      assert.deepStrictEqual(yield* told(places, "Counted places", "properties"), [1, 1, 1, 1, 1])
      const { lift, suppress } = yield* Suppressions
      const person = { _tag: "Contact", named: ids.contact } as const
      yield* suppress(person)
      assert.deepStrictEqual(yield* told(people, "Counted people", "contacts"), [0, 0, 0, 0, 0])
      yield* lift(person)
      assert.deepStrictEqual(yield* told(people, "Counted people", "contacts"), [1, 1, 1, 1, 1])
    }).pipe(Effect.provide(SuppressionsMemory.layer)))

  it.effect("answer the same as REST", () =>
    Effect.gen(function*() {
      yield* create("Twin")
      const { body } = yield* rest("/lists?limit=5")
      assert.deepStrictEqual(yield* tool("service_list_lists", { limit: 5 }), body.data)
    }))

  it.effect("refuse a name in use, and answer the list when asked", () =>
    Effect.gen(function*() {
      const id = yield* create("Only once")
      const again = { list_name: "only ONCE", list_type: "properties" }
      assert.deepInclude(yield* tool("service_create_list", again), { code: "NAME_IN_USE", resource: "list" })
      const reused = yield* tool("service_create_list", { ...again, reuse_existing_by_name: true })
      assert.deepStrictEqual([reused.created, reused.list.id], [false, id])
    }))

  it.effect("refuse a list that is not there", () =>
    Effect.gen(function*() {
      const own = yield* create("Own")
      for (
        const [name, input] of [
          ["service_get_list_items", {}],
          ["service_add_to_list", { item_ids: [ids.first] }],
          ["service_remove_from_list", { item_ids: [ids.first] }]
        ] as const
      ) {
        const unknown = yield* tool(name, { list_id: ids.nowhere, ...input })
        assert.deepInclude(unknown, { code: "LIST_NOT_FOUND" }, name)
        assert.deepStrictEqual(yield* tool(name, { list_id: own, ...input }, "two"), unknown, name)
      }
    }))

  it.effect("refuse what is not available, and tell items of the other kind apart", () =>
    Effect.gen(function*() {
      const places = yield* create("Places")
      const people = yield* create("Persons", "contacts")
      const add = (list_id: string, item: string) => tool("service_add_to_list", { list_id, item_ids: [item] })
      for (const item of [ids.nowhere, ids.outside, ids.merged]) {
        assert.deepInclude(yield* add(places, item), { code: "PROPERTY_NOT_AVAILABLE", item_ids: [item] })
      }
      assert.deepInclude(yield* add(people, ids.outsideContact), { code: "CONTACT_NOT_AVAILABLE" })
      assert.deepInclude(yield* add(places, ids.contact), { code: "WRONG_LIST_TYPE", list_type: "properties" })
      assert.deepInclude(yield* add(people, ids.first), { code: "WRONG_LIST_TYPE", list_type: "contacts" })
    }))

  it.effect("search by a list, and refuse one that is not there or holds contacts", () =>
    Effect.gen(function*() {
      const list_id = yield* create("Searched")
      const people = yield* create("Searched", "contacts")
      yield* tool("service_add_to_list", { list_id, item_ids: [ids.second, ids.third] })
      const search = (filter: object) =>
        tool("service_search_properties", { filters: { countyFips: [counties.open, counties.licensed], ...filter } })
      const found = yield* search({ inListId: list_id })
      assert.sameMembers(found.results.map((row: { readonly id: string }) => row.id), [ids.second, ids.third])
      assert.deepInclude(yield* search({ notInListId: ids.nowhere }), { code: "LIST_NOT_FOUND" })
      assert.deepInclude(yield* search({ inListId: people }), { code: "WRONG_LIST_TYPE", field: "filters.inListId" })
    }))

  it.effect("refuse changes without the feature, and say so in the workspace", () =>
    Effect.gen(function*() {
      for (const name of ["service_create_list", "service_add_to_list", "service_remove_from_list"]) {
        assert.deepInclude(yield* tool(name, {}, "gated"), { code: "FEATURE_GATED", feature: "lists" }, name)
      }
      const { tools_unavailable } = yield* tool("service_describe_workspace", {}, "gated")
      assert.deepInclude(
        tools_unavailable.map(({ code, name }: Record<string, string>) => [name, code]),
        ["service_create_list", "FEATURE_GATED"]
      )
      assert.deepStrictEqual((yield* tool("service_list_lists", {}, "gated")).lists, [])
    }))

  it.effect("keep a person's lists to the person, and show them to the organization's key", () =>
    Effect.gen(function*() {
      const { list } = yield* toolAs("ana", "service_create_list", { list_name: "Mine", list_type: "properties" })
      assert.deepInclude(list, { visibility: "private", item_count: 0 })
      const shared = yield* create("For all")
      const seen = (lists: ReadonlyArray<{ readonly id: string }>) => lists.map(({ id }) => id)
      assert.includeMembers(seen((yield* toolAs("ana", "service_list_lists")).lists), [list.id, shared])
      const others = seen((yield* toolAs("ben", "service_list_lists")).lists)
      assert.include(others, shared)
      assert.notInclude(others, list.id)
      const own = (yield* tool("service_list_lists")).lists.find((each: { readonly id: string }) => each.id === list.id)
      assert.deepInclude(own, { visibility: "private", owner_name: "Ana" })
      for (
        const [name, input] of [
          ["service_get_list_items", {}],
          ["service_add_to_list", { item_ids: [ids.first] }],
          ["service_remove_from_list", { item_ids: [ids.first] }]
        ] as const
      ) {
        assert.strictEqual((yield* toolAs("ben", name, { list_id: list.id, ...input })).code, "LIST_NOT_FOUND", name)
      }
      const search = { filters: { countyFips: [counties.open], inListId: list.id } }
      assert.strictEqual((yield* toolAs("ben", "service_search_properties", search)).code, "LIST_NOT_FOUND")
      assert.strictEqual((yield* toolAs("ana", "service_search_properties", search)).total_matching, 0)
    }))

  it.effect("are not for a member who only reads, where they write", () =>
    Effect.gen(function*() {
      const input = { list_name: "a", list_type: "properties" }
      assert.strictEqual((yield* toolAs("ana", "service_create_list", input, "read_only")).code, "ROLE_NOT_PERMITTED")
      assert.isArray((yield* toolAs("ana", "service_list_lists", {}, "read_only")).lists)
    }))

  it.effect("name the fault of an argument", () =>
    Effect.gen(function*() {
      const refused = yield* tool("service_get_list_items", { list_id: "made-up", offset: "x" })
      assert.strictEqual(refused.code, "INVALID_ARGUMENTS")
      assert.sameMembers(
        Array.from(new Set(refused.issues.map(({ field }: { readonly field: string }) => field))),
        ["list_id", "offset"]
      )
    }))
})
