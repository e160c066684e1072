import { assert, layer } from "@effect/vitest"
import { ChangedInFlight } from "@freehold/core/pipeline/PipelineRefusals"
import { Effect } from "effect"
import { bearer, ids, keys, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("external")

const writeBack = (id: string, json: unknown, as = headers) =>
  TestHost.use(({ call }) => call("POST", `/v1/leads/${id}/status`, { headers: as, json }))

layer(host, { excludeTestServices: true })("POST /v1/leads/{id}/status", (it) => {
  it.effect("200: the outcome; the same again leaves stage and time, and applies the customer status", () =>
    Effect.gen(function*() {
      const won = yield* writeBack(ids.locked, { status: "won" })
      assert.strictEqual(won.status, 200)
      const { status_changed_at, ...first } = won.body.data
      assert.deepStrictEqual(first, {
        property_id: ids.locked,
        status: "won",
        is_current_customer: false,
        customer_account_status: null
      })
      const again = yield* writeBack(ids.locked.toUpperCase(), { status: "won", customer_status: "active" })
      assert.deepStrictEqual(again.body.data, {
        ...first,
        status_changed_at,
        is_current_customer: true,
        customer_account_status: "active"
      })
      const lost = yield* writeBack(ids.locked, { status: "lost", customer_status: "churned" })
      assert.deepInclude(lost.body.data, {
        status: "lost",
        is_current_customer: false,
        customer_account_status: "churned"
      })
      assert.notStrictEqual(lost.body.data.status_changed_at, status_changed_at)
      assert.deepInclude((yield* writeBack(ids.locked, { status: "won" })).body.data, {
        status: "won",
        customer_account_status: "churned"
      })
    }))

  it.effect("200: from any stage of the pipeline, disqualified too", () =>
    Effect.gen(function*() {
      const { body, status } = yield* writeBack(ids.spare, { status: "won" })
      assert.deepStrictEqual([status, body.data.status], [200, "won"])
    }))

  it.effect("400: an id that is no UUID, a key, and a body that is no JSON object", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const id of ["48113", encodeURIComponent(keys.locked)]) {
        const { body, status } = yield* writeBack(id, { status: "maybe" })
        assert.deepStrictEqual([status, body.code, body.meta.issues[0].field], [400, undefined, "id"])
      }
      const path = `/v1/leads/${ids.locked}/status`
      const typed = { ...headers, "content-type": "application/json" }
      assert.strictEqual((yield* call("POST", path, { headers: typed, body: "{" })).status, 400)
      assert.strictEqual((yield* call("POST", path, { headers: typed, body: "[]" })).status, 400)
      assert.strictEqual((yield* call("POST", `${path}?dry=1`, { headers, json: { status: "won" } })).status, 400)
    }))

  it.effect("403: outside the area, and a key without the scope", () =>
    Effect.gen(function*() {
      const outside = yield* writeBack(ids.outside, { status: "won" })
      assert.deepStrictEqual([outside.status, outside.body.meta.code], [403, "OUT_OF_TERRITORY"])
      const bare = yield* writeBack(ids.locked, { status: "won" }, bearer("bare"))
      assert.deepStrictEqual([bare.status, bare.body.code], [403, "SCOPE_NOT_GRANTED"])
    }))

  it.effect("404: no such property, without a code; and one that never was in the pipeline", () =>
    Effect.gen(function*() {
      const nowhere = yield* writeBack(ids.nowhere, { status: "won" })
      assert.deepStrictEqual([nowhere.status, nowhere.body], [404, { success: false, error: "No such property." }])
      const { body, status } = yield* writeBack(ids.covered, { status: "won" })
      assert.deepStrictEqual([status, body.meta], [404, { code: "NO_PIPELINE_RECORD" }])
    }))

  it.effect("409: a merged property, and stages that are managed in the service, asked before the record", () =>
    Effect.gen(function*() {
      const retired = yield* writeBack(ids.retired, { status: "won" })
      assert.deepStrictEqual([retired.status, retired.body.meta.code], [409, "PROPERTY_RETIRED"])
      const { body, status } = yield* writeBack(ids.covered, { status: "won" }, bearer("rich"))
      assert.deepStrictEqual([status, body.meta], [409, { code: "CRM_MODE_NOT_EXTERNAL" }])
    }))

  it.effect("409: CHANGED_IN_FLIGHT when somebody else changed the lead meanwhile", () =>
    Effect.gen(function*() {
      const { answering } = yield* TestHost
      yield* answering("service_write_back_status", () => Effect.fail(new ChangedInFlight()))
      const { body, status } = yield* writeBack(ids.locked, { status: "won" })
      assert.deepStrictEqual([status, body.meta], [409, { code: "CHANGED_IN_FLIGHT" }])
    }))

  it.effect("422: a value that is not supported, none at all, or an extra field", () =>
    Effect.gen(function*() {
      for (
        const [json, field] of [
          [{ status: "qualified" }, "status"],
          [{}, "status"],
          [{ status: "won", customer_status: "maybe" }, "customer_status"],
          [{ status: "won", deal_value: 5 }, "deal_value"],
          [{ status: "won", property_id: ids.locked }, "property_id"]
        ] as const
      ) {
        const { body, status } = yield* writeBack(ids.locked, json)
        assert.deepStrictEqual([status, body.code], [422, undefined])
        assert.strictEqual(body.meta.issues[0].field, field)
      }
    }))
})
