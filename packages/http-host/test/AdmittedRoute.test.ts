import { assert, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Effect, Layer } from "effect"
import * as AdmittedRoute from "../src/AdmittedRoute.ts"
import * as RestHost from "../src/RestHost.ts"
import { bearer, layerWith, TestHost } from "./TestHost.ts"

const text = new TextDecoder()

/** Answers what it was given; refuses a GET as the MCP endpoint does. */
const echo = AdmittedRoute.layer({
  path: "/v1/mcp",
  access: { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" },
  challenge: () => "Bearer scope=\"mcp\"",
  answerHeaders: ({ origin = "nowhere" }) => ({ "x-answered": origin }),
  advise: ({ _tag }, lack) => _tag === "UNAUTHENTICATED" ? undefined : { made: "up", lack },
  preflight: ({ origin = "nowhere" }) => ({ status: 204, headers: { "x-origin": origin }, body: null }),
  handle: ({ body, headers, method }) =>
    Effect.gen(function*() {
      const { organization } = yield* Caller
      return method === "GET"
        ? { status: 405, headers: { allow: "POST" }, body: null }
        : {
          status: 202,
          headers: { "content-type": "application/json", "x-made-up": "yes" },
          body: JSON.stringify({ org: organization.org_id, body: text.decode(body), headers })
        }
    })
})

const host = layerWith(Layer.merge(RestHost.layer, echo))

layer(host, { excludeTestServices: true })("A foreign endpoint behind admission", (it) => {
  it.effect("is given the caller, the raw body and the headers without the key", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, headers, status } = yield* call("POST", "/v1/mcp", {
        headers: { ...bearer("rich"), "mcp-method": "tools/list" },
        body: "{ broken"
      })
      assert.strictEqual(status, 202)
      assert.strictEqual(body.org, "org_rich")
      assert.strictEqual(body.body, "{ broken")
      assert.strictEqual(body.headers["mcp-method"], "tools/list")
      assert.notProperty(body.headers, "authorization")
      assert.strictEqual(headers.get("x-made-up"), "yes")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.isNotNull(headers.get("service-request-id"))
      assert.isNotNull(headers.get("x-ratelimit-remaining"))
    }))

  it.effect("401 comes before 405, with REST's body and the endpoint's challenge", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const keyless = yield* call("GET", "/v1/mcp")
      const rest = yield* call("GET", "/v1/me")
      const keyed = yield* call("GET", "/v1/mcp", { headers: bearer("rich") })
      assert.deepStrictEqual([keyless.status, keyed.status, keyed.headers.get("allow")], [401, 405, "POST"])
      assert.deepStrictEqual(keyless.body, rest.body)
      assert.strictEqual(keyless.headers.get("www-authenticate"), "Bearer scope=\"mcp\"")
      assert.deepStrictEqual([keyless, keyed].map(({ headers }) => headers.get("x-answered")), ["nowhere", "nowhere"])
    }))

  it.effect("403: needs its scope and plan", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const bare = yield* call("POST", "/v1/mcp", { headers: bearer("bare"), body: "{}" })
      const team = yield* call("POST", "/v1/mcp", { headers: bearer("team"), body: "{}" })
      assert.deepStrictEqual([bare.status, bare.body.code], [403, "SCOPE_NOT_GRANTED"])
      assert.deepStrictEqual([team.status, team.body.code], [403, "UPGRADE_REQUIRED"])
    }))

  it.effect("has REST's body, with what to do next in its meta", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body } = yield* call("POST", "/v1/mcp", { headers: bearer("team"), body: "{}" })
      const rest = yield* call("GET", `/v1/properties/${"0".repeat(8)}-0000-4000-8000-000000000001/detail`, {
        headers: bearer("team")
      })
      assert.deepStrictEqual(body, {
        ...rest.body,
        meta: { ...rest.body.meta, next: { made: "up", lack: null } }
      })
      const bare = yield* call("POST", "/v1/mcp", { headers: bearer("bare"), body: "{}" })
      assert.deepStrictEqual(bare.body.meta, {
        code: "SCOPE_NOT_GRANTED",
        scope: "mcp",
        next: { made: "up", lack: null }
      })
    }))

  it.effect("413: a body above 1 MiB does not reach it, and without a key is 401", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const body = " ".repeat(1_048_577)
      const keyed = yield* call("POST", "/v1/mcp", { headers: bearer("rich"), body })
      const keyless = yield* call("POST", "/v1/mcp", { body })
      assert.deepStrictEqual([keyed.status, keyless.status], [413, 401])
    }))

  it.effect("OPTIONS is the endpoint's own, without a key", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers, status } = yield* call("OPTIONS", "/v1/mcp", { headers: { origin: "https://app.example" } })
      assert.deepStrictEqual([status, headers.get("x-origin")], [204, "https://app.example"])
    }))

  it.effect("REST beside it goes on", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { status } = yield* call("GET", "/v1/me", { headers: bearer("rich") })
      assert.strictEqual(status, 200)
    }))
})
