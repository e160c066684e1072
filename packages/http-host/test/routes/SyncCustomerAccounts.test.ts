import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, keys, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("external")

const sync = (accounts: unknown, as = headers) =>
  TestHost.use(({ call }) => call("POST", "/v1/customer-accounts/sync", { headers: as, json: { accounts } }))

const row = (property_id: string, status = "active") => ({ property_id, status })

/** Properties of the two counties switched on that have the customer status. */
const found = (customerStatus: string) =>
  TestHost.use(({ call }) =>
    call("POST", "/v1/properties/search", {
      headers,
      json: { filters: { countyFips: ["48113", "48085"], customerStatus } }
    })
  ).pipe(Effect.map(({ body }) => body.data.results.map((each: { readonly id: string }) => each.id).toSorted()))

layer(host, { excludeTestServices: true })("POST /v1/customer-accounts/sync", (it) => {
  it.effect("200: each row for itself; keys name properties too, and what lies outside is kept", () =>
    Effect.gen(function*() {
      const { body, status } = yield* sync([
        row(ids.spare),
        row(keys.unlocked, "churned"),
        row(ids.outside),
        row(ids.retired),
        row(ids.nowhere),
        row("no such key")
      ])
      assert.strictEqual(status, 200)
      const { results, ...counts } = body.data
      assert.deepStrictEqual(counts, { synced_count: 3, error_count: 3, out_of_service_area_count: 1 })
      assert.deepStrictEqual(results.slice(0, 3), [
        { property_id: ids.spare, status: "synced" },
        { property_id: keys.unlocked, status: "synced" },
        { property_id: ids.outside, status: "synced", out_of_service_area: true }
      ])
      assert.deepStrictEqual(results.slice(3).map((each: { readonly status: string }) => each.status), [
        "error",
        "error",
        "error"
      ])
      assert.include(results[3].error, ids.locked)
      assert.include(yield* found("active"), ids.spare)
      assert.include(yield* found("churned"), ids.unlocked)
    }))

  it.effect("200: the last of rows about one property counts; churn keeps, active restores", () =>
    Effect.gen(function*() {
      const twice = yield* sync([
        row(ids.covered, "churned"),
        row(ids.covered),
        row(ids.covered.toUpperCase(), "churned")
      ])
      assert.strictEqual(twice.body.data.synced_count, 3)
      assert.include(yield* found("churned"), ids.covered)
      yield* sync([row(ids.covered)])
      assert.include(yield* found("active"), ids.covered)
    }))

  it.effect("200: the customer flag of a lead follows, and the change is recorded", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      yield* sync([row(ids.locked)])
      const { body } = yield* call("POST", `/v1/leads/${ids.locked}/status`, { headers, json: { status: "won" } })
      assert.deepInclude(body.data, { is_current_customer: true, customer_account_status: "active" })
      const { body: log } = yield* call("GET", "/v1/events?eventType=lead.changed", { headers })
      const ofLead = log.data.events.filter((event: { readonly property_id: string }) =>
        event.property_id === ids.locked
      )
      assert.lengthOf(ofLead, 2)
    }))

  it.effect("200: 500 rows", () =>
    Effect.gen(function*() {
      const { body, status } = yield* sync(Array.from({ length: 500 }, (_, index) => row(`made-up ${index}`)))
      assert.deepStrictEqual([status, body.data.error_count, body.data.results.length], [200, 500, 500])
    }))

  it.effect("200: of a long name that nobody knows the beginning is told", () =>
    Effect.gen(function*() {
      const { body } = yield* sync([row("u".repeat(400))])
      assert.strictEqual(body.data.results[0].property_id, `${"u".repeat(100)}…`)
    }))

  it.effect("400: no rows, too many, or one that does not fit; nothing is written", () =>
    Effect.gen(function*() {
      for (
        const [accounts, field] of [
          [undefined, "accounts"],
          [[], "accounts"],
          [Array.from({ length: 501 }, () => row(ids.staffed)), "accounts"],
          [[row(ids.staffed), row(ids.staffed, "lost")], "accounts.1.status"],
          [[{ status: "active" }], "accounts.0.property_id"],
          [[row("")], "accounts.0.property_id"],
          [[{ ...row(ids.staffed), since: "2026" }], "accounts.0.since"]
        ] as const
      ) {
        const { body, status } = yield* sync(accounts)
        assert.deepStrictEqual([status, body.meta.issues[0].field], [400, field])
      }
      const { body } = yield* TestHost.use(({ call }) =>
        call("POST", "/v1/properties/search", {
          headers,
          json: { filters: { countyFips: ["48121"], customerStatus: "active" } }
        })
      )
      assert.deepStrictEqual(body.data.results, [])
    }))

  it.effect("403: a key without the scope", () =>
    Effect.gen(function*() {
      const { body, status } = yield* sync([row(ids.spare)], bearer("bare"))
      assert.deepStrictEqual([status, body.code, body.meta.scope], [403, "SCOPE_NOT_GRANTED", "accounts:sync"])
    }))
})
