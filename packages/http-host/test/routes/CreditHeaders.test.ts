/** What a call charged and what is left, in the headers of the answers that can charge. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, type Received, type Tenant, TestHost } from "../TestHost.ts"

const creditsOf = ({ headers, status }: Received) => [
  status,
  headers.get("service-credits-charged"),
  headers.get("service-credits-remaining")
]

const ask = (tenant: Tenant, method: string, path: string) =>
  TestHost.use(({ call }) => call(method, `/v1${path}`, { headers: bearer(tenant) }))

layer(host, { excludeTestServices: true })("credit headers", (it) => {
  it.effect("tell what an unlock, a reveal and a bundle charged, and what is left", () =>
    Effect.gen(function*() {
      const total = Effect.map(ask("rich", "GET", "/account"), ({ body }) => body.data.credit_balance.total)
      const before: number = yield* total
      assert.deepStrictEqual(creditsOf(yield* ask("rich", "POST", `/properties/${ids.locked}/unlock`)), [
        200,
        "10",
        String(before - 10)
      ])
      assert.deepStrictEqual(creditsOf(yield* ask("rich", "POST", `/contacts/${ids.spareContact}/reveal`)), [
        200,
        "5",
        String(before - 15)
      ])
      assert.deepStrictEqual(creditsOf(yield* ask("rich", "GET", `/leads/${ids.locked}`)), [
        200,
        "1",
        String(before - 16)
      ])
      assert.strictEqual(yield* total, before - 16)
    }))

  it.effect("tell a charge of 0 for what is free or the organization's already", () =>
    Effect.gen(function*() {
      const covered = yield* ask("poor", "POST", `/properties/${ids.covered}/unlock`)
      assert.deepStrictEqual(creditsOf(covered), [200, "0", "0"])
      const again = yield* ask("poor", "POST", `/properties/${ids.covered}/unlock`)
      assert.deepStrictEqual(creditsOf(again), [200, "0", "0"])
    }))

  it.effect("are not there where nothing can be charged, nor on a refusal", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(creditsOf(yield* ask("rich", "GET", "/me")), [200, null, null])
      assert.deepStrictEqual(creditsOf(yield* ask("poor", "POST", `/properties/${ids.spare}/unlock`)), [
        402,
        null,
        null
      ])
    }))
})
