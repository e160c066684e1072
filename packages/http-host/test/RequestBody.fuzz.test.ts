/** Any bytes at all: refused or answered in the envelope, never a fault of ours. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import * as fc from "fast-check"
import { bearer, ids, layer as host, TestHost } from "./TestHost.ts"

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

  it.effect("400: a body that is nested deeper than anything that is taken, whatever follows", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const send = (body: string) =>
        Effect.map(
          call("POST", "/v1/webhooks", { headers: { ...headers, "idempotency-key": "deep" }, body }),
          ({ body, status }) => [status, body.error]
        )
      const nested = (depth: number) => `${"{\"events\":".repeat(depth)}1${"}".repeat(depth)}`
      const refusal = [400, "The request body is nested more than 32 levels deep."]
      assert.deepStrictEqual(yield* send(nested(50_000)), refusal)
      assert.deepStrictEqual(
        yield* send(`{"events":[${`${"[".repeat(97)}${"]".repeat(97)},`.repeat(5000)}1]}`),
        refusal
      )
      assert.deepStrictEqual(yield* send(`${"[".repeat(33)} no JSON`), refusal)
      assert.notInclude((yield* send(nested(32)))[1], "nested")
    }))

  it.effect("400: a body of more keys and values than anything that is taken, whatever follows", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const unit of ["1,", "{},", "\"k\":1,", "\"a\","]) {
        const { body, status } = yield* call("POST", "/v1/webhooks", {
          headers,
          body: `{${unit.repeat(10_001)} no JSON`
        })
        assert.deepStrictEqual([status, body.error], [400, "The request body holds more than 10000 keys and values."])
      }
    }))

  it.effect("400: an answer is short, however much of the request nobody knows", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const unlock = `/v1/properties/${ids.locked}/unlock`
      const longKey = JSON.stringify({ ["k".repeat(1_000_000)]: 1 })
      const manyKeys = JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`k${index}`, 1])))
      const answers = [
        yield* call("POST", "/v1/webhooks", { headers, body: longKey }),
        yield* call("POST", unlock, { headers, body: longKey }),
        yield* call("POST", unlock, { headers, body: manyKeys }),
        yield* call("GET", `/v1/leads?${Array.from({ length: 2000 }, (_, index) => `k${index}`).join("&")}`, {
          headers
        })
      ]
      for (const { body, status, text } of answers) {
        assert.strictEqual(status, 400)
        assert.isAtMost(body.meta.issues.length, 50)
        assert.isBelow(text.length, 5000)
      }
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
