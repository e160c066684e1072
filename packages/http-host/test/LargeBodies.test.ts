/** One organization's large bodies: few wait, the others are told at once that it is too much, and nobody else notices. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Pace from "../src/Pace.ts"
import { maximumBytes } from "../src/RequestBody.ts"
import { bearer, layer as host, type Tenant, TestHost } from "./TestHost.ts"

/** Refused when it was read, by its arguments. */
const large = JSON.stringify({ query: "x".repeat(maximumBytes - 100) })

const search = (tenant: Tenant, path = "/v1/properties/search") =>
  TestHost.use(({ call }) =>
    call("POST", path, { headers: { ...bearer(tenant), "content-type": "application/json" }, body: large })
  )

const patient = (Pace.bodies.bytesAtOnce + Pace.bodies.bytesPerSecond * Pace.bodies.patience / 1000) / maximumBytes

layer(host, { excludeTestServices: true })("Large bodies", (it) => {
  it.effect("503 TEMPORARILY_UNAVAILABLE: more of one organization than are read within the time that a request waits", () =>
    Effect.gen(function*() {
      const together = yield* Effect.all([
        Effect.forEach(Array.from({ length: 3 * patient }), () => search("rich"), { concurrency: "unbounded" }),
        search("poor")
      ], { concurrency: "unbounded" })
      const [many, another] = together
      assert.strictEqual(another.status, 400)
      const refused = many.filter(({ status }) => status === 503)
      assert.isAtLeast(refused.length, patient)
      assert.isAtLeast(many.filter(({ status }) => status === 400).length, patient - 1)
      assert.strictEqual(refused.length + many.filter(({ status }) => status === 400).length, many.length)
      for (const { body, headers } of refused) {
        assert.strictEqual(body.meta.code, "TEMPORARILY_UNAVAILABLE")
        assert.strictEqual(headers.get("retry-after"), String(Pace.bodies.patience / 1000))
      }
    }))

  it.effect("400: as many short ones at once that do not say how long they are count as what they are", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const headers = { ...bearer("signals"), "content-type": "application/json" }
      const statuses = yield* Effect.forEach(Array.from({ length: 3 * patient }), () =>
        Effect.map(
          call("POST", "/v1/properties/search", { headers, body: new Blob([JSON.stringify({ limit: "x" })]).stream() }),
          ({ status }) => status
        ), { concurrency: "unbounded" })
      assert.deepStrictEqual(statuses.filter((status) => status !== 400), [])
    }))
})
