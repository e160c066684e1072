import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/organizations/browse"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/organizations/browse", (it) => {
  it.effect("200: firms by name, without what research alone knows of a locked property", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, {
        organizations: [
          {
            organization_id: ids.manager,
            name: "Sample Manager",
            domain: null,
            roles: ["property_manager"],
            property_count_in_territory: 1,
            researched: true
          },
          {
            organization_id: ids.owner,
            name: "Sample Owner",
            domain: "owner.example",
            roles: ["owner"],
            property_count_in_territory: 1,
            researched: true
          }
        ],
        total_matching: 2,
        next_cursor: null,
        scope: { scoped: true, countyCount: 3, states: ["TX"] }
      })
    }))

  it.effect("200: every condition at once, and the scope that was searched", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, {
        headers,
        json: {
          role: "owner",
          countyFips: ["48113", "48439"],
          query: "SAMPLE",
          minProperties: 1,
          sort: "propertyCount",
          limit: 200,
          offset: 0
        }
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual([body.data.total_matching, body.data.organizations[0].organization_id], [1, ids.owner])
      assert.deepStrictEqual(body.data.scope, { scoped: true, countyCount: 1, states: ["TX"] })
      const any = yield* call("POST", path, { headers, json: { role: "any" } })
      assert.strictEqual(any.body.data.total_matching, 2)
    }))

  it.effect("200: whatever accents the name has, where no firm is called so, page by page", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const page = (more: object) =>
        Effect.map(
          call("POST", path, { headers, json: { query: "sámplè", limit: 1, ...more } }),
          ({ body }) => body.data
        )
      const first = yield* page({})
      assert.deepInclude(first, { total_matching: 2 })
      const second = yield* page({ cursor: first.next_cursor })
      assert.deepInclude(second, { total_matching: 2, next_cursor: null })
      const found = [first, second].map(({ organizations: [one] }) => one.organization_id)
      assert.deepStrictEqual(found, [ids.manager, ids.owner])
      assert.deepStrictEqual((yield* page({ offset: 1 })).organizations, second.organizations)
      const { body } = yield* call("POST", path, {
        headers,
        json: { query: "sample", limit: 1, cursor: first.next_cursor }
      })
      assert.strictEqual(body.meta.code, "INVALID_CURSOR")
    }))

  it.effect("200: says why there is no firm, and in which of the counties there is nothing to see", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const noteOf = (json: object) =>
        Effect.map(call("POST", path, { headers, json }), ({ body: { data, meta } }) => {
          assert.notProperty(data, "note")
          return meta?.note
        })
      const outside = "County 48439 lies outside the area that your organization switched on."
      assert.strictEqual(yield* noteOf({ query: "zzzz" }), "No firm that you see fits query.")
      assert.strictEqual(yield* noteOf({ query: "zzzz", countyFips: ["48439"] }), outside)
      assert.strictEqual(yield* noteOf({ countyFips: ["48113", "48439"] }), outside)
      assert.isUndefined(yield* noteOf({ role: "owner" }))
      // What a locked property alone tells is left out, and that is told, but where all is covered.
      const left = "Firms that only locked properties name as their manager are left out."
      assert.strictEqual(yield* noteOf({ role: "property_manager" }), left)
      assert.strictEqual(yield* noteOf({ role: "property_manager", countyFips: ["48113"] }), left)
      assert.strictEqual(
        yield* noteOf({ role: "property_manager", countyFips: ["48085", "48121"] }),
        "No firm that you see fits all of role, countyFips: leave one out."
      )
    }))

  it.effect("400: names each field and its rule", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ limit: 201 }, "limit"],
        [{ limit: "5" }, "limit"],
        [{ offset: 1.5 }, "offset"],
        [{ role: "manager" }, "role"],
        [{ countyFips: "48113" }, "countyFips"],
        [{ query: "" }, "query"],
        [{ minProperties: -1 }, "minProperties"],
        [{ sort: "domain" }, "sort"],
        [{ name: "Sample" }, "name"]
      ]
      for (const [json, field] of cases) {
        const { body, status } = yield* call("POST", path, { headers, json })
        assert.strictEqual(status, 400)
        assert.strictEqual(body.meta.issues[0].field, field)
      }
    }))

  it.effect("400: beyond an offset of 100,000 says to go on with cursor", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const last = yield* call("POST", path, { headers, json: { offset: 10_000 } })
      assert.deepStrictEqual([last.status, last.body.data.organizations], [200, []])
      const { body, status } = yield* call("POST", path, { headers, json: { offset: 10_001 } })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta.issues, [
        { field: "offset", message: "Expected at most 10000; go on with cursor, the next_cursor of the page before" }
      ])
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers: bearer("placeless") })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))
})
