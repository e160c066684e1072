import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, type Received, TestHost } from "../TestHost.ts"

const headers = bearer("team")

const fieldsOf = ({ body }: Received): ReadonlyArray<string | null> =>
  body.meta.issues.map((issue: { readonly field: string | null }) => issue.field)

const create = (json: object, as: Record<string, string> = headers) =>
  TestHost.use(({ call }) => call("POST", "/v1/lists", { headers: as, json }))

const add = (listId: string, item_ids: unknown, as: Record<string, string> = headers) =>
  TestHost.use(({ call }) => call("POST", `/v1/lists/${listId}/items`, { headers: as, json: { item_ids } }))

const made = (list_name: string, list_type: string, as: Record<string, string> = headers) =>
  Effect.map(create({ list_name, list_type }, as), ({ body }): string => body.data.list.id)

layer(host, { excludeTestServices: true })("POST /v1/lists", (it) => {
  it.effect("200: makes a list of the team", () =>
    Effect.gen(function*() {
      const { body, headers: answered, status } = yield* create({ list_name: "Targets", list_type: "properties" })
      assert.strictEqual(status, 200)
      const { id, ...list } = body.data.list
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(list, {
        list_name: "Targets",
        list_type: "properties",
        visibility: "team",
        item_count: 0
      })
      assert.isTrue(body.data.created)
      assert.strictEqual(answered.get("cache-control"), "no-store")
    }))

  it.effect("200: a name in use is made again, unless the existing list is asked for", () =>
    Effect.gen(function*() {
      const first = yield* made("Twice", "properties")
      const again = yield* create({ list_name: "Twice", list_type: "properties" })
      assert.isTrue(again.body.data.created)
      assert.notStrictEqual(again.body.data.list.id, first)
      const reuse = { list_name: "TWICE", reuse_existing_by_name: true }
      const reused = yield* create({ ...reuse, list_type: "properties" })
      assert.deepStrictEqual([reused.body.data.created, reused.body.data.list.id], [false, first])
      const other = yield* create({ ...reuse, list_type: "contacts" })
      assert.isTrue(other.body.data.created)
    }))

  for (
    const [what, json, field] of [
      ["no name", { list_type: "properties" }, "list_name"],
      ["an empty name", { list_name: "", list_type: "properties" }, "list_name"],
      ["a blank name", { list_name: "  ", list_type: "properties" }, "list_name"],
      ["a name of 201 characters", { list_name: "x".repeat(201), list_type: "properties" }, "list_name"],
      ["no type", { list_name: "a" }, "list_type"],
      ["an unknown type", { list_name: "a", list_type: "firms" }, "list_type"],
      [
        "a word for a switch",
        { list_name: "a", list_type: "contacts", reuse_existing_by_name: "yes" },
        "reuse_existing_by_name"
      ],
      ["an unknown key", { list_name: "a", list_type: "contacts", colour: "red" }, "colour"]
    ] as const
  ) {
    it.effect(`400: refuses ${what}`, () =>
      Effect.gen(function*() {
        const received = yield* create(json)
        assert.strictEqual(received.status, 400)
        assert.deepStrictEqual(fieldsOf(received), [field])
        assert.isUndefined(received.body.meta.code)
      }))
  }

  it.effect("403: the feature comes before the arguments", () =>
    Effect.gen(function*() {
      const { body, status } = yield* create({}, bearer("gated"))
      assert.strictEqual(status, 403)
      assert.strictEqual(body.code, "FEATURE_GATED")
      assert.deepStrictEqual(body.meta, { code: "FEATURE_GATED", feature: "lists" })
    }))

  it.effect("403: needs its scope, which comes before the feature", () =>
    Effect.gen(function*() {
      const { body, status } = yield* create({ list_name: "a", list_type: "contacts" }, bearer("bare"))
      assert.deepStrictEqual([status, body.code], [403, "SCOPE_NOT_GRANTED"])
    }))
})

layer(host, { excludeTestServices: true })("GET /v1/lists", (it) => {
  const list = (query = "", as: Record<string, string> = headers) =>
    TestHost.use(({ call }) => call("GET", `/v1/lists${query}`, { headers: as }))

  it.effect("200: newest first, with the count of items, and pages by cursor, also in offset", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* list()).body.data, { lists: [], total: 0, has_more: false, next_cursor: null })
      for (const name of ["one", "two", "three"]) yield* made(name, "properties")
      const contacts = yield* made("people", "contacts")
      yield* add(contacts, [ids.contact])
      const first = (yield* list("?limit=3")).body.data
      assert.deepStrictEqual([first.total, first.has_more], [4, true])
      assert.match(first.next_cursor, /^[\w-]{22,120}$/)
      const people = first.lists.find((each: { readonly id: string }) => each.id === contacts)
      const { created_at, ...rest } = people
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        id: contacts,
        list_name: "people",
        list_type: "contacts",
        visibility: "team",
        item_count: 1,
        owner_name: "team"
      })
      const second = (yield* list(`?limit=3&offset=${first.next_cursor}`)).body.data
      assert.deepStrictEqual([second.lists.length, second.has_more, second.next_cursor], [1, false, null])
      for (const same of [`cursor=${first.next_cursor}`, "offset=3"]) {
        assert.deepStrictEqual((yield* list(`?limit=3&${same}`)).body.data, second)
      }
      const narrowed = yield* list(`?type=contacts&offset=${first.next_cursor}`)
      assert.deepStrictEqual([narrowed.status, narrowed.body.meta.code], [400, "INVALID_CURSOR"])
      assert.deepStrictEqual(fieldsOf(narrowed), ["offset"])
      const only = (yield* list("?type=contacts&limit=100000")).body.data
      assert.deepStrictEqual([only.lists.length, only.total], [1, 1])
      assert.strictEqual((yield* list("", bearer("rich"))).body.data.total, 0)
    }))

  it.effect("200: also without the feature: its table does not list the refusal", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* list("", bearer("gated"))).status, 200)
    }))

  for (
    const [query, field] of [
      ["limit=0", "limit"],
      ["limit=x", "limit"],
      ["offset=-1", "offset"],
      [`offset=1&cursor=${"x".repeat(40)}`, "offset"],
      [
        "offset=x",
        "offset"
      ],
      ["type=firms", "type"],
      ["colour=red", "colour"]
    ]
  ) {
    it.effect(`400: refuses ?${query}`, () =>
      Effect.gen(function*() {
        const received = yield* list(`?${query}`)
        assert.strictEqual(received.status, 400)
        assert.include(fieldsOf(received), field)
      }))
  }

  it.effect("403: needs its scope", () =>
    Effect.gen(function*() {
      const { body, status } = yield* list("", bearer("bare"))
      assert.deepStrictEqual([status, body.code], [403, "SCOPE_NOT_GRANTED"])
    }))
})

layer(host, { excludeTestServices: true })("POST /v1/lists/{id}/items", (it) => {
  it.effect("200: adds each id once, and retrying is safe", () =>
    Effect.gen(function*() {
      const list_id = yield* made("Places", "properties")
      const first = yield* add(list_id, [ids.locked, ids.locked.toUpperCase(), ids.covered])
      assert.deepStrictEqual(first.body.data, { list_id, added: 2, already_exists: 0 })
      const again = yield* add(list_id.toUpperCase(), [ids.locked, ids.spare])
      assert.deepStrictEqual(again.body.data, { list_id, added: 1, already_exists: 1 })
    }))

  for (
    const [what, itemIds, field] of [
      ["no items", [], "item_ids"],
      ["501 items", Array.from({ length: 501 }, () => ids.locked), "item_ids"],
      ["an item that is no UUID", [ids.locked, "made-up"], "item_ids.1"],
      ["something else than a list", ids.locked, "item_ids"]
    ] as const
  ) {
    it.effect(`400: refuses ${what}, without a code`, () =>
      Effect.gen(function*() {
        const received = yield* add(yield* made("Bad items", "properties"), itemIds)
        assert.strictEqual(received.status, 400)
        assert.deepStrictEqual(fieldsOf(received), [field])
        assert.isUndefined(received.body.meta.code)
      }))
  }

  it.effect("400: an id of the path that is no UUID, by the endpoint's name for it", () =>
    Effect.gen(function*() {
      const received = yield* add("made-up", [ids.locked])
      assert.strictEqual(received.status, 400)
      assert.deepStrictEqual(fieldsOf(received), ["id"])
    }))

  it.effect("403: the feature comes before the list is looked up", () =>
    Effect.gen(function*() {
      const { body, status } = yield* add(ids.nowhere, [ids.locked], bearer("gated"))
      assert.deepStrictEqual([status, body.code, body.meta.code], [403, "FEATURE_GATED", "FEATURE_GATED"])
    }))

  it.effect("404: no such list, or another organization's", () =>
    Effect.gen(function*() {
      const other = yield* made("Other", "properties", bearer("rich"))
      for (const id of [ids.nowhere, other]) {
        const { body, status } = yield* add(id, [ids.locked])
        assert.deepStrictEqual([status, body.meta], [404, { code: "NOT_FOUND", resource: "list" }])
      }
    }))

  it.effect("404: one property that is missing, outside or merged, and nothing is added", () =>
    Effect.gen(function*() {
      const list_id = yield* made("All or nothing", "properties")
      for (const missing of [ids.nowhere, ids.outside, ids.retired, ids.contact]) {
        const { body, status } = yield* add(list_id, [ids.locked, missing])
        const merged = missing === ids.retired ? { successors: { [missing]: ids.locked } } : {}
        assert.deepStrictEqual(
          [status, body.meta],
          [404, { code: "PROPERTY_NOT_AVAILABLE", item_ids: [missing], ...merged }]
        )
      }
      assert.deepStrictEqual((yield* add(list_id, [ids.locked])).body.data.added, 1)
    }))

  it.effect("404: a contact that is not available, or is a property", () =>
    Effect.gen(function*() {
      const list_id = yield* made("People", "contacts")
      for (const missing of [ids.nowhere, ids.locked]) {
        const { body, status } = yield* add(list_id, [ids.contact, missing])
        assert.deepStrictEqual([status, body.meta], [404, { code: "CONTACT_NOT_AVAILABLE", item_ids: [missing] }])
      }
      assert.strictEqual((yield* add(list_id, [ids.contact])).status, 200)
    }))
})

layer(host, { excludeTestServices: true })("POST /v1/properties/search by lists", (it) => {
  const rich = bearer("rich")
  const search = (filters: object) =>
    TestHost.use(({ call }) =>
      call("POST", "/v1/properties/search", {
        headers: rich,
        json: { filters: { countyFips: ["48113"], ...filters } }
      })
    )
  const found = ({ body }: Received): Array<string> => body.data.results.map((row: { readonly id: string }) => row.id)

  it.effect("200: finds what is in a list, and what is not", () =>
    Effect.gen(function*() {
      const list = yield* made("Searched", "properties", rich)
      yield* add(list, [ids.locked, ids.spare], rich)
      assert.sameMembers(found(yield* search({ inListId: list.toUpperCase() })), [ids.locked, ids.spare])
      assert.sameMembers(found(yield* search({ notInListId: list })), [ids.unlocked, ids.unresearched])
    }))

  it.effect("404: no such list", () =>
    Effect.gen(function*() {
      const other = yield* made("Not theirs", "properties")
      for (const filter of [{ inListId: ids.nowhere }, { notInListId: other }]) {
        const { body, status } = yield* search(filter)
        assert.deepStrictEqual([status, body.meta], [404, { code: "NOT_FOUND", resource: "list" }])
      }
    }))

  it.effect("400: a list of contacts", () =>
    Effect.gen(function*() {
      const received = yield* search({ notInListId: yield* made("Persons", "contacts", rich) })
      assert.strictEqual(received.status, 400)
      assert.deepStrictEqual(fieldsOf(received), ["filters.notInListId"])
    }))

  it.effect("200: finds customers and stages", () =>
    Effect.gen(function*() {
      for (const filter of [{ customerStatus: "active" }, { pipelineStatus: ["won", "qualified"] }]) {
        assert.deepStrictEqual(found(yield* search(filter)), [])
      }
      for (const filter of [{ customerStatus: "none" }, { pipelineStatus: ["none"] }]) {
        assert.lengthOf(found(yield* search(filter)), 4)
      }
    }))
})
