import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const headers = bearer("external")

const events = (query: string, as = headers) =>
  TestHost.use(({ call }) => call("GET", `/v1/events${query}`, { headers: as }))

const writeBack = (id: string, status: "won" | "lost") =>
  TestHost.use(({ call }) => call("POST", `/v1/leads/${id}/status`, { headers, json: { status } }))

layer(host, { excludeTestServices: true })("GET /v1/events", (it) => {
  it.effect("200: the organization's events, newest first, and how many there are beyond the page", () =>
    Effect.gen(function*() {
      // However the lead stands: what it is already is no event.
      yield* writeBack(ids.locked, "lost")
      const before = (yield* events("")).body.data.total
      for (const status of ["won", "lost", "won"] as const) yield* writeBack(ids.locked, status)
      const { body, status } = yield* events("?days=1&limit=2&eventType=lead.changed")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(Object.keys(body.data), ["events", "total", "next_cursor"])
      assert.strictEqual(body.data.total, before + 3)
      assert.lengthOf(body.data.events, 2)
      const [newest, older] = body.data.events
      assert.isAtLeast(Date.parse(newest.occurred_at), Date.parse(older.occurred_at))
      const { id, occurred_at, ...rest } = newest
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.match(occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        type: "lead.changed",
        property_id: ids.locked,
        subject_type: "property",
        subject_id: ids.locked,
        withdraws_event_id: null,
        status: "skipped",
        skip_reason: "record_only",
        by_agent: true,
        fanned_out_at: null,
        test: false
      })
      const all = yield* events("")
      assert.strictEqual(all.body.data.total, before + 3)
      assert.strictEqual((yield* events("", bearer("rich"))).body.data.total, 0)
    }))

  it.effect("200: every event once, page by page, to the oldest", () =>
    Effect.gen(function*() {
      for (const status of ["won", "lost", "won"] as const) yield* writeBack(ids.locked, status)
      const all = (yield* events("?limit=200")).body.data
      assert.isNull(all.next_cursor)
      let next = ""
      const pages = yield* Effect.forEach(
        all.events,
        Effect.fnUntraced(function*() {
          const { data } = (yield* events(`?limit=1${next}`)).body
          next = `&cursor=${data.next_cursor}`
          return data
        })
      )
      assert.deepStrictEqual(pages.flatMap((page) => page.events), all.events)
      assert.deepStrictEqual(pages.map(({ total }) => total), pages.map(() => all.total))
      assert.strictEqual(next, "&cursor=null")
    }))

  it.effect("400 INVALID_CURSOR: one of another question", () =>
    Effect.gen(function*() {
      for (const status of ["won", "lost"] as const) yield* writeBack(ids.locked, status)
      const { next_cursor: cursor } = (yield* events("?limit=1&days=2")).body.data
      for (const query of [`?limit=1&days=3&cursor=${cursor}`, `?limit=1&days=2&cursor=x${cursor}`]) {
        const { body, status } = yield* events(query)
        assert.deepStrictEqual([status, body.meta.code, body.meta.issues[0].field], [400, "INVALID_CURSOR", "cursor"])
      }
    }))

  it.effect("200: a limit above 200 is reduced", () =>
    Effect.gen(function*() {
      const { status } = yield* events("?limit=100000")
      assert.strictEqual(status, 200)
    }))

  it.effect("200: an empty list for a change event while changes are switched off", () =>
    Effect.gen(function*() {
      const { body, status } = yield* events("?eventType=signal.sale")
      assert.deepStrictEqual([status, body.data], [200, { events: [], total: 0, next_cursor: null }])
    }))

  it.effect("400: days, limit or type out of bounds, or an unknown parameter", () =>
    Effect.gen(function*() {
      for (
        const [query, field] of [
          ["?days=0", "days"],
          ["?days=91", "days"],
          ["?days=1.5", "days"],
          ["?limit=0", "limit"],
          ["?limit=many", "limit"],
          ["?eventType=lead.lost", "eventType"],
          ["?type=lead.changed", "type"]
        ] as const
      ) {
        const { body, status } = yield* events(query)
        assert.deepStrictEqual([status, body.meta.issues[0].field], [400, field])
      }
    }))

  it.effect("403: a key without the scope", () =>
    Effect.gen(function*() {
      const { body, status } = yield* events("", bearer("bare"))
      assert.deepStrictEqual([status, body.code, body.meta.scope], [403, "SCOPE_NOT_GRANTED", "events:read"])
    }))
})
