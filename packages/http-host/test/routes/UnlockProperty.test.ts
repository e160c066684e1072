import { assert, layer } from "@effect/vitest"
import { ActionInProgress } from "@freehold/core/credit/CreditRefusals"
import { UnlockProperty } from "@freehold/core/property/PropertyOperations"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = (id: string) => `/v1/properties/${id}/unlock`
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/properties/{id}/unlock", (it) => {
  it.effect("200: charges once, and repeating is free", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("POST", path(ids.spare), { headers })
      const again = yield* call("POST", path(ids.spare), { headers, json: {} })
      assert.deepStrictEqual([first.status, again.status], [200, 200])
      assert.deepStrictEqual(first.body, { success: true, data: { alreadyRevealed: false, creditsCharged: 10 } })
      assert.deepStrictEqual(again.body, { success: true, data: { alreadyRevealed: true, creditsCharged: 0 } })
    }))

  it.effect("400: takes no arguments, not even an assistant's maxCredits", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path(ids.locked), { headers, json: { maxCredits: 10 } })
      const inQuery = yield* call("POST", `${path(ids.locked)}?maxCredits=10`, { headers })
      assert.deepStrictEqual([status, inQuery.status], [400, 400])
      assert.deepStrictEqual(body.meta.issues, [{ field: "maxCredits", message: "Unknown key" }])
    }))

  it.effect("402: too few credits gives the numbers, with the code in both places", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path(ids.locked), { headers: bearer("poor") })
      assert.strictEqual(status, 402)
      assert.strictEqual(body.code, "INSUFFICIENT_CREDITS")
      assert.deepStrictEqual(body.meta, { code: "INSUFFICIENT_CREDITS", required: 10, available: 0 })
    }))

  it.effect("402: a failed payment and dormant credits", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const unpaid = yield* call("POST", path(ids.locked), { headers: bearer("unpaid") })
      const dormant = yield* call("POST", path(ids.locked), { headers: bearer("dormant") })
      assert.deepStrictEqual([unpaid.status, dormant.status], [402, 402])
      assert.deepStrictEqual([unpaid.body.code, unpaid.body.meta], ["PAYMENT_FAILED", { code: "PAYMENT_FAILED" }])
      assert.deepStrictEqual([dormant.body.code, dormant.body.meta], ["CREDITS_DORMANT", { code: "CREDITS_DORMANT" }])
    }))

  it.effect("403 and 404: outside, and no such property", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const outside = yield* call("POST", path(ids.outside), { headers })
      const nowhere = yield* call("POST", path(ids.nowhere), { headers })
      assert.deepStrictEqual([outside.status, outside.body.meta.code], [403, "OUT_OF_TERRITORY"])
      assert.deepStrictEqual([nowhere.status, nowhere.body.meta.code], [404, "NOT_FOUND"])
    }))

  it.effect("409: not researched, and merged", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const unresearched = yield* call("POST", path(ids.unresearched), { headers })
      const retired = yield* call("POST", path(ids.retired), { headers })
      assert.deepStrictEqual([unresearched.status, unresearched.body.meta.code], [409, "NOT_RESEARCHED"])
      assert.deepStrictEqual([retired.status, retired.body.meta.code], [409, "PROPERTY_RETIRED"])
    }))

  it.effect("409: while another call unlocks it, with the time to wait", () =>
    Effect.gen(function*() {
      const { answering, call } = yield* TestHost
      yield* answering(UnlockProperty.name, () => Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 })))
      const { body, headers: answered, status } = yield* call("POST", path(ids.locked), { headers })
      assert.strictEqual(status, 409)
      assert.strictEqual(answered.get("retry-after"), "1")
      assert.strictEqual(body.meta.code, "ACTION_IN_PROGRESS")
    }))
})
