import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/properties/search"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/properties/search", (it) => {
  it.effect("200: answers rows as the operation shaped them", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers, json: { filters: { countyFips: ["48085"] } } })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.total_matching, 1)
      assert.strictEqual(body.data.results[0].id, ids.covered)
      assert.deepStrictEqual(Object.keys(body), ["success", "data"])
    }))

  it.effect("400: names every unknown key and wrong type", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers, json: { query: "sample", limit: "5", colour: 1 } })
      assert.strictEqual(status, 400)
      assert.sameMembers(body.meta.issues.map((issue: { field: string }) => issue.field), ["limit", "colour"])
      assert.isUndefined(body.code)
      assert.isUndefined(body.meta.code)
      assert.include(body.error, "limit")
    }))

  it.effect("400: refuses parameters in the query string", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", `${path}?limit=5`, { headers, json: { query: "sample" } })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta.issues, [{ field: "limit", message: "Unknown key" }])
    }))

  it.effect("400: the search's mode codes stand in meta beside the issues", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nothing = yield* call("POST", path, { headers })
      const both = yield* call("POST", path, {
        headers,
        json: { query: "sample", filters: { countyFips: ["48113"] } }
      })
      const cursor = yield* call("POST", path, { headers, json: { query: "sample", cursor: "made-up" } })
      assert.deepStrictEqual([nothing.status, both.status, cursor.status], [400, 400, 400])
      assert.strictEqual(nothing.body.meta.code, "MISSING_QUERY_BOUNDS_OR_COUNTY")
      assert.isNotEmpty(nothing.body.meta.issues)
      assert.isUndefined(nothing.body.code)
      assert.strictEqual(both.body.meta.code, "AMBIGUOUS_SEARCH_MODE")
      assert.strictEqual(cursor.body.meta.code, "INVALID_CURSOR")
    }))

  it.effect("403: a plan without it is told which plan has it, at the top", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers: bearer("team"), json: {} })
      assert.strictEqual(status, 403)
      assert.strictEqual(body.code, "UPGRADE_REQUIRED")
      assert.strictEqual(body.feature, "apiAccess")
      assert.strictEqual(body.minimumTier, "enterprise")
      assert.deepStrictEqual(body.meta, { code: "UPGRADE_REQUIRED", feature: "apiAccess", minimumTier: "enterprise" })
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers: bearer("placeless"), json: { query: "sample" } })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))
})
