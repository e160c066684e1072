import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("team")

layer(host, { excludeTestServices: true })("DELETE /v1/webhooks/{id}", (it) => {
  it.effect("200: repeating gives the same answer", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const made = yield* call("POST", "/v1/webhooks", { headers, json: { url: "https://hooks.example/a" } })
      const id: string = made.body.data.endpoint.id
      const first = yield* call("DELETE", `/v1/webhooks/${id}`, { headers })
      const again = yield* call("DELETE", `/v1/webhooks/${id}`, { headers })
      assert.deepStrictEqual([first.status, first.body.data], [200, { id, active: false }])
      assert.deepStrictEqual(again.body, first.body)
    }))

  it.effect("400: an id that is no UUID", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("DELETE", "/v1/webhooks/all", { headers })
      assert.deepStrictEqual([status, body.meta.issues[0].field], [400, "id"])
    }))

  it.effect("404: another organization's endpoint does not exist", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const made = yield* call("POST", "/v1/webhooks", { headers, json: { url: "https://hooks.example/b" } })
      const id: string = made.body.data.endpoint.id
      const foreign = yield* call("DELETE", `/v1/webhooks/${id}`, { headers: bearer("rich") })
      const nowhere = yield* call("DELETE", `/v1/webhooks/${ids.nowhere}`, { headers })
      assert.deepStrictEqual([foreign.status, nowhere.status], [404, 404])
      assert.deepStrictEqual(foreign.body, nowhere.body)
    }))
})
