import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, keys, layer as host, type Tenant, TestHost } from "../TestHost.ts"

const path = "/v1/access/check"

const ask = (tenant: Tenant, json: object) =>
  TestHost.use(({ call }) => call("POST", path, { headers: bearer(tenant), json }))

/** [id, visible, revealed, credits, code] */
const told = (
  item: { id: string; visible: boolean; revealed: boolean; credits: number | null; blocked_by: { code: string } | null }
) => [item.id, item.visible, item.revealed, item.credits, item.blocked_by?.code ?? null]

layer(host, { excludeTestServices: true })("POST /v1/access/check", (it) => {
  it.effect("200: each item by itself: visible, revealed, its price", () =>
    Effect.gen(function*() {
      const { body, status } = yield* ask("rich", {
        property_ids: [
          ids.locked.toUpperCase(),
          ids.unlocked,
          ids.covered,
          ids.unresearched,
          ids.outside,
          ids.retired,
          ids.nowhere
        ],
        contact_ids: [ids.contact, ids.openContact, ids.coveredContact, ids.nowhere]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data.properties.map(told), [
        [ids.locked.toUpperCase(), true, false, 10, null],
        [ids.unlocked, true, true, 0, null],
        [ids.covered, true, true, 0, null],
        [ids.unresearched, true, false, null, "NOT_RESEARCHED"],
        [ids.outside, false, false, null, null],
        [ids.retired, false, false, null, null],
        [ids.nowhere, false, false, null, null]
      ])
      assert.deepStrictEqual(body.data.contacts.map(told), [
        [ids.contact, true, false, 5, null],
        [ids.openContact, true, true, 0, null],
        [ids.coveredContact, true, true, 0, null],
        [ids.nowhere, false, false, null, null]
      ])
      assert.deepInclude(body.data, { total_credits: 15 })
      const balance = yield* TestHost.use(({ call }) => call("GET", "/v1/account", { headers: bearer("rich") }))
      assert.strictEqual(body.data.available_credits, balance.body.data.credit_balance.total)
    }))

  it.effect("200: takes a property's key, and counts one that is named twice once", () =>
    Effect.gen(function*() {
      const property_ids = [keys.locked, ids.locked, keys.unlocked, "no such key"]
      const { body } = yield* ask("rich", { property_ids })
      assert.deepStrictEqual(body.data.properties.map(told), [
        [keys.locked, true, false, 10, null],
        [ids.locked, true, false, 10, null],
        [keys.unlocked, true, true, 0, null],
        ["no such key", false, false, null, null]
      ])
      assert.strictEqual(body.data.total_credits, 10)
    }))

  it.effect("200: says with the code of a refusal what stands in the way, and the refusal follows", () =>
    Effect.gen(function*() {
      const cases: ReadonlyArray<readonly [Tenant, string]> = [
        ["poor", "INSUFFICIENT_CREDITS"],
        ["unpaid", "PAYMENT_FAILED"],
        ["dormant", "CREDITS_DORMANT"],
        ["paused", "CREDENTIAL_DAILY_CAP_EXCEEDED"]
      ]
      for (const [tenant, code] of cases) {
        const { body } = yield* ask(tenant, { property_ids: [ids.locked], contact_ids: [ids.contact] })
        assert.deepStrictEqual(body.data.properties.map(told), [[ids.locked, true, false, 10, code]], tenant)
        assert.deepStrictEqual(body.data.contacts.map(told), [[ids.contact, true, false, 5, code]], tenant)
        const refused = yield* TestHost.use(({ call }) =>
          call("POST", `/v1/properties/${ids.locked}/unlock`, { headers: bearer(tenant) })
        )
        assert.strictEqual(refused.body.meta.code, code)
        assert.strictEqual(body.data.properties[0].blocked_by.message, refused.body.error)
      }
      const { body } = yield* ask("exhausted", { contact_ids: [ids.coveredContact] })
      assert.deepStrictEqual(body.data.contacts.map(told), [
        [ids.coveredContact, true, true, 0, "RECORDS_ALLOWANCE_EXCEEDED"]
      ])
    }))

  it.effect("200: takes nothing and counts nothing", () =>
    Effect.gen(function*() {
      const allowance = TestHost.use(({ call }) => call("GET", "/v1/allowance", { headers: bearer("reading") }))
      const facts = Effect.map(allowance, ({ body }) => [body.data.records_allowance, body.data.daily_limits])
      const before = yield* facts
      yield* ask("reading", { property_ids: [ids.covered], contact_ids: [ids.coveredContact, ids.secondCovered] })
      assert.deepStrictEqual(yield* facts, before)
    }))

  it.effect("400: nothing, too much, and what is no id", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 300 }, () => ids.locked)
      for (
        const [json, field] of [
          [{}, null],
          [{ property_ids: many, contact_ids: many }, null],
          [{ property_ids: [] }, "property_ids"],
          [{ property_ids: [""] }, "property_ids.0"],
          [{ contact_ids: ["1"] }, "contact_ids.0"],
          [{ ids: [ids.locked] }, "ids"]
        ] as const
      ) {
        const { body, status } = yield* ask("rich", json)
        assert.deepStrictEqual([status, body.meta.issues[0].field], [400, field])
      }
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { body, status } = yield* ask("placeless", { property_ids: [ids.locked] })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))
})
