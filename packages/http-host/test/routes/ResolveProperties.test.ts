import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/properties/resolve"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/properties/resolve", (it) => {
  it.effect("200: candidates with a score for each row, none out of the area", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, {
        headers,
        json: {
          rows: [
            { address: "1 sample st.", county_fips: "48113" },
            { address: "5 Sample Street" },
            { address: "6 Sample Street" },
            { apn: "made-up" }
          ]
        }
      })
      assert.strictEqual(status, 200)
      const [found, ...none] = body.data.results
      assert.deepInclude(found, { index: 0, property_id: ids.locked })
      assert.deepInclude(found.candidates[0], {
        property_id: ids.locked,
        address: "1 Sample Street",
        county_fips: "48113",
        score: 1,
        matched_by: "address"
      })
      assert.deepStrictEqual(none, [1, 2, 3].map((index) => ({ index, property_id: null, candidates: [] })))
    }))

  it.effect("200: what is not in the city or zip code that was given is a candidate elsewhere, and never certain", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, {
        headers,
        json: {
          rows: [
            { address: "7 Sample Street", city: "Another Name", state: "TX", county_fips: "48113" },
            { address: "7 Sample Street", zip: "00000" }
          ]
        }
      })
      assert.strictEqual(status, 200)
      for (const { candidates, property_id } of body.data.results) {
        assert.isNull(property_id)
        assert.strictEqual(candidates[0].property_id, ids.spare)
      }
      assert.strictEqual(body.data.results[0].candidates[0].score, 0.9)
    }))

  it.effect("400: names the row and the rule", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (
        const [json, field] of [
          [{}, "rows"],
          [{ rows: [] }, "rows"],
          [{ rows: Array.from({ length: 101 }, () => ({ apn: "1" })) }, "rows"],
          [{ rows: [{ apn: "1" }, { city: "Aldermoor" }] }, "rows.1"],
          [{ rows: [{ address: "1 Oak", zip: "7500" }] }, "rows.0.zip"],
          [{ rows: [{ address: "1 Oak", country: "US" }] }, "rows.0.country"]
        ] as const
      ) {
        const { body, status } = yield* call("POST", path, { headers, json })
        assert.deepStrictEqual([status, body.meta.issues[0].field], [400, field])
      }
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, {
        headers: bearer("placeless"),
        json: { rows: [{ apn: "1" }] }
      })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))
})
