import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { gunzipSync } from "node:zlib"
import * as ReferencePage from "../../src/openapi/ReferencePage.ts"
import * as Pace from "../../src/Pace.ts"
import * as RestHost from "../../src/RestHost.ts"
import { layerWith, TestHost } from "../TestHost.ts"

const host = layerWith(
  Layer.merge(
    RestHost.layer,
    ReferencePage.layer({ origin: "https://freehold.example", tools: new Set(["service_get_property"]) })
  )
)

const document = "/v1/openapi.json"
const files = [document, "/docs", "/docs/reference.js", "/docs/reference.css", "/docs/swagger-ui-bundle.js"]

layer(host, { excludeTestServices: true })("The contract for readers", (it) => {
  it.effect("GET /v1/openapi.json: the document, for anybody, with the tools of its endpoints", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, headers, status } = yield* call("GET", document)
      assert.strictEqual(status, 200)
      assert.strictEqual(body.openapi, "3.1.1")
      assert.strictEqual(body.paths["/properties/{id}/detail"].get["x-mcp-tool"], "service_get_property")
      assert.notProperty(body.paths["/me"].get, "x-mcp-tool")
      assert.strictEqual(headers.get("cache-control"), "public, max-age=300")
    }))

  it.effect("304 to who has it already", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const etag = (yield* call("GET", document)).headers.get("etag") ?? ""
      assert.match(etag, /^W\/"[0-9a-f]{32}"$/)
      for (const known of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
        const { headers, status, text } = yield* call("GET", document, { headers: { "if-none-match": known } })
        assert.deepStrictEqual([status, text, headers.get("etag")], [304, "", etag], known)
      }
      assert.strictEqual((yield* call("GET", document, { headers: { "if-none-match": "\"other\"" } })).status, 200)
    }))

  it.effect("compressed for who takes gzip, and for nobody else", () =>
    Effect.gen(function*() {
      const { port } = yield* TestHost
      const get = (encoding: string) =>
        Effect.promise(async () => {
          const { request } = await import("node:http")
          return await new Promise<readonly [string | undefined, Buffer]>((resolve) => {
            request({ port, path: document, headers: { "accept-encoding": encoding } }, async (response) => {
              const chunks = []
              for await (const chunk of response) chunks.push(chunk)
              resolve([response.headers["content-encoding"], Buffer.concat(chunks)])
            }).end()
          })
        })
      const [plainEncoding, plain] = yield* get("gzip;q=0, identity")
      const [encoding, compressed] = yield* get("br, gzip")
      assert.isUndefined(plainEncoding)
      assert.strictEqual(encoding, "gzip")
      assert.isTrue(gunzipSync(compressed).equals(plain))
      assert.isBelow(compressed.length, plain.length / 4)
    }))

  it.effect("HEAD without the body, OPTIONS with the methods, 405 for another one", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const path of files) {
        const head = yield* call("HEAD", path)
        assert.deepStrictEqual([head.status, head.text], [200, ""], path)
        const options = yield* call("OPTIONS", path)
        assert.deepStrictEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, OPTIONS"], path)
        const post = yield* call("POST", path)
        assert.deepStrictEqual([post.status, post.body.success], [405, false], path)
      }
    }))

  it.effect("GET /docs: a page that calls /v1 alone, by whichever name of the server it was asked for", () =>
    Effect.gen(function*() {
      const { port } = yield* TestHost
      const { get } = yield* Effect.promise(() => import("node:http"))
      const connects = (host: string) =>
        Effect.promise(() =>
          new Promise<string | undefined>((resolve) =>
            get({ port, path: "/docs", headers: { host } }, (response) => {
              response.resume()
              resolve(/connect-src ([^;]*);/.exec(response.headers["content-security-policy"]?.toString() ?? "")?.[1])
            })
          )
        )
      const own = "https://freehold.example/v1/"
      assert.strictEqual(yield* connects("localhost:8080"), `${own} localhost:8080/v1/`)
      for (const host of ["*", "'self'", "a.example;script-src"]) assert.strictEqual(yield* connects(host), own, host)
      // What no host can be gets no page.
      for (const host of ["a.example; script-src *", "a.example b.example", "a.example/console"]) {
        assert.isUndefined(yield* connects(host), host)
      }
    }))

  it.effect("GET /docs: a page that loads its own files only", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { headers, text } = yield* call("GET", "/docs")
      assert.include(headers.get("content-security-policy"), "default-src 'none'")
      assert.notInclude(headers.get("content-security-policy"), "unsafe")
      const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url)
      assert.notInclude(text, "http")
      for (const url of loaded.filter((each) => each !== "data:,")) {
        const { status, text: content } = yield* call("GET", url)
        assert.strictEqual(status, 200, url)
        assert.isAbove(content.length, 100, url)
      }
    }))
})

const hurried = Layer.provide(
  host,
  Layer.effect(Pace.OfFiles, Effect.sync(() => Pace.make({ ...Pace.files, bytesPerSecond: 1, patience: 0 })))
)

layer(hurried, { excludeTestServices: true })("Files that go at their pace", (it) => {
  it.effect("503 once too many large ones were asked for; small ones and what somebody has already cost nothing", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const large = "/docs/swagger-ui-bundle.js"
      const first = yield* call("GET", large)
      assert.strictEqual(first.status, 200)
      const refused = yield* Effect.repeat(call("GET", large), { until: ({ status }) => status !== 200, times: 10 })
      assert.deepStrictEqual(
        [refused.status, refused.body.meta.reason, refused.headers.get("retry-after")],
        [503, "busy", "1"]
      )
      const known = { "if-none-match": first.headers.get("etag") ?? "" }
      assert.strictEqual((yield* call("GET", large, { headers: known })).status, 304)
      assert.strictEqual((yield* call("HEAD", large)).status, 200)
      assert.strictEqual((yield* call("GET", "/docs")).status, 200)
    }))
})
