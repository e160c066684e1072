import { assert, layer } from "@effect/vitest"
import { CreateWebhook } from "@freehold/core/webhook/WebhookOperations"
import { WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "@freehold/core/webhook/WebhookRefusals"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("team")

layer(host, { excludeTestServices: true })("POST /v1/webhooks", (it) => {
  it.effect("200: answers the endpoint and, once, its secret", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", "/v1/webhooks", {
        headers,
        json: { url: "https://hooks.example/a" }
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data.endpoint.subscribedEvents, ["lead.qualified"])
      assert.strictEqual(body.data.endpoint.createdVia, "api")
      assert.match(body.data.signing_secret, /^whsec_/)
      assert.isNull(body.data.superseded_endpoint_id)
    }))

  it.effect("200: what leads to Zapier is told apart", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const register = (url: string) =>
        Effect.map(
          call("POST", "/v1/webhooks", { headers, json: { url } }),
          ({ body }) => body.data.endpoint.createdVia
        )
      assert.strictEqual(yield* register("https://Hooks.Zapier.com/hooks/standard/1/made-up/"), "zapier")
      assert.strictEqual(yield* register("https://hooks.zapier.com.example/1/"), "api")
    }))

  for (
    const [what, json, field] of [
      ["no url", {}, "url"],
      ["a url that is not https", { url: "http://hooks.example/a" }, "url"],
      ["a private address", { url: "https://10.0.0.1/a" }, "url"],
      ["no events", { url: "https://hooks.example/a", events: [] }, "events"],
      ["an unknown event", { url: "https://hooks.example/a", events: ["lead.changed"] }, "events.0"],
      ["an unknown key", { url: "https://hooks.example/a", label: "mine" }, "label"]
    ] as const
  ) {
    it.effect(`400: refuses ${what}, without a code`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body, status } = yield* call("POST", "/v1/webhooks", { headers, json })
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body.meta.issues.map((issue: { field: string }) => issue.field), [field])
        assert.isUndefined(body.meta.code)
      }))
  }

  it.effect("400: change events that are not switched on have a code", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", "/v1/webhooks", {
        headers,
        json: { url: "https://hooks.example/a", events: ["signal.sale"] }
      })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.meta.code, "SIGNALS_NOT_ENABLED")
      assert.isNotEmpty(body.meta.issues)
    }))

  it.effect("409: the limits of active and of all endpoints", () =>
    Effect.gen(function*() {
      const { answering, call } = yield* TestHost
      const json = { url: "https://hooks.example/b" }
      yield* answering(CreateWebhook.name, () => Effect.fail(new WebhookEndpointLimitReached()))
      const active = yield* call("POST", "/v1/webhooks", { headers, json })
      yield* answering(CreateWebhook.name, () => Effect.fail(new WebhookEndpointTotalLimitReached()))
      const total = yield* call("POST", "/v1/webhooks", { headers, json })
      assert.deepStrictEqual([active.status, active.body.meta], [409, { code: "WEBHOOK_ENDPOINT_LIMIT_REACHED" }])
      assert.deepStrictEqual([total.status, total.body.meta], [409, { code: "WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED" }])
    }))
})
