import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, ids, layer as host, TestHost } from "../TestHost.ts"

const path = "/v1/contacts/browse"
const headers = bearer("rich")

layer(host, { excludeTestServices: true })("POST /v1/contacts/browse", (it) => {
  it.effect("200: without a body, everyone whom the organization sees, without names", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.total_matching, 5)
      assert.deepStrictEqual(body.data.contacts[0], {
        contact_id: ids.contact,
        title: "Asset Manager",
        role_type: "asset_manager",
        seniority: "unknown",
        employer_name: "Sample Owner",
        property_count_in_territory: 1,
        revealed: false,
        email_validated: true,
        has_phone: false
      })
    }))

  it.effect("200: a market marks and ranks the firm's people", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, {
        headers,
        json: { organizationId: ids.owner.toUpperCase(), marketCountyFips: "48113", sort: "marketRank" }
      })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.total_matching, 1)
      assert.deepInclude(body.data.contacts[0], { in_market: true, market_property_count: 1, market_rank: 1 })
    }))

  it.effect("200: whatever accents title and employer have, where nobody has them as was asked, page by page", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const page = (more: object) =>
        Effect.map(
          call("POST", path, { headers, json: { titleText: "Ássèt", employerText: "sámplè", limit: 1, ...more } }),
          ({ body }) => body
        )
      const first = yield* page({})
      assert.strictEqual(first.data.total_matching, 1)
      assert.strictEqual(first.data.contacts[0].contact_id, ids.contact)
      const chiefs = { titleText: "chîef", employerText: undefined }
      const begun = yield* page(chiefs)
      const next = yield* page({ ...chiefs, cursor: begun.data.next_cursor })
      assert.strictEqual(next.data.next_cursor, null)
      const found = [begun, next].map(({ data }) => data.contacts[0].contact_id)
      assert.sameMembers(found, [ids.spareContact, ids.coveredContact])
      const other = yield* page({ ...chiefs, titleText: "chief", cursor: begun.data.next_cursor })
      assert.strictEqual(other.meta.code, "INVALID_CURSOR")
    }))

  it.effect("200: every condition at once, a page past the end, and a county outside the area", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const all = yield* call("POST", path, {
        headers,
        json: {
          roleType: "asset_manager",
          titleText: "ASSET",
          employerText: "owner",
          countyFips: ["48113"],
          revealedState: "locked",
          sort: "propertyCount",
          limit: 200,
          offset: 1
        }
      })
      assert.deepStrictEqual(all.body, {
        success: true,
        data: { contacts: [], total_matching: 1, next_cursor: null },
        meta: { note: "Only 1 match: offset begins behind the last of them." }
      })
      const outside = yield* call("POST", path, { headers, json: { countyFips: ["48439"] } })
      assert.deepStrictEqual(outside.body, {
        success: true,
        data: { contacts: [], total_matching: 0, next_cursor: null },
        meta: { note: "County 48439 lies outside the area that your organization switched on." }
      })
    }))

  it.effect("200: says why there is nobody, and in which of the counties there is nothing to see", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const noteOf = (json: object) =>
        Effect.map(call("POST", path, { headers, json }), ({ body: { meta } }) => meta?.note)
      assert.strictEqual(yield* noteOf({ titleText: "zzzz" }), "Nobody whom you see fits titleText.")
      assert.strictEqual(
        yield* noteOf({ titleText: "zzzz", revealedState: "locked", limit: 1 }),
        "Nobody whom you see fits all of titleText, revealedState: leave one out."
      )
      assert.strictEqual(
        yield* noteOf({ countyFips: ["48113", "48439"] }),
        "County 48439 lies outside the area that your organization switched on."
      )
      assert.isUndefined(yield* noteOf({ countyFips: ["48113"] }))
    }))

  it.effect("200: changes narrow once they are switched on", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const asked = (json: object) => call("POST", path, { headers: bearer("signalled"), json })
      const within = yield* asked({ changedWithinDays: 1 })
      assert.deepStrictEqual(
        within.body.data.contacts.map((row: { contact_id: string }) => row.contact_id),
        [ids.contact]
      )
      const other = yield* asked({ changedKinds: ["contact_departure"] })
      assert.strictEqual(other.body.data.total_matching, 0)
    }))

  it.effect("400: change filters before they are switched on", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers, json: { changedWithinDays: 30 } })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.meta.code, "SIGNALS_NOT_ENABLED")
      assert.strictEqual(body.meta.issues[0].field, "changedWithinDays")
    }))

  it.effect("400: names each field and its rule", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const fields = (json: object) =>
        Effect.map(call("POST", path, { headers, json }), ({ body, status }) => {
          assert.strictEqual(status, 400)
          return body.meta.issues.map((issue: { field: string }) => issue.field)
        })
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ limit: 201 }, "limit"],
        [{ offset: -1 }, "offset"],
        [{ roleType: "boss" }, "roleType"],
        [{ titleText: " " }, "titleText"],
        [{ countyFips: [] }, "countyFips"],
        [{ countyFips: ["4811"] }, "countyFips.0"],
        [{ revealedState: "open" }, "revealedState"],
        [{ organizationId: "1" }, "organizationId"],
        [{ marketCountyFips: "48113" }, "marketCountyFips"],
        [{ sort: "marketRank", organizationId: ids.owner }, "sort"],
        [{ changedKinds: ["sale"] }, "changedKinds.0"],
        [{ changedWithinDays: 3651 }, "changedWithinDays"],
        [{ name: "Ada" }, "name"]
      ]
      for (const [json, field] of cases) assert.deepStrictEqual(yield* fields(json), [field])
    }))

  it.effect("400: beyond an offset of 100,000 says to go on with cursor", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const last = yield* call("POST", path, { headers, json: { offset: 10_000 } })
      assert.deepStrictEqual([last.status, last.body.data.contacts], [200, []])
      const { body, status } = yield* call("POST", path, { headers, json: { offset: 10_001 } })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.meta.issues, [
        { field: "offset", message: "Expected at most 10000; go on with cursor, the next_cursor of the page before" }
      ])
    }))

  it.effect("403: nothing visible says why", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("POST", path, { headers: bearer("placeless") })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body.meta, { code: "NO_VISIBLE_TERRITORY", cause: "no_serviceable_area" })
    }))
})
