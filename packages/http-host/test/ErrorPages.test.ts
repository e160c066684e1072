/** The page of each code, and the refusals that lead there. */
import { assert, layer } from "@effect/vitest"
import { Effect, Record } from "effect"
import { explanations, pathOf } from "../src/errors/ErrorTable.ts"
import { bearer, ids, layer as host, TestHost } from "./TestHost.ts"

const helpOf = (headers: Headers) => /^<([^>]+)>; rel="help"$/.exec(headers.get("link") ?? "")?.[1] ?? "none"

layer(host, { excludeTestServices: true })("The pages of codes", (it) => {
  it.effect("are one for each code, with cause and remedy, for anybody, and an index leads to each", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const index = yield* call("GET", "/docs/errors")
      assert.strictEqual(index.status, 200)
      for (const code of Record.keys(explanations)) {
        const { headers, status, text } = yield* call("GET", pathOf(code))
        assert.strictEqual(status, 200, code)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(text, `<h1>${code}</h1>`)
        assert.include(text, "color-scheme: light dark")
        assert.include(text, `href="data:,"`)
        assert.include(headers.get("content-security-policy"), "img-src data:")
        assert.match(text, /<h2>Cause<\/h2>\n<p>.+<\/p>\n<h2>Remedy<\/h2>\n<p>.+<\/p>/)
        assert.include(index.text, `<a href="${pathOf(code)}">${code}</a>`)
      }
      assert.strictEqual((yield* call("GET", "/docs/errors/MADE_UP")).status, 404)
    }))

  it.effect("are linked by each refusal, also by one without a code in its body", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const refusals = [
        [yield* call("GET", "/v1/me"), "UNAUTHENTICATED"],
        [yield* call("GET", "/v1/me?more=1", { headers: bearer("rich") }), "INVALID_ARGUMENTS"],
        [yield* call("GET", `/v1/properties/${ids.retired}`, { headers: bearer("rich") }), "PROPERTY_RETIRED"],
        [yield* call("GET", "/v1/account", { headers: bearer("bare") }), "SCOPE_NOT_GRANTED"]
      ] as const
      for (const [{ body, headers }, code] of refusals) {
        assert.strictEqual(helpOf(headers), `/docs/errors/${code}`)
        assert.include([undefined, code], body.meta?.code)
        assert.strictEqual((yield* call("GET", helpOf(headers))).status, 200)
      }
      assert.strictEqual(helpOf((yield* call("GET", "/v1/me", { headers: bearer("rich") })).headers), "none")
    }))
})
