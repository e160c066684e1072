import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

layer(host, { excludeTestServices: true })("GET /v1/me", (it) => {
  it.effect("200: answers the key's identity, whatever its scopes", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, headers, status } = yield* call("GET", "/v1/me", { headers: bearer("bare") })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        success: true,
        data: { org_id: "org_rich", credential_id: "key_bare", scopes: [], label: "bare fhk_bare0000" }
      })
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.match(headers.get("service-request-id") ?? "", /^[0-9a-f-]{36}$/)
    }))

  it.effect("200: tells the state of the key's window", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers } = yield* call("GET", "/v1/me", { headers: bearer("team") })
      assert.strictEqual(headers.get("x-ratelimit-limit"), "100000")
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "99999")
      const inSeconds = Number(headers.get("x-ratelimit-reset")) - (yield* Clock.currentTimeMillis) / 1000
      assert.isTrue(inSeconds > 0 && inSeconds <= 61)
    }))

  it.effect("200: HEAD answers the same headers without the body", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const get = yield* call("GET", "/v1/me", { headers: bearer("bare") })
      const head = yield* call("HEAD", "/v1/me", { headers: bearer("bare") })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual(head.headers.get("content-length"), get.headers.get("content-length"))
    }))

  it.effect("400: refuses a parameter", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/me?verbose=true", { headers: bearer("bare") })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta, { issues: [{ field: "verbose", message: "Unknown key" }] })
      assert.isUndefined(body.code)
    }))
})
