/** REST for pages of browsers: the origins that the operator allows, and nobody else. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AllowedOrigins } from "../src/Cors.ts"
import * as RestHost from "../src/RestHost.ts"
import { bearer, ids, layerWith, TestHost } from "./TestHost.ts"

const origin = "https://app.example"

const named = (headers: Headers, prefix: string) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith(prefix)))

const call = (method: string, path: string, headers: Record<string, string>) =>
  TestHost.use((host) => host.call(method, path, { headers }))

const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }

layer(
  layerWith(RestHost.layer).pipe(
    Layer.provide(Layer.succeed(AllowedOrigins, ["https://other.example:8443", origin]))
  ),
  { excludeTestServices: true }
)("a page of an allowed origin", (it) => {
  it.effect("may read answers and refusals, with what they tell in headers, and never with credentials", () =>
    Effect.gen(function*() {
      for (
        const [path, headers, status] of [
          ["/v1/me", bearer("rich"), 200],
          ["/v1/me", {}, 401],
          ["/v1/nowhere", bearer("rich"), 404]
        ] as const
      ) {
        const answer = yield* call("GET", path, { ...headers, origin })
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), origin)
        assert.isFalse(answer.headers.has("access-control-allow-credentials"))
        assert.strictEqual(answer.headers.get("vary"), "Origin")
        const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase().split(", ") ?? []
        for (const name of ["retry-after", "x-ratelimit-remaining", "service-request-id", "link"]) {
          assert.include(exposed, name)
        }
        const told = [...answer.headers.keys()].filter((name) => /^(service|x-ratelimit)-/.test(name))
        assert.deepStrictEqual(told.filter((name) => !exposed.includes(name)), [])
      }
    }))

  it.effect("is told by a preflight, without a key, which methods and headers it may send", () =>
    Effect.gen(function*() {
      const { headers, status } = yield* call("OPTIONS", `/v1/properties/${ids.locked}/unlock`, { origin, ...asked })
      assert.strictEqual(status, 204)
      assert.deepInclude(named(headers, "access-control-"), {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "POST, OPTIONS",
        "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key",
        "access-control-max-age": "600"
      })
    }))

  it.effect("is not one of another origin, port, scheme or spelling: those get no header", () =>
    Effect.gen(function*() {
      for (const other of ["https://evil.example", `${origin}:8443`, "http://app.example", `${origin}.evil`, "null"]) {
        for (const method of ["GET", "OPTIONS"]) {
          const { headers } = yield* call(method, "/v1/me", { ...bearer("rich"), origin: other, ...asked })
          assert.deepStrictEqual(named(headers, "access-control-"), {}, `${method} ${other}`)
        }
      }
    }))
})

layer(layerWith(RestHost.layer), { excludeTestServices: true })("without allowed origins", (it) => {
  it.effect("nobody gets a header", () =>
    Effect.gen(function*() {
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = yield* call(method, "/v1/me", { ...bearer("rich"), origin, ...asked })
        assert.deepStrictEqual({ ...named(headers, "access-control-"), ...named(headers, "vary") }, {})
      }
    }))
})
