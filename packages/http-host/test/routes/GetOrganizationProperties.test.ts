import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/organizations/{id}/properties", (it) => {
  it.effect("200: every property, and outside the area state and county alone", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/organizations/${ids.owner}/properties`, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, {
        organization: { id: ids.owner, name: "Sample Owner" },
        properties: [
          {
            in_your_territory: true,
            property_id: ids.locked,
            address: "1 Sample Street",
            city: null,
            state: null,
            role: "owner",
            attributionType: "county_record"
          },
          {
            in_your_territory: false,
            state: null,
            county_fips: "48439",
            role: "owner",
            attributionType: "county_record"
          }
        ],
        next_cursor: null
      })
    }))

  it.effect("200: pages by cursor are the whole, and a cursor is of its own firm alone", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const read = (query: string, firm: string = ids.owner) =>
        call("GET", `/v1/organizations/${firm}/properties${query}`, { headers })
      const whole = (yield* read("")).body.data
      const first = (yield* read("?limit=1")).body.data
      const rest = (yield* read(`?limit=1&cursor=${first.next_cursor}`)).body.data
      assert.deepStrictEqual([...first.properties, ...rest.properties], whole.properties)
      assert.isNull(rest.next_cursor)
      const other = yield* read(`?cursor=${first.next_cursor}`, ids.manager)
      assert.deepStrictEqual([other.status, other.body.meta.code, other.body.meta.issues[0].field], [
        400,
        "INVALID_CURSOR",
        "cursor"
      ])
      assert.strictEqual((yield* read("?limit=201")).status, 400)
    }))

  it.effect("200: a manager that research found stands only where it is revealed", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body } = yield* call("GET", `/v1/organizations/${ids.manager}/properties`, { headers })
      assert.deepStrictEqual(
        body.data.properties.map((property: { property_id: string }) => property.property_id),
        [ids.unlocked]
      )
    }))

  it.effect("400: an id that is no UUID", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/organizations/nobody/properties", { headers })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.meta.issues[0].field, "id")
    }))

  it.effect("404: no such firm, and one that only locked research knows, are told alike", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nowhere = yield* call("GET", `/v1/organizations/${ids.nowhere}/properties`, { headers })
      const hidden = yield* call("GET", `/v1/organizations/${ids.hiddenFirm}/properties`, { headers })
      assert.deepStrictEqual([nowhere.status, hidden.status], [404, 404])
      assert.deepStrictEqual(hidden.body, nowhere.body)
    }))
})
