import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

const huge = ["201", "1000000000000000", "9007199254740993", "9".repeat(30), "9".repeat(400)]

layer(host, { excludeTestServices: true })("a limit that is reduced to its maximum", (it) => {
  it.effect.each(["/v1/leads", "/v1/events", "/v1/lists"])(
    "200: %s takes any number above it",
    (path) =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        for (const limit of huge) {
          assert.strictEqual((yield* call("GET", `${path}?limit=${limit}`, { headers })).status, 200, limit)
        }
        for (const limit of ["0", `-${"9".repeat(400)}`, "1.5", "1e3", "Infinity"]) {
          const { body, status } = yield* call("GET", `${path}?limit=${limit}`, { headers })
          assert.strictEqual(status, 400, limit)
          assert.strictEqual(body.meta.issues[0].field, "limit")
        }
      })
  )

  it.effect("400: other limits are not reduced", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const limit of huge) {
        const { body, status } = yield* call("GET", `/v1/contacts/search?query=sample&limit=${limit}`, { headers })
        assert.strictEqual(status, 400)
        assert.strictEqual(body.meta.issues[0].field, "limit")
      }
    }))
})
