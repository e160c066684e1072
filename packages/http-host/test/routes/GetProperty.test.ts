import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, keys, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/properties/{id}", (it) => {
  it.effect("200: answers the record, with what is locked null", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/properties/${ids.locked}`, { headers })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.property.id, ids.locked)
      assert.strictEqual(body.data.researchState, "locked")
      assert.isNull(body.data.property.beneficialOwner)
    }))

  it.effect("200: takes a key, percent-encoded or plain, whatever is in it", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const encoded = yield* call("GET", `/v1/properties/${encodeURIComponent(keys.locked)}`, { headers })
      const colon = yield* call("GET", "/v1/properties/made-up:TX%200001%2FA", { headers })
      const plain = yield* call("GET", `/v1/properties/${keys.unlocked}`, { headers })
      assert.deepStrictEqual([encoded.status, colon.status, plain.status], [200, 200, 200])
      assert.strictEqual(encoded.body.data.property.id, ids.locked)
      assert.strictEqual(colon.body.data.property.id, ids.locked)
      assert.strictEqual(plain.body.data.property.id, ids.unlocked)
    }))

  it.effect("405: HEAD, since reading a revealed property may take a record", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers: answered, status } = yield* call("HEAD", `/v1/properties/${ids.locked}`, { headers })
      assert.deepStrictEqual([status, answered.get("allow")], [405, "GET, OPTIONS"])
    }))

  it.effect("400: an empty id", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/properties/", { headers })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.meta.issues[0].field, "id")
      assert.isUndefined(body.meta.code)
    }))

  it.effect("400: a query parameter cannot stand in for the path", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/properties/${ids.locked}?id=${ids.covered}`, { headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta.issues, [{ field: "id", message: "Unknown key" }])
    }))

  it.effect("400: a path that is not percent-encoded correctly", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/properties/%ff", { headers })
      assert.strictEqual(status, 400)
      assert.isNotEmpty(body.meta.issues)
    }))

  it.effect("403: outside the area that was switched on", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/properties/${ids.outside}`, { headers })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "OUT_OF_TERRITORY", reason: "subscription", county_fips: "48439" })
      assert.isUndefined(body.code)
    }))

  it.effect("404: neither such an id nor such a key", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const id = yield* call("GET", `/v1/properties/${ids.nowhere}`, { headers })
      const key = yield* call("GET", "/v1/properties/not-an-id", { headers })
      assert.deepStrictEqual([id.status, key.status], [404, 404])
      assert.deepStrictEqual(id.body.meta, { code: "NOT_FOUND", resource: "property" })
      assert.strictEqual(key.body.meta.code, "NOT_FOUND")
    }))

  it.effect("409: a merged property names its successor", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/properties/${ids.retired}`, { headers })
      assert.strictEqual(status, 409)
      assert.deepStrictEqual(body.meta, { code: "PROPERTY_RETIRED", successorPropertyId: ids.locked })
    }))
})
