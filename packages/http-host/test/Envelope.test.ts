import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "./TestHost.ts"

const headers = bearer("rich")
const search = "/v1/properties/search"
const json = { ...headers, "content-type": "application/json" }

const bytesOf = (...parts: ReadonlyArray<number>) => new Uint8Array(parts)

/** A body without a Content-Length: `chunks` times 64 KiB of spaces. */
const endless = (chunks: number) => {
  let left = chunks
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(new Uint8Array(65_536).fill(32))
    }
  })
}

layer(host, { excludeTestServices: true })("The envelope", (it) => {
  for (
    const [what, body] of [
      ["broken JSON", "{\"query\":"],
      ["an array", "[]"],
      ["a string", "\"query\""],
      ["null", "null"],
      ["a number", "1"],
      ["invalid UTF-8", bytesOf(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
      ["UTF-16", bytesOf(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
      ["JSON with comments", "{} // made up"]
    ] as const
  ) {
    it.effect(`400: a body that is ${what}`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const answer = yield* call("POST", search, { headers: json, body })
        assert.strictEqual(answer.status, 400)
        assert.isFalse(answer.body.success)
        assert.isString(answer.body.error)
        assert.lengthOf(answer.body.meta.issues, 1)
        assert.isNull(answer.body.meta.issues[0].field)
      }))
  }

  it.effect("400: nesting without end is a wrong type like any other", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
      const value = yield* call("POST", search, { headers: json, body: `{"query":${deep}}` })
      const whole = yield* call("POST", search, { headers: json, body: deep })
      assert.deepStrictEqual([value.status, whole.status], [400, 400])
    }))

  it.effect("400: text that no database can hold", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const body = yield* call("POST", search, { headers, json: { filters: { cities: ["fine", "a\0b"] } } })
      const path = yield* call("GET", "/v1/properties/a%00b", { headers })
      assert.deepStrictEqual([body.status, path.status], [400, 400])
      assert.strictEqual(body.body.meta.issues[0].field, "filters.cities.1")
      assert.strictEqual(path.body.meta.issues[0].field, "id")
    }))

  it.effect("a byte-order mark before the JSON is read over", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { status } = yield* call("POST", search, { headers: json, body: "\ufeff{\"query\":\"sample\"}" })
      assert.strictEqual(status, 200)
    }))

  it.effect("404: an unknown path needs no key to be unknown", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const path of ["/", "/v1", "/v2/me", "/v1/nothing", "/v1/me/", "/v1//me", "/V1/me"]) {
        const { body, headers: answered, status } = yield* call("GET", path)
        assert.strictEqual(status, 404, path)
        assert.deepStrictEqual(body, { success: false, error: "No such endpoint." })
        assert.strictEqual(answered.get("cache-control"), "no-store")
        assert.isNotEmpty(answered.get("service-request-id"))
      }
    }))

  it.effect("405: a wrong method names the right ones", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (
        const [method, path, allow] of [
          ["POST", "/v1/me", "GET, HEAD, OPTIONS"],
          ["PUT", `/v1/properties/${ids.locked}`, "GET, OPTIONS"],
          ["GET", search, "POST, OPTIONS"],
          ["GET", `/v1/properties/${ids.locked}/unlock`, "POST, OPTIONS"],
          ["GET", `/v1/webhooks/${ids.locked}`, "DELETE, OPTIONS"],
          ["PROPFIND", "/v1/webhooks", "GET, HEAD, POST, OPTIONS"]
        ] as const
      ) {
        const { body, headers: answered, status } = yield* call(method, path)
        assert.strictEqual(status, 405, `${method} ${path}`)
        assert.isFalse(body.success)
        assert.strictEqual(answered.get("allow"), allow)
      }
    }))

  it.effect("OPTIONS answers what is allowed", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers: answered, status, text } = yield* call("OPTIONS", "/v1/leads")
      assert.deepStrictEqual([status, text, answered.get("allow")], [204, "", "GET, HEAD, OPTIONS"])
    }))

  it.effect("413: a body that says it is above 1 MiB", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const fits = yield* call("POST", search, { headers: json, body: " ".repeat(1_048_576) })
      const above = yield* call("POST", search, { headers: json, body: " ".repeat(1_048_577) })
      assert.deepStrictEqual([fits.status, above.status], [400, 413])
      assert.isFalse(above.body.success)
    }))

  it.effect("413: a body that does not say so", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", search, { headers: json, body: endless(17) })
      assert.strictEqual(status, 413)
      assert.isFalse(body.success)
    }))

  it.effect("415: another content type, another charset, another encoding, or none", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const body = "{\"query\":\"sample\"}"
      for (
        const type of [
          { "content-type": "text/plain" },
          { "content-type": "application/x-www-form-urlencoded" },
          { "content-type": "application/jsonp" },
          { "content-type": "application/json; charset=iso-8859-1" },
          { "content-type": "application/json", "content-encoding": "gzip" },
          {}
        ]
      ) {
        const answer = yield* call("POST", search, {
          headers: { ...headers, ...type },
          body: new TextEncoder().encode(body)
        })
        assert.strictEqual(answer.status, 415, JSON.stringify(type))
        assert.isFalse(answer.body.success)
      }
      const utf8 = yield* call("POST", search, {
        headers: { ...headers, "content-type": "Application/JSON; Charset=\"UTF-8\"" },
        body
      })
      assert.strictEqual(utf8.status, 200)
    }))

  it.effect("without a body the content type does not matter", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { status } = yield* call("POST", `/v1/properties/${ids.unlocked}/unlock`, {
        headers: { ...headers, "content-type": "text/plain" },
        body: ""
      })
      assert.strictEqual(status, 200)
    }))

  it.effect("GET /healthz answers without a key", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/healthz")
      assert.deepStrictEqual([status, body], [200, { success: true, data: { status: "ok" } }])
    }))

  it.effect("every request has an id of its own and a line in the log, without secrets or query", () =>
    Effect.gen(function*() {
      const { call, logged } = yield* TestHost
      const first = yield* call("GET", "/v1/leads?cursor=made-up-cursor", { headers: bearer("team") })
      const second = yield* call("GET", "/v1/leads", { headers: bearer("team") })
      const id = first.headers.get("service-request-id") ?? "none"
      assert.notStrictEqual(id, second.headers.get("service-request-id"))
      const lines = logged.filter((line) => line.includes(id))
      assert.lengthOf(lines, 1)
      for (
        const fact of ["method=GET", "route=/v1/leads", "status=400", "ms=", "org_id=org_team", "key=key_team"]
      ) {
        assert.include(lines[0], fact)
      }
      assert.notInclude(logged.join("\n"), bearer("team").authorization.slice(7))
      assert.notInclude(logged.join("\n"), "made-up-cursor")
    }))
})
