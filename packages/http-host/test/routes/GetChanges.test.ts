import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, type Received, TestHost } from "../TestHost.ts"

const headers = bearer("signals")
const [sold, departed, managed, , longAgo] = ids.changes

const get = (query: string, given = headers) =>
  TestHost.use(({ call }) => call("GET", `/v1/changes${query}`, { headers: given }))

const idsOf = ({ body }: Received) => body.data.changes.map((change: { signal_id: string }) => change.signal_id)

layer(host, { excludeTestServices: true })("GET /v1/changes", (it) => {
  it.effect("200: what changed in the area in 30 days, newest first, with evidence by plan and unlocks", () =>
    Effect.gen(function*() {
      const answer = yield* get("")
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(idsOf(answer), [ids.nowhere, managed, departed, sold])
      assert.isNull(answer.body.data.next_cursor)
      const [, change] = answer.body.data.changes
      assert.containSubset(change, {
        event_id: null,
        kind: "manager_change",
        subject: { type: "property", id: ids.spare },
        source: "county_record",
        withdrawn: false,
        evidence: { field: "management_company", before: null, after: null, manager_withheld: true }
      })
    }))

  it.effect("200: of one subject, of some kinds, of a longer time", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(idsOf(yield* get(`?property_id=${ids.locked}&days=100`)), [sold, longAgo])
      assert.deepStrictEqual(idsOf(yield* get(`?contact_id=${ids.openContact}`)), [departed])
      assert.deepStrictEqual(idsOf(yield* get("?kinds=sale,contact_employer_change")), [departed, sold])
      assert.deepStrictEqual(idsOf(yield* get("?since=2020-01-01&kinds=sale")), [sold, longAgo])
    }))

  it.effect("200: says since when nothing changed", () =>
    Effect.gen(function*() {
      const since = "2100-01-01T00:00:00.000Z"
      for (
        const [query, subject] of [
          ["", "Nothing changed"],
          ["&kinds=sale", "Nothing of these kinds changed"],
          [`&property_id=${ids.locked}`, "Nothing changed about it"]
        ]
      ) {
        assert.deepStrictEqual((yield* get(`?since=${since}${query}`)).body, {
          success: true,
          data: { changes: [], next_cursor: null },
          meta: { note: `${subject} that you see since ${since}; days and since reach further back.` }
        })
      }
      assert.notProperty((yield* get("")).body, "meta")
    }))

  it.effect("200: page by page", () =>
    Effect.gen(function*() {
      const first = yield* get("?limit=2")
      assert.deepStrictEqual(idsOf(first), [ids.nowhere, managed])
      const second = yield* get(`?limit=2&cursor=${encodeURIComponent(first.body.data.next_cursor)}`)
      assert.deepStrictEqual(idsOf(second), [departed, sold])
      assert.isNull(second.body.data.next_cursor)
    }))

  it.effect("400: values and pairs that do not go, each with its rule", () =>
    Effect.gen(function*() {
      const faults = [
        "?kinds=rain",
        "?days=0",
        "?limit=201",
        "?since=yesterday",
        "?since=2020-01-01&days=1",
        "?unknown=1"
      ]
      for (const query of faults) {
        const { body, status } = yield* get(query)
        assert.strictEqual(status, 400, query)
        assert.lengthOf(body.meta.issues, 1, query)
      }
      const both = yield* get(`?property_id=${ids.locked}&contact_id=${ids.contact}`)
      assert.strictEqual(both.status, 400)
    }))

  it.effect("400 INVALID_CURSOR: of another question, or made up", () =>
    Effect.gen(function*() {
      const { body } = yield* get("?limit=1")
      const cursor = encodeURIComponent(body.data.next_cursor)
      for (const query of [`?limit=1&kinds=sale&cursor=${cursor}`, "?cursor=made-up"]) {
        const answer = yield* get(query)
        assert.deepStrictEqual([answer.status, answer.body.meta.code], [400, "INVALID_CURSOR"], query)
      }
    }))

  it.effect("400 SIGNALS_NOT_ENABLED: until changes are switched on", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get("", bearer("rich"))
      assert.deepStrictEqual([status, body.meta.code], [400, "SIGNALS_NOT_ENABLED"])
    }))

  it.effect("403 OUT_OF_TERRITORY: a property outside", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?property_id=${ids.outside}`)
      assert.deepStrictEqual([status, body.meta.code], [403, "OUT_OF_TERRITORY"])
    }))

  it.effect("403 UPGRADE_REQUIRED: on the Team plan", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get("", bearer("team"))
      assert.deepStrictEqual([status, body.code], [403, "UPGRADE_REQUIRED"])
    }))

  it.effect("404 NOT_FOUND: no such property or contact", () =>
    Effect.gen(function*() {
      for (const query of [`?property_id=${ids.nowhere}`, `?contact_id=${ids.nowhere}`]) {
        const { body, status } = yield* get(query)
        assert.deepStrictEqual([status, body.meta.code], [404, "NOT_FOUND"], query)
      }
    }))

  it.effect("409 PROPERTY_RETIRED: a merged property names its successor", () =>
    Effect.gen(function*() {
      const { body, status } = yield* get(`?property_id=${ids.retired}`)
      assert.strictEqual(status, 409)
      assert.containSubset(body.meta, { code: "PROPERTY_RETIRED", successorPropertyId: ids.locked })
    }))
})
