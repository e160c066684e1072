import { assert, layer } from "@effect/vitest"
import { ComplianceCheckUnavailable } from "@freehold/core/coverage/CoverageRefusals"
import { GetLeadBundle } from "@freehold/core/lead/LeadOperations"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/leads/{id}", (it) => {
  it.effect("200: the bundle in data, the bill in meta, a new delivery id each time", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("GET", `/v1/leads/${ids.unlocked}`, { headers })
      const second = yield* call("GET", `/v1/leads/${ids.unlocked.toUpperCase()}`, { headers })
      assert.deepStrictEqual([first.status, second.status], [200, 200])
      assert.deepStrictEqual(Object.keys(first.body.data), ["bundle"])
      assert.strictEqual(first.body.data.bundle.service_property_id, ids.unlocked)
      assert.deepStrictEqual(first.body.meta, { billed_via: "credit", credits_charged: 1 })
      const [one, two] = [first, second].map((answer) => answer.headers.get("service-delivery-id"))
      assert.match(one ?? "", /^[0-9a-f-]{36}$/)
      assert.notStrictEqual(one, two)
    }))

  it.effect("400: an id that is no UUID, named as the path names it", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/leads/48113-0002", { headers })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error, "id: Expected a UUID")
      assert.deepStrictEqual(body.meta, { issues: [{ field: "id", message: "Expected a UUID" }] })
    }))

  it.effect("402: past the free exports without a credit, with the code at the top", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/leads/${ids.covered}`, { headers: bearer("poor") })
      assert.strictEqual(status, 402)
      assert.strictEqual(body.code, "INSUFFICIENT_CREDITS")
      assert.strictEqual(body.error, "This costs 1 credit, and you have 0 credits; nothing was charged.")
      assert.deepStrictEqual(body.meta, { code: "INSUFFICIENT_CREDITS", required: 1, available: 0 })
    }))

  it.effect("403: outside the area, and neither unlocked nor covered", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const outside = yield* call("GET", `/v1/leads/${ids.outside}`, { headers })
      const locked = yield* call("GET", `/v1/leads/${ids.locked}`, { headers })
      assert.deepStrictEqual([outside.status, locked.status], [403, 403])
      assert.strictEqual(outside.body.meta.code, "OUT_OF_TERRITORY")
      assert.deepStrictEqual(locked.body.meta, { code: "NOT_ENTITLED" })
    }))

  it.effect("404: has no code here", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/leads/${ids.nowhere}`, { headers })
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body, { success: false, error: "No such property." })
    }))

  it.effect("405: HEAD, since every answer of it is billed", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { status } = yield* call("HEAD", `/v1/leads/${ids.unlocked}`, { headers })
      assert.strictEqual(status, 405)
    }))

  it.effect("409: a merged property", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/leads/${ids.retired}`, { headers })
      assert.deepStrictEqual([status, body.meta.code], [409, "PROPERTY_RETIRED"])
    }))

  it.effect("503: when nobody can say who asked not to be listed", () =>
    Effect.gen(function*() {
      const { answering, call } = yield* TestHost
      yield* answering(
        GetLeadBundle.name,
        () => Effect.fail(new ComplianceCheckUnavailable({ retryAfterSeconds: 3 }))
      )
      const { body, headers: answered, status } = yield* call("GET", `/v1/leads/${ids.unlocked}`, { headers })
      assert.deepStrictEqual([status, body.meta.code], [503, "COMPLIANCE_CHECK_UNAVAILABLE"])
      assert.strictEqual(answered.get("retry-after"), "3")
    }))
})
