import { assert, layer } from "@effect/vitest"
import { RevealContact } from "@freehold/core/contact/ContactOperations"
import { ActionInProgress } from "@freehold/core/credit/CreditRefusals"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = (id: string) => `/v1/contacts/${id}/reveal`
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/contacts/{id}/reveal", (it) => {
  it.effect("200: charges once and answers the details", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const first = yield* call("POST", path(ids.spareContact), { headers })
      const again = yield* call("POST", path(ids.spareContact), { headers })
      assert.deepStrictEqual([first.status, again.status], [200, 200])
      assert.deepStrictEqual(
        [first.body.data.creditsCharged, first.body.data.alreadyRevealed, first.body.data.contact.email],
        [5, false, "three@people.example"]
      )
      assert.deepStrictEqual([again.body.data.creditsCharged, again.body.data.alreadyRevealed], [0, true])
    }))

  it.effect("400: an id that is no UUID, and a body with arguments", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const malformed = yield* call("POST", path("nobody"), { headers })
      const body = yield* call("POST", path(ids.contact), { headers, json: { id: ids.contact } })
      assert.deepStrictEqual([malformed.status, body.status], [400, 400])
      assert.strictEqual(malformed.body.meta.issues[0].field, "id")
      assert.strictEqual(body.body.meta.issues[0].field, "id")
    }))

  it.effect("402: too few credits, and a failed payment", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const poor = yield* call("POST", path(ids.contact), { headers: bearer("poor") })
      const unpaid = yield* call("POST", path(ids.contact), { headers: bearer("unpaid") })
      assert.deepStrictEqual([poor.status, unpaid.status], [402, 402])
      assert.deepStrictEqual(poor.body.meta, { code: "INSUFFICIENT_CREDITS", required: 5, available: 0 })
      assert.strictEqual(unpaid.body.code, "PAYMENT_FAILED")
    }))

  it.effect("404: no such contact", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path(ids.nowhere), { headers })
      assert.deepStrictEqual([status, body.meta.code], [404, "NOT_FOUND"])
    }))

  it.effect("409: while another call reveals it", () =>
    Effect.gen(function*() {
      const { answering, call } = yield* TestHost
      yield* answering(RevealContact.name, () => Effect.fail(new ActionInProgress({ retryAfterSeconds: 1 })))
      const { body, headers: answered, status } = yield* call("POST", path(ids.contact), { headers })
      assert.deepStrictEqual([status, body.meta.code, answered.get("retry-after")], [409, "ACTION_IN_PROGRESS", "1"])
    }))
})
