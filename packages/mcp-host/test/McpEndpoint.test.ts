import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type EndpointResponse, McpEndpoint } from "../src/McpEndpoint.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const ping = bytes(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }))
const host = { host: "api.example.com" }

const Endpoint = McpEndpoint.layer({
  publicUrl: "https://api.example.com:8443",
  allowedOrigins: ["https://app.example.com", "http://localhost:5173/"],
  serverInfo: { name: "freehold", version: "0.0.0" }
}).pipe(Layer.provide(StubCatalogue.answers))

const send = Effect.fnUntraced(function*(
  { body = ping, headers = {}, method = "POST" }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string | undefined>>
    readonly body?: Uint8Array
  }
) {
  const endpoint = yield* McpEndpoint
  return yield* StubCatalogue.asCaller(endpoint.handle({ method, headers: { ...host, ...headers }, body }))
})

const told = ({ body }: EndpointResponse): ReturnType<typeof JSON.parse> =>
  JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined))

layer(Endpoint)("McpEndpoint", (it) => {
  it.effect("answers JSON that no cache keeps", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* send({}), {
        status: 200,
        headers: { "content-type": "application/json", "cache-control": "no-store" },
        body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
      })
    }))

  it.effect("accepts a notification with 202 and no body", () =>
    Effect.gen(function*() {
      const body = bytes(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))
      assert.deepStrictEqual(yield* send({ body }), { status: 202, headers: {}, body: null })
    }))

  it.effect("refuses a body that is nested too deep, or has too many values, before it is read", () =>
    Effect.gen(function*() {
      for (
        const [body, reason] of [
          [`${"[".repeat(33)} no JSON`, "The request body is nested more than 32 levels deep"],
          [`[${"1,".repeat(10_000)} no JSON`, "The request body holds more than 10000 keys and values"]
        ] as const
      ) {
        const answer = yield* send({ body: bytes(body) })
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(told(answer).error, { code: -32600, message: reason })
      }
    }))

  it.effect("tells no long text again that it does not know", () =>
    Effect.gen(function*() {
      const long = "x".repeat(100_000)
      for (
        const request of [
          { id: long, method: "ping" },
          { id: 1, method: long },
          { id: 1, method: "tools/call", params: { name: long } },
          {
            id: 1,
            method: "ping",
            params: {
              _meta: {
                "io.modelcontextprotocol/protocolVersion": long,
                "io.modelcontextprotocol/clientCapabilities": {}
              }
            }
          }
        ]
      ) {
        const headers = { "mcp-protocol-version": long, "mcp-method": request.method }
        const answer = yield* send({
          body: bytes(JSON.stringify({ jsonrpc: "2.0", ...request })),
          ...(request.params !== undefined && "_meta" in request.params ? { headers } : {})
        })
        assert.property(told(answer), "error")
        assert.isBelow(answer.body?.length ?? 0, 1000)
      }
    }))

  describe("refuses", () => {
    it.effect.each([
      { what: "GET", request: { method: "GET" }, status: 405 },
      { what: "DELETE", request: { method: "DELETE" }, status: 405 },
      {
        what: "an Accept of text/event-stream alone",
        request: { headers: { accept: "text/event-stream" } },
        status: 406
      },
      {
        what: "an Accept that excludes JSON",
        request: { headers: { accept: "text/html, application/json;q=0" } },
        status: 406
      },
      { what: "another content type", request: { headers: { "content-type": "text/plain" } }, status: 415 },
      { what: "an unknown origin", request: { headers: { origin: "https://evil.example" } }, status: 403 },
      { what: "the origin null", request: { headers: { origin: "null" } }, status: 403 },
      {
        what: "an allowed host on another port as origin",
        request: { headers: { origin: "http://localhost:1" } },
        status: 403
      },
      { what: "another host name", request: { headers: { host: "rebound.example:8443" } }, status: 403 },
      { what: "no host name", request: { headers: { host: undefined } }, status: 403 },
      { what: "a host name that is none", request: { headers: { host: "a b" } }, status: 403 },
      {
        what: "an unknown origin before the method",
        request: { method: "GET", headers: { origin: "null" } },
        status: 403
      }
    ])("$what with $status in the failure envelope", ({ request, status }) =>
      Effect.gen(function*() {
        const response = yield* send(request)
        assert.strictEqual(response.status, status)
        const { error, success } = told(response)
        assert.isFalse(success)
        assert.isString(error)
        assert.strictEqual(response.headers["allow"], status === 405 ? "POST" : undefined)
      }))
  })

  describe("lets pass", () => {
    it.effect.each([
      { accept: undefined },
      { accept: "application/json, text/event-stream" },
      { accept: "application/*;q=0.5" },
      { accept: "text/html, */*;q=0.1" }
    ])("Accept: $accept", ({ accept }) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send({ headers: { accept } })).status, 200)
      }))

    it.effect.each([
      { name: "localhost:8080" },
      { name: "127.0.0.1:8080" },
      { name: "[::1]:8080" },
      { name: "API.example.com" }
    ])("Host: $name", ({ name }) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send({ headers: { host: name } })).status, 200)
      }))

    it.effect.each([{ type: "application/json; charset=utf-8" }, { type: undefined }])(
      "Content-Type: $type",
      ({ type }) =>
        Effect.gen(function*() {
          assert.strictEqual((yield* send({ headers: { "content-type": type } })).status, 200)
        })
    )
  })

  describe("answers a parse error", () => {
    it.effect.each([
      { what: "an empty body", body: bytes("") },
      { what: "half a document", body: bytes("{\"jsonrpc\":") },
      { what: "bytes that are not UTF-8", body: Uint8Array.of(0x22, 0xff, 0x22) }
    ])("for $what", ({ body }) =>
      Effect.gen(function*() {
        const response = yield* send({ body })
        assert.strictEqual(response.status, 400)
        assert.deepStrictEqual(told(response), {
          jsonrpc: "2.0",
          id: null,
          error: { code: -32700, message: "Parse error" }
        })
      }))
  })

  it.effect("answers a batch with -32600, without running any of it", () =>
    Effect.gen(function*() {
      const response = yield* send({ body: bytes(`[${new TextDecoder().decode(ping)}]`) })
      assert.strictEqual(response.status, 400)
      assert.strictEqual(told(response).error.code, -32600)
    }))

  it.effect("tells a browser of an allowed origin that it may read the answer, whatever the answer is", () =>
    Effect.gen(function*() {
      const headers = { origin: "http://localhost:5173" }
      for (const request of [{ headers }, { headers, method: "GET" }]) {
        const response = yield* send(request)
        assert.deepInclude(response.headers, {
          "access-control-allow-origin": "http://localhost:5173",
          vary: "Origin"
        })
      }
    }))

  it.effect("answers OPTIONS of an allowed origin with 204 and of others with 403", () =>
    Effect.gen(function*() {
      const endpoint = yield* McpEndpoint
      const allowed = endpoint.preflight({ ...host, origin: "https://app.example.com" })
      assert.strictEqual(allowed.status, 204)
      assert.isNull(allowed.body)
      assert.deepInclude(allowed.headers, {
        "access-control-allow-origin": "https://app.example.com",
        "access-control-allow-methods": "POST"
      })
      assert.include(allowed.headers["access-control-allow-headers"], "mcp-method")
      assert.strictEqual(endpoint.preflight({ ...host, origin: "null" }).status, 403)
      assert.strictEqual(endpoint.preflight({ host: "rebound.example", origin: "https://app.example.com" }).status, 403)
    }))
})
