/** The tools that ask the operator for something, from outside: what they answer, and every code that they refuse with. */
import { assert, layer } from "@effect/vitest"
import { Notices } from "@freehold/core/notice/Notices"
import { OperatorRequests } from "@freehold/core/request/OperatorRequests"
import { Effect } from "effect"
import { counties, ids, layer as host, rest, tool, toolAs } from "./ToolHost.ts"

const support = { subject: "Search", message: "Nothing is found" }

layer(host, { excludeTestServices: true })("The tools that ask the operator", (it) => {
  it.effect("record who asks for what", () =>
    Effect.gen(function*() {
      const asked = yield* toolAs("ana", "service_request_support", support)
      assert.deepInclude(asked, { kind: "support", status: "open" })
      const more = yield* tool("service_request_coverage", { county_fips: ["48441", "48441", "06013"] })
      const { requests } = yield* OperatorRequests.use((port) =>
        port.list({ orgId: "org_one", status: "open", limit: 9, offset: 0 })
      )
      assert.deepInclude(requests.find(({ id }) => id === asked.id), {
        ...support,
        createdAt: asked.created_at
      })
      assert.deepInclude(requests.find(({ id }) => id === asked.id)?.actor, { kind: "member", name: "Ana" })
      assert.deepInclude(requests.find(({ id }) => id === more.id), { countyFips: ["48441", "06013"] })
      yield* tool("service_request_coverage", { county_fips: ["06015"] })
      const many = ["06017", "06019", "06021", "06023", "06025", "06027"]
      yield* tool("service_request_coverage", { county_fips: many })
      const { notices } = yield* Notices.use((port) =>
        port.list({ orgId: "org_one", kinds: ["coverage_requested"], limit: 9, offset: 0 })
      )
      assert.sameMembers(notices.map(({ text }) => text), [
        "Coverage is asked for of 2 counties: 48441, 06013.",
        "Coverage is asked for of county 06015.",
        "Coverage is asked for of 6 counties: 06017, 06019, 06021, 06023, 06025 and 1 more."
      ])
    }))

  it.effect("refuse an eleventh of one kind within an hour, with the time to wait", () =>
    Effect.gen(function*() {
      const answers = yield* Effect.forEach(
        Array.from({ length: 14 }),
        () => tool("service_request_support", support, "two"),
        { concurrency: "unbounded" }
      )
      const refused = answers.filter(({ code }) => code === "RATE_LIMITED")
      assert.lengthOf(refused, 4)
      assert.strictEqual(refused[0].kind, "support")
      assert.isTrue(refused[0].retryAfterSeconds > 3500 && refused[0].retryAfterSeconds <= 3600)
      assert.strictEqual((yield* tool("service_request_coverage", { county_fips: ["48439"] }, "two")).status, "open")
    }))

  it.effect("ask for a county once, and say when it was asked for", () =>
    Effect.gen(function*() {
      const asking = (...county_fips: ReadonlyArray<string>) =>
        tool("service_request_coverage", { county_fips }, "twins")
      const first = yield* asking("06001", "06003")
      assert.notProperty(first, "already_requested")
      const day = first.created_at.slice(0, 10)
      const again = yield* asking("06003")
      assert.deepStrictEqual(again, {
        id: first.id,
        kind: "coverage",
        status: "open",
        created_at: first.created_at,
        already_requested: [{ county_fips: "06003", created_at: first.created_at }],
        note: `Your organization has asked for this already, and has no answer yet: 06003 on ${day}. Nothing was sent.`
      })
      const more = yield* asking("06001", "06005")
      assert.notStrictEqual(more.id, first.id)
      assert.include(more.note, `06001 on ${day}. The others were asked for now: 06005.`)
      const list = () =>
        OperatorRequests.use((port) => port.list({ orgId: "org_twins", status: "open", limit: 9, offset: 0 }))
      assert.deepStrictEqual((yield* list()).requests.map(({ countyFips }) => countyFips), [["06005"], [
        "06001",
        "06003"
      ]])
      // What is asked for again and again is none of the requests of the hour.
      for (let n = 0; n < 12; n++) assert.notProperty(yield* asking("06001"), "code")
      yield* OperatorRequests.use(({ close }) => close(first.id, Date.now(), "Next year."))
      assert.notProperty(yield* asking("06003"), "already_requested")
    }))

  it.effect("ask for a county once, however many ask at the same moment", () =>
    Effect.gen(function*() {
      const answers = yield* Effect.forEach(
        Array.from({ length: 12 }),
        () => tool("service_request_coverage", { county_fips: ["06007", "06009"] }, "mover"),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 1)
      assert.lengthOf(answers.filter(({ already_requested }) => already_requested === undefined), 1)
      const { requests } = yield* OperatorRequests.use((port) =>
        port.list({ orgId: "org_mover", status: null, limit: 9, offset: 0 })
      )
      assert.deepStrictEqual(requests.map(({ countyFips }) => countyFips), [["06007", "06009"]])
    }))

  it.effect("are told of with the coverage, and with what the operator answered: to a member what they asked for", () =>
    Effect.gen(function*() {
      const close = (id: string, answer: string) => OperatorRequests.use((port) => port.close(id, Date.now(), answer))
      const asking = (who: "ana" | "ben", ...county_fips: ReadonlyArray<string>) =>
        toolAs(who, "service_request_coverage", { county_fips })
      const ana = yield* asking("ana", "53033")
      const ben = yield* asking("ben", "53035", "06011")
      yield* close(ben.id, "In December.")
      const state = "WA"
      const asked = {
        id: ana.id,
        status: "open",
        county_fips: ["53033"],
        asked_by: "Ana",
        created_at: ana.created_at
      }
      const told = (who: "ana" | "ben", role: "admin" | "member") =>
        Effect.map(
          toolAs(who, "service_get_coverage", { state }, role),
          ({ requests, requests_total }) => [
            // Two of one millisecond come in either order.
            requests.map(({ answer, id }: { readonly id: string; readonly answer?: string }) => [id, answer])
              .sort(),
            requests_total
          ]
        )
      const [ofAna, ofBen] = [[ana.id, undefined], [ben.id, "In December."]]
      assert.deepStrictEqual(yield* told("ana", "member"), [[ofAna], 1])
      assert.deepStrictEqual(yield* told("ben", "member"), [[ofBen], 1])
      assert.deepStrictEqual(yield* told("ana", "admin"), [[ofBen, ofAna].sort(), 2])
      // A key is the organization's.
      const { requests, requests_total } = yield* tool("service_get_coverage", { state })
      assert.strictEqual(requests_total, 2)
      const ofKey = (id: string) => requests.find((each: { readonly id: string }) => each.id === id)
      assert.deepInclude(ofKey(ben.id), {
        status: "closed",
        asked_by: "Ben",
        answer: "In December.",
        user_content: true
      })
      assert.isString(ofKey(ben.id).closed_at)
      assert.deepStrictEqual(ofKey(ana.id), asked)
      assert.deepStrictEqual((yield* tool("service_get_coverage", { state }, "two")).requests, [])
      const elsewhere = yield* tool("service_get_coverage", { state: "CA" })
      assert.include(elsewhere.requests.map(({ id }: { readonly id: string }) => id), ben.id)
      assert.notInclude(elsewhere.requests.map(({ id }: { readonly id: string }) => id), ana.id)
      assert.deepStrictEqual((yield* tool("service_get_coverage", { state: "ZZ" })).requests, [])
      const { body } = yield* rest("/coverage?state=WA", undefined, "twins")
      assert.deepStrictEqual(body.data.requests, [])
    }))

  it.effect("are listed for whoever asked, with what the operator answered, at every door", () =>
    Effect.gen(function*() {
      const question = (who: "ana" | "ben", subject: string) =>
        toolAs(who, "service_request_support", { ...support, subject })
      const ana = yield* question("ana", "A first question")
      const ben = yield* question("ben", "A second question")
      const asked = yield* toolAs("ben", "service_request_coverage", { county_fips: ["12001"] })
      yield* OperatorRequests.use(({ close }) => close(ben.id, Date.now(), "It is mended."))
      type Listed = { readonly id: string }
      const all = [ana.id, ben.id, asked.id]
      const ofThese = ({ requests }: { readonly requests: ReadonlyArray<Listed> }) =>
        requests.flatMap(({ id }) => all.includes(id) ? [id] : []).toSorted()
      // Whoever only reads too.
      const told = yield* toolAs("ben", "service_list_requests", {}, "read_only")
      assert.deepStrictEqual(ofThese(told), [ben.id, asked.id].toSorted())
      assert.deepStrictEqual(ofThese(yield* toolAs("ana", "service_list_requests")), [ana.id])
      assert.deepStrictEqual(ofThese(yield* toolAs("ana", "service_list_requests", {}, "admin")), all.toSorted())
      const answered = told.requests.find(({ id }: Listed) => id === ben.id)
      const record = {
        id: ben.id,
        kind: "support",
        status: "closed",
        ...support,
        subject: "A second question",
        asked_by: "Ben",
        created_at: ben.created_at,
        closed_at: answered.closed_at,
        answer: "It is mended."
      }
      // What people wrote is marked for assistants, as notes are.
      assert.deepStrictEqual(answered, { ...record, user_content: true })
      const { body, status } = yield* rest("/requests")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(ofThese(body.data), all.toSorted())
      assert.deepStrictEqual(body.data.requests.find(({ id }: Listed) => id === ben.id), {
        ...record,
        county_fips: null
      })
      const pages: Array<Listed> = []
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const page: { readonly requests: ReadonlyArray<Listed>; readonly next_cursor: string | null } = yield* tool(
          "service_list_requests",
          { limit: 1, ...cursor === null ? {} : { cursor } }
        )
        assert.lengthOf(page.requests, 1)
        pages.push(...page.requests)
        cursor = page.next_cursor
      }
      assert.deepStrictEqual(pages.map(({ id }) => id), body.data.requests.map(({ id }: Listed) => id))
      const { next_cursor } = yield* toolAs("ana", "service_list_requests", { limit: 1 }, "admin")
      // A cursor is good for whoever sees the same alone.
      const mine = yield* toolAs("ben", "service_list_requests", { cursor: next_cursor })
      assert.strictEqual(mine.code, "INVALID_CURSOR")
      assert.deepStrictEqual(ofThese((yield* rest("/requests", undefined, "twins")).body.data), [])
    }))

  it.effect("are the next step about a property outside, with its county", () =>
    Effect.gen(function*() {
      const refused = yield* tool("service_get_property", { id: ids.outside })
      assert.deepInclude(refused, { code: "OUT_OF_TERRITORY", reason: "subscription", county_fips: counties.outside })
      const { arguments: given, tool: name } = refused.next
      assert.deepStrictEqual([name, given], ["service_request_coverage", { county_fips: [counties.outside] }])
      assert.strictEqual((yield* tool(name, given)).status, "open")
      // A member's territory is an admin's to widen, and nobody says where the place lies.
      const within = yield* toolAs("ana", "service_get_property", { id: ids.first }, "member", [counties.licensed])
      assert.deepStrictEqual(within, {
        code: "OUT_OF_TERRITORY",
        error: "This property is outside your territory.",
        reason: "territory",
        next: { ask: "admin" }
      })
      const asked = yield* toolAs("ana", "service_request_coverage", { county_fips: [counties.open] }, "member", [
        counties.licensed
      ])
      assert.include(asked.issues[0].message, "an admin can add this one to your territory")
      assert.deepStrictEqual(asked.next, { ask: "admin" })
    }))

  it.effect("refuse what does not fit", () =>
    Effect.gen(function*() {
      for (
        const [name, input, field] of [
          ["service_request_support", { ...support, subject: "x".repeat(201) }, "subject"],
          ["service_request_support", { ...support, message: " " }, "message"],
          ["service_request_coverage", { county_fips: [] }, "county_fips"],
          ["service_request_coverage", { county_fips: ["48439", "99001"] }, "county_fips.1"],
          // What is there already.
          ["service_request_coverage", { county_fips: ["48439", counties.open] }, "county_fips.1"],
          ["service_request_coverage", { county_fips: Array.from({ length: 51 }, () => "48439") }, "county_fips"]
        ] as const
      ) {
        const { code, issues } = yield* tool(name, input)
        assert.deepStrictEqual([code, issues[0].field], ["INVALID_ARGUMENTS", field])
      }
      assert.strictEqual(
        (yield* toolAs("ana", "service_request_support", support, "read_only")).code,
        "ROLE_NOT_PERMITTED"
      )
    }))
})
