import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/contacts/search"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("GET /v1/contacts/search", (it) => {
  it.effect("200: rows by a fragment of name or employer, without any detail", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, headers: answered, status } = yield* call("GET", `${path}?query=A%20FIND&limit=1`, { headers })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        success: true,
        data: {
          contacts: [{
            id: ids.contact,
            name: "Ada Findable",
            title: "Asset Manager",
            employer: "Sample Owner",
            location: "Aldermoor, TX"
          }],
          note: null
        }
      })
      assert.strictEqual(answered.get("cache-control"), "no-store")
    }))

  it.effect("200: ten rows when no limit is given, and a note that explains an empty answer", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const people = yield* call("GET", `${path}?query=sample%20person`, { headers })
      assert.strictEqual(people.body.data.contacts.length, 4)
      const nobody = yield* call("GET", `${path}?query=unheard-of`, { headers })
      assert.deepStrictEqual(nobody.body.data, { contacts: [], note: "No contact matches this query." })
      const marks = yield* call("GET", `${path}?query=${encodeURIComponent("\u0301\u0302")}`, { headers })
      assert.deepStrictEqual(marks.body.data, nobody.body.data)
    }))

  it.effect("200: whatever accents the name has, where nobody is called as was asked", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body } = yield* call("GET", `${path}?query=${encodeURIComponent("Àda Fíndable")}`, { headers })
      assert.deepStrictEqual(body.data.contacts.map(({ id }: { readonly id: string }) => id), [ids.contact])
      assert.isNull(body.data.note)
    }))

  it.effect("400: a short query, a large limit, a missing, an unknown and a repeated parameter", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const issues = (query: string) =>
        Effect.map(call("GET", `${path}${query}`, { headers }), ({ body, status }) => {
          assert.strictEqual(status, 400)
          return body.meta.issues
        })
      assert.deepStrictEqual(yield* issues("?query=%20a"), [
        { field: "query", message: "Expected at least 2 characters" }
      ])
      assert.strictEqual((yield* issues(""))[0].field, "query")
      // In Latin-1, the beginning of a letter in UTF-8, and no encoding at all.
      for (const bytes of ["M%FCller", "M%C3", "100%", "Ada%20%"]) {
        assert.deepStrictEqual(yield* issues(`?query=${bytes}`), [
          { field: "query", message: "Expected a query in UTF-8, correctly percent-encoded" }
        ])
        assert.strictEqual((yield* issues(`?query=Ada&${bytes}=1`))[0].field, null)
      }
      assert.strictEqual((yield* issues("?query=ada&limit=51"))[0].field, "limit")
      assert.strictEqual((yield* issues("?query=ada&limit=0"))[0].field, "limit")
      assert.deepStrictEqual(yield* issues("?query=ada&page=2"), [{
        field: "page",
        message: "Unknown key; known are query, limit"
      }])
      assert.deepStrictEqual(yield* issues("?query=ada&query=bo"), [
        { field: "query", message: "Expected the parameter once" }
      ])
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", `${path}?query=ada`, { headers: bearer("placeless") })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))

  it.effect("403: a key without the scope, and a plan without the endpoint", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const bare = yield* call("GET", `${path}?query=ada`, { headers: bearer("bare") })
      assert.deepStrictEqual([bare.status, bare.body.code], [403, "SCOPE_NOT_GRANTED"])
      const team = yield* call("GET", `${path}?query=ada`, { headers: bearer("team") })
      assert.deepStrictEqual([team.status, team.body.code], [403, "UPGRADE_REQUIRED"])
    }))
})
