/** The door of the app, from outside: who is let in, what for, and from which pages. */
import { assert, layer } from "@effect/vitest"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { Notices } from "@freehold/core/notice/Notices"
import { Organizations } from "@freehold/core/organization/Organizations"
import { pauseMillis, viewingWindows } from "@freehold/core/viewing/FairUse"
import { PageViews } from "@freehold/core/viewing/PageViews"
import { Clock, Effect } from "effect"
import { request } from "node:http"
import { vi } from "vitest"
import * as KnownCallers from "../../src/KnownCallers.ts"
import * as Turns from "../../src/Turns.ts"
import { bearer, ids, type Sent, TestHost } from "../TestHost.ts"
import { codeOf, fromPage, host, join, linkOf, origin, post, signedIn } from "./AppPeople.ts"

layer(host, { excludeTestServices: true })("The door of the app", (it) => {
  it.effect("a link is shown without being used up, then signs in once, by a cookie that no script reads", () =>
    Effect.gen(function*() {
      const link = yield* linkOf("rich", yield* join("rich", { name: "Ana Sample" }))
      for (const path of ["/console/sign-in", "/console/sign-in/look"]) {
        const { status } = yield* TestHost.use(({ call }) => call("GET", `${path}?link=${link}`, { headers: fromPage }))
        assert.strictEqual(status, 405)
      }
      for (const _ of [1, 2]) {
        const { body } = yield* post("/console/sign-in/look", { link })
        assert.strictEqual(body.data.member, "Ana Sample")
      }
      const { headers, status } = yield* post("/console/sign-in", { link })
      assert.strictEqual(status, 200)
      assert.match(
        headers.get("set-cookie") ?? "",
        /^__Host-freehold=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/
      )
      assert.deepStrictEqual(codeOf(yield* post("/console/sign-in", { link })), [403, "SIGN_IN_LINK_ENDED"])
      assert.deepStrictEqual(codeOf(yield* post("/console/sign-in", { link: 7 })), [403, "SIGN_IN_LINK_ENDED"])
    }))

  it.effect("whoever asks for a sign-in by an address that is no URL is led on like anybody else", () =>
    Effect.gen(function*() {
      const { port } = yield* TestHost
      for (const path of ["http://a:99999/sign-in/issuer?to=/leads", "http://a:99999/sign-in/callback"]) {
        const location = yield* Effect.callback<string | undefined>((resume) => {
          request({ port, path }, ({ headers }) => resume(Effect.succeed(headers.location))).end()
        })
        assert.match(location ?? "", /^\/sign-in\?refused=/, path)
      }
    }))

  it.effect("only pages of this origin are listened to, and a cookie is no key of /v1", () =>
    Effect.gen(function*() {
      const { cookie } = yield* signedIn("rich")
      const { call } = yield* TestHost
      const from = (headers: Sent["headers"]) =>
        Effect.map(call("POST", "/console/app_get_session", { json: {}, headers: { cookie, ...headers } }), codeOf)
      for (const site of ["cross-site", "same-site", "none"]) {
        assert.deepStrictEqual(yield* from({ "sec-fetch-site": site, origin }), [403, "FOREIGN_ORIGIN"])
      }
      assert.deepStrictEqual(yield* from({ origin: "https://elsewhere.example" }), [403, "FOREIGN_ORIGIN"])
      assert.deepStrictEqual(yield* from({}), [403, "FOREIGN_ORIGIN"])
      assert.deepStrictEqual(yield* from({ origin }), [200, undefined])
      assert.deepStrictEqual(yield* from(fromPage), [200, undefined])

      const { status } = yield* call("GET", "/v1/me", { headers: { cookie } })
      assert.strictEqual(status, 401)
      assert.deepStrictEqual(codeOf(yield* post("/console/app_get_session", {}, bearer("rich"))), [
        401,
        "SIGN_IN_REQUIRED"
      ])
    }))

  it.effect("who is removed, loses the seat or signs out is told so by the next request", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const { ask, cookie, joined } = yield* signedIn("rich")
      assert.strictEqual((yield* ask("app_get_session")).body.data.member.member_id, joined.memberId)
      yield* organizations.saveMember("org_rich", { ...joined, seat: false })
      assert.deepStrictEqual(codeOf(yield* ask("app_get_session")), [403, "NO_ACTIVE_SEAT"])
      yield* organizations.saveMember("org_rich", { ...joined, status: "removed" })
      assert.deepStrictEqual(codeOf(yield* ask("app_get_session")), [401, "SIGN_IN_REQUIRED"])

      const other = yield* signedIn("rich")
      const gone = yield* post("/console/sign-out", {}, { cookie: other.cookie })
      assert.match(gone.headers.get("set-cookie") ?? "", /^__Host-freehold=; Max-Age=0;/)
      assert.deepStrictEqual(codeOf(yield* other.ask("app_get_session")), [401, "SIGN_IN_REQUIRED"])
      const removed = yield* post("/console/sign-out", {}, { cookie })
      assert.match(removed.headers.get("set-cookie") ?? "", /^__Host-freehold=; Max-Age=0;/)
    }))

  it.effect("whoever has a session gets out, however the organization stands, and a cookie that is none is forgotten", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const { call } = yield* TestHost
      const out = (cookie: string) => post("/console/sign-out", {}, { cookie })
      const isForgotten = ({ headers }: { readonly headers: Headers }) =>
        headers.get("set-cookie")?.startsWith("__Host-freehold=; Max-Age=0;") === true
      for (const status of ["suspended", "closed"] as const) {
        const { ask, cookie } = yield* signedIn("rich")
        yield* organizations.setStatus("org_rich", status)
        const code = status === "closed" ? "ACCOUNT_CLOSED" : "ORG_SUSPENDED"
        assert.strictEqual(codeOf(yield* ask("app_get_session"))[1], code)
        // Where it is to go on is what is asked for.
        assert.deepStrictEqual(codeOf(yield* ask("change", { org_id: "org_nowhere" })), [403, "NOT_A_MEMBER"])
        const left = yield* out(cookie)
        assert.deepStrictEqual([left.status, left.body.data, isForgotten(left)], [200, { leave: null }, true])
        yield* organizations.setStatus("org_rich", "active")
        assert.deepStrictEqual(codeOf(yield* ask("app_get_session")), [401, "SIGN_IN_REQUIRED"])
      }
      for (const cookie of ["", "__Host-freehold=no-secret", `__Host-freehold=${"a".repeat(43)}`]) {
        const answer = yield* out(cookie)
        assert.deepStrictEqual([answer.status, isForgotten(answer)], [200, true], cookie)
      }
      const { status } = yield* call("POST", "/console/sign-out", {
        json: {},
        headers: { "sec-fetch-site": "cross-site" }
      })
      assert.strictEqual(status, 403)
    }))

  it.effect("503 rate_limit_unavailable: nobody waits longer for a database that hangs, and few of an organization ask it", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich")
      assert.strictEqual((yield* ask("app_get_session")).status, 200)
      let asking = 0
      let most = 0
      const never = Effect.suspend(() => {
        most = Math.max(most, ++asking)
        return Effect.never
      })
      const hanging = vi.spyOn(yield* AppSignIn, "admit")
        .mockReturnValue(Effect.ensuring(never, Effect.sync(() => void asking--)))
      const together = Array.from({ length: 8 }, () => ask("app_get_session"))
      const answers = yield* Effect.all(together, { concurrency: "unbounded" })
      hanging.mockRestore()
      assert.deepStrictEqual(answers.map(codeOf), answers.map(() => [503, "rate_limit_unavailable"]))
      assert.isAtMost(most, 4)
      assert.strictEqual(asking, 0)
    }))

  it.effect("whose request it is, is known by the cookie once somebody was let in with it, so that nobody waits behind strangers", () =>
    Effect.gen(function*() {
      const { ask, cookie } = yield* signedIn("rich")
      const claim = KnownCallers.claimOf({ cookie })
      assert.isNull(KnownCallers.ofProcess.find(claim))
      yield* ask("app_get_session")
      assert.strictEqual(KnownCallers.ofProcess.find(claim), "org_rich")
    }))

  it.effect("who was let in goes on in a turn of the organization, as over REST, however little is sent", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich")
      const { call } = yield* TestHost
      const isFree = vi.spyOn(Turns.ofProcess, "isFree").mockReturnValue(false)
      const take = vi.spyOn(Turns.ofProcess, "take")
      const begunBy = Effect.fnUntraced(function*<E, R>(asked: Effect.Effect<{ readonly status: number }, E, R>) {
        take.mockClear()
        assert.strictEqual((yield* asked).status, 200)
        return take.mock.calls.flatMap(([{ orgId }, , isBegun = false]) => isBegun ? [orgId] : [])
      })
      yield* Effect.gen(function*() {
        const json = { query: "1 Sample Street" }
        const search = call("POST", "/v1/properties/search", { json, headers: bearer("rich") })
        assert.deepStrictEqual(yield* begunBy(search), ["org_rich"])
        assert.deepStrictEqual(yield* begunBy(ask("service_search_properties", json)), ["org_rich"])
      }).pipe(Effect.ensuring(Effect.sync(() => {
        isFree.mockRestore()
        take.mockRestore()
      })))
    }))

  it.effect("every plan may use the app; gates, roles and what is for admins or machines hold", () =>
    Effect.gen(function*() {
      const team = yield* signedIn("team")
      assert.strictEqual((yield* team.ask("service_get_price_sheet")).status, 200)
      const reader = yield* signedIn("rich", { role: "read_only" })
      assert.deepStrictEqual(codeOf(yield* reader.ask("service_reveal_property", { id: ids.locked })), [
        403,
        "ROLE_NOT_PERMITTED"
      ])
      assert.deepStrictEqual(codeOf(yield* reader.ask("service_list_webhooks")), [403, "ADMINS_ONLY"])
      const admin = yield* signedIn("rich", { role: "admin" })
      assert.deepStrictEqual(codeOf(yield* admin.ask("service_get_lead_bundle", { id: ids.locked })), [
        404,
        "NOT_OFFERED"
      ])
      assert.deepStrictEqual(codeOf(yield* admin.ask("no_such_operation")), [404, "NOT_OFFERED"])
      const gated = yield* signedIn("gated")
      assert.deepStrictEqual(
        codeOf(yield* gated.ask("service_create_list", { list_name: "Mine", list_type: "properties" })),
        [403, "FEATURE_GATED"]
      )
      const suspended = yield* join("suspended")
      assert.deepStrictEqual(
        codeOf(yield* post("/console/sign-in", { link: yield* linkOf("suspended", suspended) })),
        [403, "ORG_SUSPENDED"]
      )
    }))

  it.effect("a refusal names its code, its words and its detail; a body that is no input names the field", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("poor")
      const refused = yield* ask("service_reveal_property", { id: ids.locked })
      assert.deepStrictEqual(codeOf(refused), [402, "INSUFFICIENT_CREDITS"])
      assert.deepInclude(refused.body.refusal, { required: 10, available: 0 })
      const wrong = yield* ask("app_open_property", { id: 7 })
      assert.deepStrictEqual([wrong.status, wrong.body.refusal.issues[0].field], [400, "id"])
      assert.deepStrictEqual(codeOf(yield* ask("app_open_property", "text")), [400, "INVALID_ARGUMENTS"])
    }))

  it.effect("a paid action tells its receipt, and no limit of machines counts it", () =>
    Effect.gen(function*() {
      // 0 paid unlocks and 1 reveal a day are all that keys of this organization have.
      const { ask } = yield* signedIn("capped", { role: "admin" })
      const before = (yield* ask("app_get_session")).body.data.credits
      const { body } = yield* ask("service_reveal_property", { id: ids.locked })
      assert.deepInclude(body.receipt, { charged: 10, remaining: before - 10 })
      const ledger = yield* ask("app_list_ledger", { kind: "charge", limit: 1 })
      assert.deepStrictEqual(body.receipt.entries, [ledger.body.data.entries[0].entry])
      for (const id of [ids.openContact, ids.spareContact]) {
        assert.strictEqual((yield* ask("service_reveal_contact", { id })).body.data.creditsCharged, 5)
      }
      const { call } = yield* TestHost
      const byKey = (id: string) =>
        Effect.map(call("POST", `/v1/contacts/${id}/reveal`, { headers: bearer("capped") }), ({ status }) => status)
      assert.strictEqual(yield* byKey(ids.coveredContact), 200, "the day's one reveal by a key is still there")
      assert.strictEqual(yield* byKey(ids.secondCovered), 429)
    }))

  it.effect("the map tells places of what a member may see, without ids and names, and needs a place to look at", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich")
      assert.deepStrictEqual(codeOf(yield* ask("app_map_points")), [400, "MISSING_QUERY_BOUNDS_OR_COUNTY"])
      assert.deepStrictEqual(
        codeOf(yield* ask("app_map_points", { bounds: { north: 40, south: 30, east: -90, west: -91 } })),
        [400, "INVALID_ARGUMENTS"]
      )
      const filters = { cities: ["Aldermoor"] }
      const found = yield* ask("app_map_points", { filters })
      const listed = yield* ask("service_search_properties", { filters })
      assert.strictEqual(found.status, 200)
      assert.isAtMost(found.body.data.total, listed.body.data.total_matching)
      for (const point of found.body.data.points) {
        assert.deepStrictEqual(Object.keys(point).sort(), ["category", "lat", "lon", "state"])
      }
      const nowhere = yield* signedIn("rich", { territory: { county_fips: ["48999"] } })
      assert.strictEqual((yield* nowhere.ask("app_map_points", { filters })).body.data?.total ?? 0, 0)
    }))

  it.effect("a page tells who can be revealed alone, until the property is open", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich")
      const locked = yield* ask("app_open_property", { id: ids.locked })
      const { contactsSummary, locked_contacts: people } = locked.body.data
      assert.strictEqual(people.length, contactsSummary.contacts.length)
      for (const person of people) {
        assert.deepStrictEqual(Object.keys(person).sort(), ["availability", "contact_id", "role_type", "title"])
      }
      assert.deepStrictEqual((yield* ask("app_open_property", { id: ids.unlocked })).body.data.locked_contacts, [])
    }))

  it.effect("opening pages too fast pauses them for that member alone, tells the admins and the operator, and lifts by the clock", () =>
    Effect.gen(function*() {
      const fast = yield* signedIn("rich")
      const slow = yield* signedIn("rich")
      const views = yield* PageViews
      const now = yield* Clock.currentTimeMillis
      // As many as a person may open in ten minutes, but one.
      yield* Effect.forEach(
        Array.from({ length: 59 }, (_, index) => index),
        (index) =>
          views.open({
            orgId: "org_rich",
            memberId: fast.joined.memberId,
            propertyId: `00000000-0000-4000-c000-${String(index).padStart(12, "0")}`,
            windows: viewingWindows,
            pauseMillis,
            now
          })
      )
      const open = (of: typeof fast, id: string) => of.ask("app_open_property", { id })
      assert.deepStrictEqual(codeOf(yield* open(fast, ids.nowhere)), [404, "NOT_FOUND"])
      assert.strictEqual((yield* open(fast, ids.locked)).status, 200)
      assert.strictEqual((yield* open(fast, ids.locked)).status, 200, "the same page again")
      const paused = yield* open(fast, ids.unlocked)
      assert.deepStrictEqual(codeOf(paused), [429, "VIEWING_PAUSED"])
      assert.isAbove(Date.parse(paused.body.refusal.until), now)
      assert.deepStrictEqual(codeOf(yield* open(fast, ids.locked)), [429, "VIEWING_PAUSED"])
      assert.strictEqual((yield* open(slow, ids.unlocked)).status, 200)
      assert.strictEqual(
        (yield* fast.ask("service_search_properties", { filters: { cities: ["Aldermoor"] } })).status,
        200
      )
      const { notices } = yield* Notices.use(({ list }) => list({ orgId: "org_rich", limit: 10, offset: 0 }))
      assert.deepStrictEqual(notices.map(({ kind }) => kind), ["viewing_paused"])
      const operators = yield* Notices.use(({ list }) => list({ orgId: null, limit: 1, offset: 0 }))
      assert.deepStrictEqual(operators.notices, notices)
    }))

  it.effect("pages are the same for everybody and say what a browser may do there; their files are kept for good", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      for (const path of ["/", `/properties/${ids.locked}`]) {
        const { headers, status, text } = yield* call("GET", path)
        assert.deepStrictEqual([status, text], [200, "<!doctype html><title>The app</title>"])
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self';/)
        assert.strictEqual(headers.get("cache-control"), "no-cache")
        assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000")
        const again = yield* call("GET", path, { headers: { "if-none-match": headers.get("etag") ?? "" } })
        assert.strictEqual(again.status, 304)
      }
      const { headers } = yield* call("GET", "/assets/main-1.js")
      assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual((yield* call("GET", "/nowhere")).status, 404)
      for (const [path, status] of [["/nowhere", 404], ["/properties/%E0%A4%A", 400]] as const) {
        const shown = yield* call("GET", path, { headers: { accept: "text/html,*/*;q=0.8" } })
        assert.deepStrictEqual([shown.status, shown.headers.get("content-type")], [status, "text/html; charset=utf-8"])
        assert.match(shown.text, /There is no such page/)
        assert.match(shown.headers.get("content-security-policy") ?? "", /default-src 'none'/)
        const told = yield* call("GET", path, { headers: { accept: "application/json" } })
        assert.deepStrictEqual([told.status, told.body.success], [status, false])
      }
    }))
})
