import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const get = (query: string, tenant: Parameters<typeof bearer>[0] = "team") =>
  TestHost.use(({ call }) => call("GET", `/v1/notes${query}`, { headers: bearer(tenant) }))

layer(host, { excludeTestServices: true })("GET /v1/notes", (it) => {
  it.effect("200: newest first, 50 unless asked for up to 100", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* get(`?propertyId=${ids.spare}`)).body.data, { notes: [] })
      const { body, status } = yield* get(`?propertyId=${ids.locked.toUpperCase()}`)
      assert.strictEqual(status, 200)
      assert.lengthOf(body.data.notes, 50)
      assert.deepStrictEqual(body.data.notes[0], {
        id: "00000000-0000-4000-a000-000000000119",
        property_id: ids.locked,
        content: "Note 119",
        author: "Ana",
        created_at: "2026-01-01T00:01:59.000Z"
      })
      assert.lengthOf((yield* get(`?propertyId=${ids.locked}&limit=100`)).body.data.notes, 100)
      assert.deepStrictEqual((yield* get(`?propertyId=${ids.locked}`, "rich")).body.data, { notes: [] })
    }))

  for (
    const [query, field] of [
      ["", "propertyId"],
      ["?propertyId=", "propertyId"],
      ["?propertyId=made-up", "propertyId"],
      [`?propertyId=${ids.locked}&limit=0`, "limit"],
      [`?propertyId=${ids.locked}&limit=101`, "limit"],
      [`?propertyId=${ids.locked}&limit=x`, "limit"],
      [`?propertyId=${ids.locked}&colour=red`, "colour"]
    ] as const
  ) {
    it.effect(`400: refuses "${query}", without a code`, () =>
      Effect.gen(function*() {
        const { body, status } = yield* get(query)
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body.meta.issues.map((issue: { readonly field: string }) => issue.field), [field])
        assert.isUndefined(body.meta.code)
      }))
  }

  it.effect("403: the feature comes before the arguments", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get("", "gated")
      assert.deepStrictEqual([status, body.code], [403, "FEATURE_GATED"])
      assert.deepStrictEqual(body.meta, { code: "FEATURE_GATED", feature: "pipeline" })
    }))

  it.effect("403: needs its scope", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?propertyId=${ids.locked}`, "bare")
      assert.deepStrictEqual([status, body.code], [403, "SCOPE_NOT_GRANTED"])
    }))

  it.effect("403: outside the service area", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?propertyId=${ids.outside}`)
      assert.deepStrictEqual([status, body.meta], [403, {
        code: "OUT_OF_TERRITORY",
        reason: "subscription",
        county_fips: "48439"
      }])
    }))

  it.effect("404: no such property", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?propertyId=${ids.nowhere}`)
      assert.deepStrictEqual([status, body.meta.code], [404, "NOT_FOUND"])
    }))

  it.effect("409: merged", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?propertyId=${ids.retired}`)
      assert.deepStrictEqual([status, body.meta], [409, {
        code: "PROPERTY_RETIRED",
        successorPropertyId: ids.locked
      }])
    }))
})
