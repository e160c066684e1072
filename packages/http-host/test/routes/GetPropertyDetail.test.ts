import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, keys, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")
const path = (id: string) => `/v1/properties/${encodeURIComponent(id)}/detail`

layer(host, { excludeTestServices: true })("GET /v1/properties/{id}/detail", (it) => {
  it.effect("200: a locked property counts its contacts and shows none", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status, text } = yield* call("GET", path(keys.locked), { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data.contacts, [])
      assert.strictEqual(body.data.contactsSummary.totalCount, 1)
      assert.notInclude(text, "people.example")
      assert.notInclude(text, ids.contact)
    }))

  it.effect("200: an unlocked one shows them", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", path(ids.unlocked), { headers })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.contacts[0].email, "two@people.example")
    }))

  it.effect("403, 404 and 409 as for the record", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const outside = yield* call("GET", path(ids.outside), { headers })
      const nowhere = yield* call("GET", path(ids.nowhere), { headers })
      const retired = yield* call("GET", path(ids.retired), { headers })
      assert.deepStrictEqual([outside.status, nowhere.status, retired.status], [403, 404, 409])
      assert.deepStrictEqual(
        [outside, nowhere, retired].map(({ body }) => body.meta.code),
        ["OUT_OF_TERRITORY", "NOT_FOUND", "PROPERTY_RETIRED"]
      )
    }))

  it.effect("405: HEAD, since reading it may count towards a daily limit", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers: answered, status } = yield* call("HEAD", path(ids.unlocked), { headers })
      assert.strictEqual(status, 405)
      assert.strictEqual(answered.get("allow"), "GET, OPTIONS")
    }))
})
