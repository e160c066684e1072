import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/contacts/{id}", (it) => {
  it.effect("200: a locked contact has a price and no details", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/contacts/${ids.contact}`, { headers })
      assert.strictEqual(status, 200)
      assert.isFalse(body.data.revealed)
      assert.strictEqual(body.data.reveal_price_credits, 5)
      assert.notProperty(body.data, "email")
    }))

  it.effect("200: a contact of an unlocked property has them", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/contacts/${ids.openContact}`, { headers })
      assert.strictEqual(status, 200)
      assert.deepInclude(body.data, {
        email: "two@people.example",
        phoneExtension: "77",
        doNotContact: { email: false, phone: true }
      })
      assert.notProperty(body.data, "reveal_price_credits")
    }))

  it.effect("400: an id that is no UUID, without a code", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/contacts/nobody", { headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta, { issues: [{ field: "id", message: "Expected a UUID" }] })
    }))

  it.effect("404: no such contact", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `/v1/contacts/${ids.nowhere}`, { headers })
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body.meta, { code: "NOT_FOUND", resource: "contact" })
    }))
})
