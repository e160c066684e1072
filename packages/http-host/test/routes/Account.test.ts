import { assert, layer } from "@effect/vitest"
import { GetAccount } from "@freehold/core/account/AccountOperations"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

layer(host, { excludeTestServices: true })("GET /v1/account", (it) => {
  it.effect("200: answers credits, allowance, areas and tier", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/account", { headers: bearer("poor") })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data.credit_balance, {
        total: 0,
        included: 0,
        purchased: 0,
        trial: 0,
        enterprise_pool: 0
      })
      assert.deepStrictEqual(body.data.serviceable_area.county_fips, ["48113", "48085", "48121"])
    }))

  it.effect("403: needs its scope", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/account", { headers: bearer("bare") })
      assert.strictEqual(status, 403)
      assert.strictEqual(body.code, "SCOPE_NOT_GRANTED")
      assert.deepStrictEqual(body.meta, { code: "SCOPE_NOT_GRANTED", scope: "account:read" })
    }))

  it.effect("503: says when to come back while the database is away", () =>
    Effect.gen(function*() {
      const { answering, call } = yield* TestHost
      yield* answering(GetAccount.name, () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 2 })))
      const { body, headers, status } = yield* call("GET", "/v1/account", { headers: bearer("rich") })
      assert.strictEqual(status, 503)
      assert.strictEqual(headers.get("retry-after"), "2")
      assert.deepStrictEqual(body.meta, { code: "TEMPORARILY_UNAVAILABLE", retryAfterSeconds: 2 })
      assert.isUndefined(body.code)
    }))
})
