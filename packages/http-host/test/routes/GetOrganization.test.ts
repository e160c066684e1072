import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/organizations/{id}", (it) => {
  it.effect("200: the firm, what it has in the area, and its people by role without names", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/organizations/${ids.owner}`, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, {
        organization: {
          organization_id: ids.owner,
          name: "Sample Owner",
          domain: "owner.example",
          roles: ["owner"],
          socials: { linkedin: "https://example.com/owner", twitter: null, facebook: null, crunchbase: null }
        },
        property_count_in_territory: 1,
        researched_property_count: 1,
        revealed_property_count: 0,
        properties: [
          { property_id: ids.locked, address: "1 Sample Street", city: null, state: null, role: "owner" }
        ],
        properties_truncated: false,
        contacts_by_role: [{ role_type: "asset_manager", count: 1 }]
      })
    }))

  it.effect("200: takes one record, once", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("GET", `/v1/organizations/${ids.owner}`, { headers: bearer("taking") })
      const again = yield* call("GET", `/v1/organizations/${ids.owner}`, { headers: bearer("taking") })
      assert.deepStrictEqual([first.status, again.status], [200, 200])
      assert.deepStrictEqual([first.body.meta.records.taken, again.body.meta.records.taken], [1, 0])
    }))

  it.effect("400: an id that is no UUID", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/organizations/nobody", { headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta, { issues: [{ field: "id", message: "Expected a UUID" }] })
    }))

  it.effect("404: no such firm, and one that only locked research knows, are told alike", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nowhere = yield* call("GET", `/v1/organizations/${ids.nowhere}`, { headers })
      const hidden = yield* call("GET", `/v1/organizations/${ids.hiddenFirm}`, { headers })
      assert.deepStrictEqual([nowhere.status, hidden.status], [404, 404])
      assert.deepStrictEqual(nowhere.body.meta, { code: "NOT_FOUND", resource: "organization" })
      assert.deepStrictEqual(hidden.body, nowhere.body)
    }))

  it.effect("429: the records allowance is used up", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, headers: answered, status } = yield* call("GET", `/v1/organizations/${ids.owner}`, {
        headers: bearer("exhausted")
      })
      assert.strictEqual(status, 429)
      assert.deepStrictEqual([body.code, body.meta.code], ["RECORDS_ALLOWANCE_EXCEEDED", "RECORDS_ALLOWANCE_EXCEEDED"])
      assert.isNotNull(answered.get("retry-after"))
    }))
})
