import { assert, describe, it, layer } from "@effect/vitest"
import { RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Effect } from "effect"
import * as Envelope from "../src/Envelope.ts"
import { apiRoot, routes } from "../src/Routes.ts"
import { bearer, ids, layer as host, TestHost } from "./TestHost.ts"

const urls = routes.map(({ method, operation, path }) => ({
  method,
  operation,
  url: `${apiRoot}${path.replace(":id", ids.locked)}`
}))

layer(host, { excludeTestServices: true })("Admission over HTTP", (it) => {
  for (const { method, url } of urls) {
    it.effect(`401: ${method} ${url} without a valid key learns nothing but that, whatever else is wrong`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const sent = method === "POST"
          ? { body: "{ broken", headers: { "content-type": "text/plain" } }
          : { headers: {} }
        for (
          const authorization of [
            undefined,
            "",
            "Bearer",
            "Bearer fhk_short",
            `Basic ${bearer("rich").authorization.slice(7)}`,
            `Bearer fhk_${"x".repeat(43)}`,
            bearer("revoked").authorization
          ]
        ) {
          const { body, headers, status } = yield* call(method, `${url}?unknown=1`, {
            ...sent,
            headers: { ...sent.headers, ...(authorization === undefined ? {} : { authorization }) }
          })
          assert.strictEqual(status, 401, authorization)
          assert.deepStrictEqual(Object.keys(body), ["success", "error"])
          assert.strictEqual(headers.get("www-authenticate"), "Bearer")
        }
      }))
  }

  it.effect("the scheme's case does not matter", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const authorization = bearer("bare").authorization.replace("Bearer", "bEARER")
      const { status } = yield* call("GET", "/v1/me", { headers: { authorization } })
      assert.strictEqual(status, 200)
    }))

  for (const { method, operation, url } of urls.filter(({ operation }) => operation.access.scope !== null)) {
    it.effect(`403: ${method} ${url} needs ${operation.access.scope}, before its input is looked at`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body, status } = yield* call(method, `${url}?unknown=1`, { headers: bearer("bare") })
        assert.strictEqual(status, 403)
        assert.strictEqual(body.code, "SCOPE_NOT_GRANTED")
        assert.strictEqual(body.meta.code, "SCOPE_NOT_GRANTED")
        assert.strictEqual(body.meta.scope, operation.access.scope)
      }))
  }

  for (const { method, url } of urls.filter(({ operation }) => operation.access.plan === "enterprise")) {
    it.effect(`403: ${method} ${url} needs the enterprise plan`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body, status } = yield* call(method, url, { headers: bearer("team") })
        assert.deepStrictEqual([status, body.code, body.minimumTier], [403, "UPGRADE_REQUIRED", "enterprise"])
      }))
  }

  it.effect("403: suspended and closed organizations, GET /me included", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const suspended = yield* call("GET", "/v1/me", { headers: bearer("suspended") })
      const closed = yield* call("GET", "/v1/me", { headers: bearer("closed") })
      assert.deepStrictEqual([suspended.status, closed.status], [403, 403])
      assert.deepStrictEqual([suspended.body.code, suspended.body.meta], ["ORG_SUSPENDED", { code: "ORG_SUSPENDED" }])
      assert.deepStrictEqual([closed.body.code, closed.body.meta], ["ACCOUNT_CLOSED", { code: "ACCOUNT_CLOSED" }])
    }))

  it.effect("429: past the key's minute, with the headers and the limit; refused and failed requests count alike (R4)", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("GET", `/v1/properties/${ids.nowhere}`, { headers: bearer("slow") })
      const second = yield* call("GET", "/v1/me?unknown=1", { headers: bearer("slow") })
      const third = yield* call("GET", "/v1/me", { headers: bearer("slow") })
      assert.deepStrictEqual([first.status, second.status, third.status], [404, 400, 429])
      assert.deepStrictEqual([first, second, third].map(({ headers }) => headers.get("x-ratelimit-remaining")), [
        "1",
        "0",
        "0"
      ])
      const { body, headers } = third
      assert.strictEqual(body.code, "rate_limited")
      assert.strictEqual(body.meta.code, "rate_limited")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("retry-after"), String(body.meta.retryAfterSeconds))
      assert.isTrue(body.meta.retryAfterSeconds >= 1 && body.meta.retryAfterSeconds <= 60)
      const { resets_at, ...limit } = body.meta.limit
      assert.deepStrictEqual(limit, { name: "requests_per_minute", level: 1, value: 2, used: 2 })
      assert.strictEqual(headers.get("x-ratelimit-limit"), "2")
      assert.strictEqual(Number(headers.get("x-ratelimit-reset")), Math.ceil(Date.parse(resets_at) / 1000))
    }))

  it.effect("429: past the organization's day", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("GET", "/v1/me", { headers: bearer("daily") })
      const second = yield* call("GET", "/v1/me", { headers: bearer("daily") })
      assert.deepStrictEqual([first.status, second.status], [200, 429])
      assert.strictEqual(second.body.code, "DAILY_REQUEST_LIMIT_EXCEEDED")
      assert.strictEqual(second.body.meta.limit.name, "requests_per_day")
      assert.strictEqual(second.headers.get("retry-after"), String(second.body.meta.retryAfterSeconds))
    }))
})

layer(host, { excludeTestServices: true })("Requests of one address", (it) => {
  it.effect("429: the 1,001st of a minute, known route or not, before any key (R6)", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const statuses = yield* Effect.forEach(
        Array.from({ length: 1000 }),
        (_, index) => Effect.map(call("GET", index % 2 === 0 ? "/v1/me" : "/v1/nothing"), ({ status }) => status),
        { concurrency: 16 }
      )
      assert.deepStrictEqual(new Set(statuses), new Set([401, 404]))
      for (
        const [method, path] of [["GET", "/v1/me"], ["GET", "/v1/nothing"], ["PUT", "/v1/me"], [
          "OPTIONS",
          "/v1/me"
        ]] as const
      ) {
        const { body, headers, status } = yield* call(method, path, { headers: bearer("rich") })
        assert.strictEqual(status, 429, `${method} ${path}`)
        assert.strictEqual(body.code, "rate_limited")
        assert.strictEqual(body.meta.limit.name, "requests_per_minute_ip")
        assert.isNotNull(headers.get("retry-after"))
      }
      const { status } = yield* call("GET", "/healthz")
      assert.strictEqual(status, 200)
    }))
})

describe("A limiter that cannot count", () => {
  it("503 with the code in both places and the time to wait", () => {
    const response = Envelope.refusal(new RateLimitUnavailable({ retryAfterSeconds: 1 }))
    assert.strictEqual(response.status, 503)
    assert.strictEqual(response.headers["retry-after"], "1")
  })
})
