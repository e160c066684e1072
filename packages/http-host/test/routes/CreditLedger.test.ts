import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/credits/ledger"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/credits/ledger", (it) => {
  it.effect("200: every entry, the oldest first, page by page", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      yield* call("POST", `/v1/contacts/${ids.spareContact}/reveal`, { headers })
      const all = yield* call("GET", path, { headers })
      assert.strictEqual(all.status, 200)
      const { entries, next_cursor } = all.body.data
      assert.isNull(next_cursor)
      const charge = entries.at(-1)
      assert.deepInclude(charge, {
        entry: entries.length,
        kind: "charge",
        action: "reveal_contact",
        subject_id: ids.spareContact,
        credits: -5,
        refund_of: null
      })
      assert.notProperty(charge, "allocations")
      const grant = entries.find(({ ref }: { ref: string | null }) => ref === "made-up")
      assert.deepStrictEqual(grant.actor, { kind: "operator", id: null, name: null })
      const seen: Array<number> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page: { readonly body: ReturnType<typeof JSON.parse> } = yield* call(
          "GET",
          `${path}?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`,
          { headers }
        )
        seen.push(...page.body.data.entries.map((entry: { entry: number }) => entry.entry))
        cursor = page.body.data.next_cursor
      }
      assert.deepStrictEqual(seen, entries.map((entry: { entry: number }) => entry.entry))
    }))

  it.effect("200: to the end of a day, and before an instant", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body: { data: { entries: [{ at: first }] } } } = yield* call("GET", path, { headers })
      const countOf = (until: string) =>
        Effect.map(
          call("GET", `${path}?until=${until}`, { headers }),
          ({ body }) => body.data.entries.filter(({ at }: { readonly at: string }) => at === first).length
        )
      assert.isAtLeast(yield* countOf(first.slice(0, 10)), 1)
      assert.strictEqual(yield* countOf(first), 0)
    }))

  it.effect("400: a limit above 200, a cursor that is none, a span that ends before it begins", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const since of ["2026-03-30", "2026-03-29", "2026-03-29T00:00:00Z"]) {
        const swapped = yield* call("GET", `${path}?since=${since}&until=2026-03-28`, { headers })
        assert.deepStrictEqual([swapped.status, swapped.body.meta?.issues[0].field], [400, "until"], since)
      }
      for (const since of ["2026-03-28", "2026-03-28T12:00:00Z"]) {
        assert.strictEqual(
          (yield* call("GET", `${path}?since=${since}&until=2026-03-28`, { headers })).status,
          200,
          since
        )
      }
      const large = yield* call("GET", `${path}?limit=201`, { headers })
      assert.deepStrictEqual([large.status, large.body.meta.issues[0].field], [400, "limit"])
      const cursor = yield* call("GET", `${path}?cursor=-1`, { headers })
      assert.deepStrictEqual([cursor.status, cursor.body.meta.code], [400, "INVALID_CURSOR"])
    }))

  it.effect("403: a key without the scope", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", path, { headers: bearer("bare") })
      assert.deepStrictEqual([status, body.code], [403, "SCOPE_NOT_GRANTED"])
    }))
})
