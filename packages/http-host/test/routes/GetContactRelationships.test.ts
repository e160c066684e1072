import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/contacts/{id}/relationships", (it) => {
  it.effect("200: properties in the area, and of the others state and county alone", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/contacts/${ids.contact}/relationships`, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, {
        relationships: [
          {
            in_your_territory: true,
            property_id: ids.locked,
            address: "1 Sample Street",
            city: null,
            state: null,
            role_type: "asset_manager",
            relationshipStatus: "current",
            attributionType: "county_record"
          },
          { in_your_territory: false, state: null, county_fips: "48439" }
        ]
      })
    }))

  it.effect("400: an id that is no UUID", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/contacts/nobody/relationships", { headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta, { issues: [{ field: "id", message: "Expected a UUID" }] })
    }))

  it.effect("404: no such contact, and one whom the organization does not see", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nowhere = yield* call("GET", `/v1/contacts/${ids.nowhere}/relationships`, { headers })
      const unseen = yield* call("GET", `/v1/contacts/${ids.contact}/relationships`, { headers: bearer("placeless") })
      assert.deepStrictEqual([nowhere.status, unseen.status], [404, 404])
      assert.deepStrictEqual(nowhere.body.meta, { code: "NOT_FOUND", resource: "contact" })
      assert.deepStrictEqual(unseen.body, nowhere.body)
    }))
})
