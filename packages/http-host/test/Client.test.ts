import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { expectTypeOf } from "vitest"
import * as Client from "../src/Client.ts"
import { routes } from "../src/Routes.ts"
import { bearer, ids, keys, layer as host, type Tenant, TestHost } from "./TestHost.ts"

const clientOf = (tenant: Tenant | "bare") =>
  Effect.map(
    TestHost,
    ({ port }) =>
      Client.make({
        baseUrl: `http://127.0.0.1:${port}/v1`,
        apiKey: bearer(tenant).authorization.slice("Bearer ".length)
      })
  )

layer(host, { excludeTestServices: true })("The client", (it) => {
  it.effect("sends arguments in the path, the query and the body, and answers typed data", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("rich")
      const found = yield* Effect.promise(() =>
        client.call("POST /properties/search", { filters: { countyFips: ["48113"] }, sortBy: "address", limit: 2 })
      )
      assert.isTrue(found.success)
      if (!found.success) return
      assert.lengthOf(found.data.results, 2)
      expectTypeOf(found.data.results[0]?.address).toEqualTypeOf<string | null | undefined>()

      const record = yield* Effect.promise(() => client.call("GET /properties/{id}", { id: keys.locked }))
      assert.strictEqual(record.success ? record.data.property.id : record.error, ids.locked)

      const feed = yield* Effect.promise(() => client.call("GET /leads", { limit: 1 }))
      assert.isTrue(feed.success)
      assert.strictEqual(feed.headers.get("cache-control"), "no-store")
    }))

  it.effect("needs no arguments where the endpoint has none", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("rich")
      const answer = yield* Effect.promise(() => client.call("GET /me"))
      assert.strictEqual(answer.success ? answer.data.org_id : answer.error, "org_rich")
    }))

  it.effect("answers what stands beside data", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("rich")
      const answer = yield* Effect.promise(() => client.call("GET /leads/{id}", { id: ids.unlocked }))
      assert.isTrue(answer.success)
      if (!answer.success) return
      expectTypeOf(answer.meta.billed_via).toEqualTypeOf<"quota" | "credit">()
      assert.strictEqual(answer.data.bundle.service_property_id, ids.unlocked)
      assert.include(["quota", "credit"], answer.meta.billed_via)
    }))

  it.effect("tells refusals apart by code, each with its own detail", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("poor")
      const answer = yield* Effect.promise(() => client.call("POST /properties/{id}/unlock", { id: ids.locked }))
      assert.isFalse(answer.success)
      if (answer.success || answer.code !== "INSUFFICIENT_CREDITS") return assert.fail("another answer")
      expectTypeOf(answer.detail.required).toEqualTypeOf<number>()
      assert.deepStrictEqual(answer.detail, { required: 10, available: 0 })
      assert.strictEqual(answer.status, 402)
    }))

  it.effect("has the codes of admission at every endpoint", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("bare")
      const answer = yield* Effect.promise(() => client.call("GET /account"))
      if (answer.success || answer.code !== "SCOPE_NOT_GRANTED") return assert.fail("another answer")
      assert.strictEqual(answer.detail.scope, "account:read")
    }))

  it.effect("has no code where the endpoint's table has none", () =>
    Effect.gen(function*() {
      const client = yield* clientOf("rich")
      const lead = yield* Effect.promise(() => client.call("GET /leads/{id}", { id: ids.nowhere }))
      assert.deepStrictEqual([lead.status, lead.success ? "" : lead.code], [404, null])
      const malformed = yield* Effect.promise(() => client.call("GET /contacts/{id}", { id: "no/body?" }))
      assert.isFalse(malformed.success)
      if (malformed.success || malformed.code !== null) return assert.fail("another answer")
      assert.deepStrictEqual(malformed.detail.issues, [{ field: "id", message: "Expected a UUID" }])
    }))

  it.effect("takes another fetch, and passes what something in between says", () =>
    Effect.promise(async () => {
      const client = Client.make({
        baseUrl: "https://freehold.example/v1",
        apiKey: "fhk_made-up",
        fetch: async (input) =>
          new Response(`no way to ${String(input)}`, { status: 502, headers: { "retry-after": "7" } })
      })
      const answer = await client.call("GET /me")
      assert.deepInclude(answer, {
        success: false,
        status: 502,
        code: null,
        error: "no way to https://freehold.example/v1/me",
        retryAfterSeconds: 7
      })
    }))

  it("can tell query from body by the method, as the table has it", () => {
    for (const { body, method, path, query } of routes) {
      assert.isTrue(method === "POST" ? query.length === 0 : body === "none", `${method} ${path}`)
    }
  })

  it("refuses what an endpoint does not take when it is compiled", () => {
    expectTypeOf<keyof Client.Arguments<"GET /properties/{id}">>().toEqualTypeOf<"id">()
    expectTypeOf<keyof Client.Arguments<"GET /leads">>().toEqualTypeOf<"updated_since" | "cursor" | "limit">()
    expectTypeOf<Client.Arguments<"POST /properties/{id}/unlock">>().not.toHaveProperty("maxCredits")
    expectTypeOf<"COST_CONFIRMATION_REQUIRED">().not.toExtend<
      Client.Refusal<"POST /properties/{id}/unlock">["code"]
    >()
    expectTypeOf<"NOT_RESEARCHED">().toExtend<Client.Refusal<"POST /properties/{id}/unlock">["code"]>()
    expectTypeOf<"NOT_RESEARCHED">().not.toExtend<Client.Refusal<"GET /me">["code"]>()
  })
})
