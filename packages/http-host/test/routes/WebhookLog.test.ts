import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

const subscribed = Effect.gen(function*() {
  const { call } = yield* TestHost
  const { body } = yield* call("POST", "/v1/webhooks", { headers, json: { url: "https://hooks.example.com/log" } })
  return String(body.data.endpoint.id)
})

layer(host, { excludeTestServices: true })("webhooks, read", (it) => {
  it.effect("GET /v1/webhooks 200: the endpoints without their secrets, none of another organization", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const id = yield* subscribed
      const { body, status, text } = yield* call("GET", "/v1/webhooks", { headers })
      assert.strictEqual(status, 200)
      const [endpoint] = body.data.endpoints
      assert.deepInclude(endpoint, {
        id,
        url: "https://hooks.example.com/log",
        subscribedEvents: ["lead.qualified"],
        active: true,
        createdVia: "api",
        includeEvidence: false,
        disabledReason: null,
        consecutiveFailures: 0
      })
      assert.notInclude(text, "whsec_")
      const other = yield* call("GET", "/v1/webhooks", { headers: bearer("poor") })
      assert.deepStrictEqual(other.body.data, { endpoints: [] })
    }))

  it.effect("GET /v1/webhooks 403: a key without the scope", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/webhooks", { headers: bearer("bare") })
      assert.deepStrictEqual([status, body.code], [403, "SCOPE_NOT_GRANTED"])
    }))

  it.effect("GET /v1/webhooks/{id}/deliveries 200: nothing was sent yet", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/webhooks/${yield* subscribed}/deliveries?limit=1`, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, { deliveries: [], next_cursor: null })
    }))

  it.effect("GET /v1/webhooks/{id}/deliveries 400: id, limit and cursor", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const id = yield* subscribed
      const malformed = yield* call("GET", "/v1/webhooks/none/deliveries", { headers })
      assert.deepStrictEqual([malformed.status, malformed.body.meta.issues[0].field], [400, "id"])
      const large = yield* call("GET", `/v1/webhooks/${id}/deliveries?limit=201`, { headers })
      assert.deepStrictEqual([large.status, large.body.meta.issues[0].field], [400, "limit"])
      const cursor = yield* call("GET", `/v1/webhooks/${id}/deliveries?cursor=made-up`, { headers })
      assert.deepStrictEqual([cursor.status, cursor.body.meta.code], [400, "INVALID_CURSOR"])
    }))

  it.effect("GET /v1/webhooks/{id}/deliveries 404: no such endpoint, or another organization's", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const nowhere = yield* call("GET", `/v1/webhooks/${ids.nowhere}/deliveries`, { headers })
      const other = yield* call("GET", `/v1/webhooks/${yield* subscribed}/deliveries`, { headers: bearer("poor") })
      assert.deepStrictEqual([nowhere.status, other.status], [404, 404])
      assert.deepStrictEqual(nowhere.body.meta, { code: "NOT_FOUND", resource: "webhook" })
    }))

  it.effect("GET /v1/webhooks/sample 200: a made-up body of each event, marked as a test", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const lead = yield* call("GET", "/v1/webhooks/sample", { headers })
      assert.strictEqual(lead.status, 200)
      assert.deepInclude(lead.body.data, { event_type: "lead.qualified", test: true })
      assert.deepInclude(lead.body.data.data, { bundle_version: 1, delivered_to_org: "org_rich", partial: false })
      assert.lengthOf(lead.body.data.data.contacts, 1)
      const sale = yield* call("GET", "/v1/webhooks/sample?event=signal.withdrawn", { headers })
      assert.deepInclude(sale.body.data.data, { payload_version: "signal.v1", kind: "withdrawn" })
      const balance = yield* call("GET", "/v1/account", { headers })
      assert.strictEqual(balance.body.data.egress_quota.used_this_period, 0)
    }))

  it.effect("GET /v1/webhooks/sample 400: an event that nobody can subscribe to", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/webhooks/sample?event=lead.changed", { headers })
      assert.deepStrictEqual([status, body.meta.issues[0].field], [400, "event"])
    }))
})
