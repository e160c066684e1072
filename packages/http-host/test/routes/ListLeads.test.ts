import { assert, layer } from "@effect/vitest"
import { ListLeads } from "@freehold/core/lead/LeadOperations"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("team")

layer(host, { excludeTestServices: true })("GET /v1/leads", (it) => {
  it.effect("200: an empty feed", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/leads", { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, { items: [], next_cursor: null, has_more: false })
    }))

  it.effect("200: reads numbers and encoded text from the query string", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const since = encodeURIComponent("2026-01-01T00:00:00+02:00")
      const { status } = yield* call("GET", `/v1/leads?limit=1000&updated_since=${since}`, { headers })
      assert.strictEqual(status, 200)
    }))

  for (
    const [query, field] of [
      ["limit=ten", "limit"],
      ["limit=0", "limit"],
      ["limit=1.5", "limit"],
      ["limit=", "limit"],
      ["limit=1&limit=2", "limit"],
      ["limit=0x10", "limit"],
      ["updated_since=yesterday", "updated_since"],
      ["cursor=made-up", "cursor"],
      ["colour=red", "colour"],
      ["__proto__=1", "__proto__"],
      ["toString=1", "toString"]
    ] as const
  ) {
    it.effect(`400: refuses ?${query}`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body, status } = yield* call("GET", `/v1/leads?${query}`, { headers })
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body.meta.issues.map((issue: { field: string }) => issue.field), [field])
        assert.isUndefined(body.meta.code)
      }))
  }

  for (
    const [time, rule] of [
      ["2026-01-01T00:00:00+02:00", "Expected the + of the time's zone as %2B, since it stands for a space in a query"],
      [
        "2026-01-01T00:00:00",
        "Expected an ISO-8601 day, or a time with its zone, such as 2026-01-31 or 2026-01-31T00:00:00Z"
      ]
    ] as const
  ) {
    it.effect(`400: says what the time ${time} lacks`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body } = yield* call("GET", `/v1/leads?updated_since=${time}`, { headers })
        assert.deepStrictEqual(body.meta.issues, [{ field: "updated_since", message: rule }])
      }))
  }

  it.effect("500: tells the request's id and nothing of the fault", () =>
    Effect.gen(function*() {
      const { answering, call, logged } = yield* TestHost
      yield* answering(ListLeads.name, () => Effect.die(new Error("made-up secret detail")))
      const { body, headers: answered, status, text } = yield* call("GET", "/v1/leads?limit=77", { headers })
      assert.strictEqual(status, 500)
      assert.isFalse(body.success)
      assert.strictEqual(body.meta.requestId, answered.get("service-request-id"))
      assert.notInclude(text, "made-up")
      const errors = logged.filter((line) => line.includes("level=ERROR"))
      assert.lengthOf(errors, 1)
      assert.include(errors[0], body.meta.requestId)
    }))
})
