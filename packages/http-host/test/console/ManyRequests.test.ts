/** What people are shown whose address has no requests left: a page where they go to one, and in the app what its pages read. */
import { assert, layer } from "@effect/vitest"
import { AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/rate/AddressLimiter"
import { Effect } from "effect"
import { TestHost } from "../TestHost.ts"
import { codeOf, host, join, linkOf, post } from "./AppPeople.ts"

layer(host, { excludeTestServices: true })("An address without requests left", (it) => {
  it.effect("is shown a page that says so, told by the app when to go on, and signs nobody in or out", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const link = yield* linkOf("rich", yield* join("rich"))
      const addresses = yield* AddressLimiter
      yield* Effect.ignore(addresses.admit("127.0.0.1")).pipe(Effect.repeat({ times: requestsPerMinutePerAddress }))

      for (const path of ["/", "/properties/1", "/nowhere"]) {
        const { headers, status, text } = yield* call("GET", path, { headers: { accept: "text/html,*/*" } })
        assert.strictEqual(status, 429, path)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        assert.match(text, /<h1>Too many requests<\/h1>\n<p>[^<]* Reload this page in \d+ seconds?\.<\/p>/)
        assert.match(headers.get("retry-after") ?? "", /^\d+$/)
      }
      const asset = yield* call("GET", "/assets/main-1.js")
      assert.deepStrictEqual([asset.status, asset.body.code], [429, "rate_limited"])

      for (const path of ["/console/app_get_session", "/console/sign-in", "/console/sign-in/look"]) {
        const answer = yield* post(path, { link })
        assert.deepStrictEqual(codeOf(answer), [429, "rate_limited"], path)
        assert.isAtLeast(answer.body.refusal.retryAfterSeconds, 0)
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
    }))
})
