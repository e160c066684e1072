/** Any bytes at all: refused or answered in the envelope, never a fault of ours. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import * as fc from "fast-check"
import { bearer, layer as host, TestHost } from "./TestHost.ts"

const headers = { ...bearer("rich"), "content-type": "application/json" }

const keys = fc.constantFrom(
  "query",
  "filters",
  "bounds",
  "limit",
  "cursor",
  "offset",
  "sortBy",
  "sortOrder",
  "verbosity",
  "url",
  "events",
  "__proto__",
  "constructor"
)

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json(),
  fc.dictionary(keys, fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.dictionary(
    keys,
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.dictionary(fc.constantFrom("countyFips", "near", "within", "north", "minYearBuilt"), fc.jsonValue())
    )
  ).map((value) => JSON.stringify(value))
)

layer(host, { excludeTestServices: true })("Bad bodies", (it) => {
  for (const path of ["/v1/properties/search", "/v1/webhooks"]) {
    it.effect(`POST ${path} is never 500`, () =>
      Effect.gen(function*() {
        const context = yield* Effect.context<TestHost>()
        const { call } = Context.get(context, TestHost)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(bodies, async (body) => {
              const answer = await Effect.runPromise(call("POST", path, { headers, body: Buffer.from(body) }))
              assert.include([200, 400], answer.status)
              assert.strictEqual(answer.body.success, answer.status === 200)
            }),
            { numRuns: 200 }
          )
        )
      }))
  }

  it.effect("400: a body that is nested deeper than anything that is taken", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nested = (depth: number) => `${"{\"events\":".repeat(depth)}1${"}".repeat(depth)}`
      const send = (depth: number) =>
        call("POST", "/v1/webhooks", {
          headers: { ...headers, "content-type": "application/json", "idempotency-key": "deep" },
          body: nested(depth)
        })
      const deep = yield* send(50_000)
      assert.deepStrictEqual([deep.status, deep.body.error], [
        400,
        "The request body is nested more than 100 levels deep."
      ])
      assert.notInclude((yield* send(99)).body.error, "nested")
    }))

  it.effect("GET /v1/leads is never 500, whatever the query string", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.webQueryParameters(), async (query) => {
            const answer = await Effect.runPromise(call("GET", `/v1/leads?${query}`, { headers }))
            assert.include([200, 400], answer.status)
          }),
          { numRuns: 100 }
        )
      )
    }))

  it.effect("GET /v1/properties/{id} is never 500, whatever the path", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.webPath(), fc.string({ unit: "grapheme" }), async (path, key) => {
            const plain = await Effect.runPromise(call("GET", `/v1/properties/x${path}`, { headers }))
            const encoded = await Effect.runPromise(
              call("GET", `/v1/properties/${encodeURIComponent(key)}`, { headers })
            )
            assert.include([200, 400, 404, 405], plain.status)
            assert.include([400, 404], encoded.status)
          }),
          { numRuns: 100 }
        )
      )
    }))
})
