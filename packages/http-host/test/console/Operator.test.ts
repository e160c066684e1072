/** The operator's area, from outside: who is let in, what is done and written down, and what is seen as a member. */
import { assert, layer } from "@effect/vitest"
import { Operator } from "@freehold/core/access/Operator"
import { appOperations } from "@freehold/core/catalogue/AppCatalogue"
import { operations } from "@freehold/core/catalogue/Catalogue"
import { OperatorCatalogue, operatorOperations } from "@freehold/core/catalogue/OperatorCatalogue"
import { Auditor } from "@freehold/core/credit/Auditor"
import { OwnerMatches } from "@freehold/core/firm/OwnerMatches"
import { Importer, ImportRefused } from "@freehold/core/import/Importer"
import * as KnownCounties from "@freehold/core/lookup/KnownCounties"
import * as OwnerMatchesMemory from "@freehold/core/memory/firm/OwnerMatchesMemory"
import * as ImportRunsMemory from "@freehold/core/memory/import/ImportRunsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PlaceMatchesMemory from "@freehold/core/memory/property/PlaceMatchesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import { Installation } from "@freehold/core/operator/Installation"
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import { Organizations } from "@freehold/core/organization/Organizations"
import { PlaceMatches } from "@freehold/core/property/PlaceMatches"
import { OperatorRequests } from "@freehold/core/request/OperatorRequests"
import { ended } from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Clock, Deferred, Duration, Effect, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as OperatorHost from "../../src/console/OperatorHost.ts"
import { bearer, ids, TestHost } from "../TestHost.ts"
import { codeOf, fromPage, hostWith, origin, people, post, signedIn } from "./AppPeople.ts"

/** An audit has begun. */
const begun = Deferred.makeUnsafe<void>()
/** Holds an audit up until the test lets it go on. */
const held = Deferred.makeUnsafe<void>()

const installation = Layer.mergeAll(
  Layer.succeed(Installation, {
    findings: Effect.succeed([{ check: "database", outcome: "ok" as const, detail: "a made-up one" }]),
    work: Effect.succeed({
      events: { due: 0, lag: 0 },
      deliveries: { due: 2, lag: 1.5, inFlight: 1, waiting: 3 },
      research: { due: 0, lag: 0, running: 0 },
      endpoints: []
    })
  }),
  Layer.succeed(Auditor, {
    audit: Effect.as(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(held)), [{
      law: "L1",
      title: "A made-up law",
      count: 0,
      violations: []
    }])
  }),
  Layer.succeed(Importer, {
    check: (_, map) => map === "{}" ? Effect.void : Effect.fail(new ImportRefused({ reason: "is no map" })),
    run: ({ bytes, onProgress, onRejects }) =>
      Effect.gen(function*() {
        const text = yield* Stream.runFold(bytes, () => "", (read, part) => read + String.fromCharCode(...part))
        const counts = { read: 2, inserted: 1, updated: 0, unchanged: 0, rejected: 1 }
        yield* onProgress(counts, text.length)
        yield* onRejects(Effect.succeed("a rejected row\n"))
        if (text === "faulty") return yield* new ImportRefused({ reason: "is no such file" })
        return { counts, shown: Effect.succeed([{ line: 1, row: text }]), note: null }
      })
  }),
  ImportRunsMemory.layer,
  SuppressionsMemory.layer,
  PropertyMergesMemory.layer,
  OwnerMatchesMemory.layer,
  PlaceMatchesMemory.layer
)

const host = Layer.merge(
  hostWith(
    OperatorHost.layer({ origin, publicOrigin: origin }).pipe(
      Layer.provide(OperatorCatalogue.layer.pipe(Layer.provide(installation), Layer.provide(people)))
    )
  ),
  Layer.provide(DeliveriesMemory.layer, people)
)

/** Signs in as the operator; answers the cookie. */
const operator = Effect.fnUntraced(function*(name = "Sam Sample") {
  const link = Redacted.value(yield* OperatorSignIn.use((signIn) => signIn.issueLink(name)))
  const { headers } = yield* post("/console/operator/sign-in", { link })
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? ""
  return {
    cookie,
    ask: (operation: string, input: unknown = {}) => post(`/console/operator/${operation}`, input, { cookie })
  }
})

const because = { reason: "a made-up reason" }

layer(host, { excludeTestServices: true })("The operator's area", (it) => {
  it.effect("lets in by a link that is shown without being used up, once, by a cookie of its own", () =>
    Effect.gen(function*() {
      const link = Redacted.value(yield* OperatorSignIn.use((signIn) => signIn.issueLink("Sam Sample")))
      const { status } = yield* TestHost.use(({ call }) => call("GET", `/console/operator/sign-in?link=${link}`))
      assert.strictEqual(status, 405)
      for (const _ of [1, 2]) {
        const { body } = yield* post("/console/operator/sign-in/look", { link })
        assert.strictEqual(body.data.operator, "Sam Sample")
      }
      const { headers } = yield* post("/console/operator/sign-in", { link })
      const kept = headers.get("set-cookie") ?? ""
      assert.match(
        kept,
        /^__Host-freehold-operator=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax; Secure$/
      )
      assert.deepStrictEqual(codeOf(yield* post("/console/operator/sign-in", { link })), [403, "SIGN_IN_LINK_ENDED"])
      const cookie = kept.split(";")[0] ?? ""
      const { body: { data: { entries } } } = yield* post("/console/operator/operator_list_log", {}, { cookie })
      assert.deepInclude(entries[0], {
        action: "operator.signed_in",
        actor: "Sam Sample",
        subject: "Sam Sample",
        orgId: null
      })
      assert.notInclude(JSON.stringify(entries), link)
      const session = post("/console/operator/operator_get_session", {}, { cookie })
      assert.strictEqual((yield* session).body.data.name, "Sam Sample")
      const elsewhere = yield* post("/console/operator/operator_get_session", {}, {
        cookie,
        "sec-fetch-site": "cross-site"
      })
      assert.deepStrictEqual(codeOf(elsewhere), [403, "FOREIGN_ORIGIN"])
      assert.strictEqual((yield* post("/console/operator/sign-out", {}, { cookie })).status, 200)
      assert.deepStrictEqual(codeOf(yield* session), [401, "OPERATOR_SIGN_IN_REQUIRED"])
    }))

  it.effect("takes no more than 4 KiB from whoever signs in, and as many large bodies as come from whoever has", () =>
    Effect.gen(function*() {
      for (const path of ["sign-in", "sign-in/look"]) {
        const { body, status } = yield* post(`/console/operator/${path}`, { link: "x".repeat(4096) })
        assert.deepStrictEqual([status, body.refusal.message], [413, "The request body is larger than 4 KiB."], path)
      }
      const { ask } = yield* operator()
      const large = { org_id: "x".repeat(1_000_000) }
      const together = yield* Effect.all(
        Array.from({ length: 20 }, () => ask("operator_get_organization", large)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(together.map(({ status }) => status))], [400])
    }))

  it.effect("does none of its operations for a member, an admin, a key, or nobody, by any door", () =>
    Effect.gen(function*() {
      const admin = yield* signedIn("rich", { role: "admin" })
      const member = yield* signedIn("rich")
      const { cookie } = yield* operator()
      const secretOf = (text: string) => text.slice(text.indexOf("=") + 1)
      assert.isAtLeast(operatorOperations.length, 19)
      for (const { access: { app }, name } of operatorOperations) {
        assert.strictEqual(app, "nobody")
        const asked = (headers: Record<string, string>) =>
          Effect.map(post(`/console/operator/${name}`, { org_id: "org_poor" }, headers), codeOf)
        const refused = [401, "OPERATOR_SIGN_IN_REQUIRED"]
        for (
          const headers of [
            {},
            { cookie: member.cookie },
            { cookie: admin.cookie },
            // A secret of one kind under the name of the other.
            { cookie: `__Host-freehold-operator=${secretOf(admin.cookie)}` },
            bearer("rich")
          ]
        ) {
          assert.deepStrictEqual(yield* asked(headers), refused, name)
        }
        assert.deepStrictEqual(codeOf(yield* admin.ask(name, { org_id: "org_poor" })), [404, "NOT_OFFERED"], name)
      }
      const asMember = yield* post("/console/app_get_session", {}, { cookie: `__Host-freehold=${secretOf(cookie)}` })
      assert.deepStrictEqual(codeOf(asMember), [401, "SIGN_IN_REQUIRED"])
      assert.deepStrictEqual(codeOf(yield* post("/console/app_get_session", {}, { cookie })), [401, "SIGN_IN_REQUIRED"])
      for (const path of ["see-as", "sign-out"]) {
        assert.deepStrictEqual(codeOf(yield* post(`/console/operator/${path}`, {}, { cookie: admin.cookie })), [
          401,
          "OPERATOR_SIGN_IN_REQUIRED"
        ])
      }
    }))

  it.effect("finds organizations, and shows one as it stands", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator()
      const found = yield* ask("operator_list_organizations", { text: "RICH" })
      assert.deepStrictEqual(found.body.data.items.map(({ org_id }: { org_id: string }) => org_id), ["org_rich"])
      const { body: { data } } = yield* ask("operator_get_organization", { org_id: "org_rich" })
      assert.deepInclude(data, { org_id: "org_rich", plan: "enterprise", status: "active" })
      assert.strictEqual(data.document.org_id, "org_rich")
      assert.isAbove(data.credits, 0)
      assert.isAbove(data.keys.length, 0)
      assert.notInclude(JSON.stringify(data), "fhk_made")
      const nobody = yield* ask("operator_get_organization", { org_id: "org_nobody" })
      assert.deepStrictEqual(codeOf(nobody), [404, "NOT_FOUND"])
    }))

  it.effect("makes and changes an organization by the difference that was seen, and by no other", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const { ask } = yield* operator()
      const document = { org_id: "org_fresh", name: "Fresh Sample", keys: [{ name: "ci", scopes: ["account:read"] }] }
      const plan = yield* ask("operator_plan_organization", { document })
      assert.deepInclude(plan.body.data, { org_id: "org_fresh", outcome: "created" })
      assert.include(plan.body.data.changes, "name: Fresh Sample")
      const whole = yield* ask("operator_plan_organization", { document: { organizations: [document] } })
      assert.deepStrictEqual(whole.body.data, plan.body.data)
      const several = yield* ask("operator_plan_organization", { document: { organizations: [document, document] } })
      assert.deepStrictEqual(several.body.refusal.issues, [
        { field: "organizations", message: "Expected one organization; this document has 2" }
      ])
      assert.isTrue(Option.isNone(yield* organizations.find("org_fresh")))
      const apply = (given: unknown, seen: string) =>
        ask("operator_apply_organization", { document: given, seen, ...because })
      const other = yield* apply({ ...document, plan: "enterprise" }, plan.body.data.seen)
      assert.deepStrictEqual(codeOf(other), [409, "DIFFERENCE_CHANGED"])
      assert.isTrue(Option.isNone(yield* organizations.find("org_fresh")))
      const made = yield* apply(document, plan.body.data.seen)
      assert.match(made.body.data.secrets[0].secret, /^fhk_[\w-]{43}$/)
      assert.strictEqual(Option.getOrThrow(yield* organizations.find("org_fresh")).name, "Fresh Sample")

      const faulty = yield* ask("operator_plan_organization", { document: { ...document, plam: "team" } })
      assert.deepStrictEqual(codeOf(faulty), [400, "INVALID_ARGUMENTS"])
      assert.strictEqual(faulty.body.refusal.issues[0].field, "plam")
      const unreasoned = yield* ask("operator_apply_organization", { document, seen: plan.body.data.seen, reason: " " })
      assert.deepStrictEqual(codeOf(unreasoned), [400, "INVALID_ARGUMENTS"])

      const { body: { data: { entries } } } = yield* ask("operator_list_log", { org_id: "org_fresh" })
      assert.lengthOf(entries, 1)
      assert.deepInclude(entries[0], {
        action: "org.applied",
        orgId: "org_fresh",
        actor: "Sam Sample",
        subject: "org_fresh",
        reason: "a made-up reason"
      })
      assert.notInclude(JSON.stringify(entries), made.body.data.secrets[0].secret)
    }))

  it.effect("gives credits once for a reference, gives a charge back once, suspends and resumes; each written down", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator("Tess Sample")
      const org_id = "org_unpaid"
      const grant = ask("operator_grant_credits", {
        org_id,
        bucket: "purchased",
        amount: 70,
        ref: "invoice-1",
        ...because
      })
      const first = yield* grant
      assert.strictEqual(first.body.data.outcome, "created")
      assert.deepInclude((yield* grant).body.data, { outcome: "unchanged", credits: first.body.data.credits })
      const past = {
        org_id,
        bucket: "purchased",
        amount: 70,
        ref: "invoice-2",
        expires_at: "1969-12-31T00:00:00Z",
        ...because
      }
      const over = yield* ask("operator_grant_credits", past)
      assert.deepStrictEqual(codeOf(over), [400, "INVALID_ARGUMENTS"])
      assert.strictEqual(over.body.refusal.issues[0].field, "expires_at")
      const refund = yield* ask("operator_refund_charge", { org_id, entry: first.body.data.entry, ...because })
      assert.deepStrictEqual(codeOf(refund), [400, "INVALID_ARGUMENTS"])

      const theirs = yield* signedIn("unpaid")
      const set = (status: string) => ask("operator_set_organization_status", { org_id, status, ...because })
      assert.strictEqual((yield* set("suspended")).body.data.status, "suspended")
      yield* set("suspended")
      assert.deepStrictEqual(codeOf(yield* theirs.ask("app_get_session")), [403, "ORG_SUSPENDED"])
      yield* set("active")
      assert.strictEqual((yield* theirs.ask("app_get_session")).status, 200)

      const { body: { data: { entries } } } = yield* ask("operator_list_log", { org_id })
      assert.deepStrictEqual(
        entries.map(({ action, actor, after }: { action: string; actor: string; after: object }) => [
          action,
          actor,
          Object.keys(after).toSorted()
        ]),
        [
          ["org.resumed", "Tess Sample", ["status"]],
          ["org.suspended", "Tess Sample", ["status"]],
          ["credits.granted", "Tess Sample", ["amount", "bucket", "credits", "entry", "expires_at", "ref"]]
        ]
      )
      const admin = yield* signedIn("unpaid", { role: "admin" })
      const told = yield* admin.ask("app_list_administration")
      assert.deepStrictEqual(
        told.body.data.entries.map(({ action }: { action: string }) => action),
        ["org.resumed", "org.suspended", "credits.granted"]
      )
      assert.notInclude(JSON.stringify(told.body), "Tess")
      assert.notInclude(JSON.stringify(told.body), because.reason)
    }))

  it.effect("gives back what was charged, and closes what the charge opened", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator()
      const theirs = yield* signedIn("rich")
      const unlocked = yield* theirs.ask("service_reveal_property", { id: ids.locked })
      assert.strictEqual(unlocked.body.receipt?.charged, 10, JSON.stringify(unlocked.body))
      const { body: { data: { entries: [charge] } } } = yield* ask("operator_list_ledger", { org_id: "org_rich" })
      assert.strictEqual(charge.kind, "charge")
      assert.deepInclude(charge, { subject_id: ids.locked, subject_name: "1 Sample Street" })
      const beyond = yield* ask("operator_refund_charge", { org_id: "org_rich", entry: 2_147_483_648, ...because })
      assert.strictEqual(beyond.status, 400)
      const refund = ask("operator_refund_charge", { org_id: "org_rich", entry: charge.entry, ...because })
      const first = yield* refund
      assert.strictEqual(first.body.data.credits, unlocked.body.receipt.remaining + 10)
      assert.deepInclude((yield* refund).body.data, { outcome: "unchanged", credits: first.body.data.credits })
      const { body } = yield* ask("operator_list_ledger", { org_id: "org_rich" })
      assert.deepInclude(body.data.entries[0], { kind: "refund", refund_of: charge.entry, ref: because.reason })
      const page = yield* theirs.ask("app_open_property", { id: ids.locked })
      assert.isFalse(page.body.data.unlocked ?? page.body.data.property.unlocked ?? false)
    }))

  it.effect("runs one audit at a time, and tells how the installation stands", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator()
      const running = yield* Effect.forkChild(ask("operator_run_audit"))
      let second = yield* ask("operator_get_health")
      assert.strictEqual(second.body.data.findings[0].detail, "a made-up one")
      assert.deepInclude(second.body.data.work.deliveries, { due: 2, inFlight: 1 })
      yield* Deferred.await(begun)
      assert.deepStrictEqual(codeOf(yield* ask("operator_run_audit")), [409, "ALREADY_RUNNING"])
      yield* Deferred.succeed(held, undefined)
      assert.strictEqual((yield* Fiber.join(running)).body.data.laws[0].law, "L1")
      second = yield* ask("operator_run_audit")
      assert.strictEqual(second.status, 200)
    }))

  it.effect("takes a file in parts, loads it in the background, and keeps how it went with its rejects", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { ask, cookie } = yield* operator()
      const given = { kind: "firms", name: "sample.ndjson", map: null, strict: false, dry_run: false, ...because }
      const csv = yield* ask("operator_begin_import", { ...given, name: "sample.csv" })
      assert.strictEqual(csv.body.refusal.issues[0].field, "map")
      const odd = yield* ask("operator_begin_import", { ...given, map: "[]" })
      assert.deepInclude(odd.body.refusal.issues[0], { field: "map", message: "is no map" })
      const part = (id: string, number: number | string, body: string, headers: Record<string, string> = { cookie }) =>
        Effect.map(
          call("POST", `/console/operator/imports/${id}/${number}`, {
            body: new TextEncoder().encode(body),
            headers: { ...fromPage, ...headers, "content-type": "application/octet-stream" }
          }),
          codeOf
        )
      const imported = Effect.fnUntraced(function*(parts: ReadonlyArray<string>) {
        const { body: { data: { id } } } = yield* ask("operator_begin_import", given)
        for (const [number, text] of parts.entries()) {
          assert.deepStrictEqual(yield* part(id, number, text), [200, undefined])
        }
        const started = yield* ask("operator_start_import", { id })
        assert.strictEqual(started.body.data.state, "running")
        const { body } = yield* Effect.repeat(ask("operator_get_import", { id }), {
          until: ({ body }) => body.data.state !== "running"
        })
        return { id, run: body.data }
      })
      const { id, run } = yield* imported(["one ", "two"])
      assert.deepInclude(run, { state: "ended", read: 2, inserted: 1, rejected: 1, bytes: 7, by: "Sam Sample" })
      assert.deepStrictEqual(run.shown, [{ line: 1, row: "one two" }])
      const rejects = yield* ask("operator_list_rejects", { id, after: 0 })
      assert.deepStrictEqual(rejects.body.data, { texts: ["a rejected row\n"], next: 1 })
      assert.strictEqual((yield* ask("operator_list_rejects", { id, after: 1 })).body.data.next, null)
      const { run: failed } = yield* imported(["faulty"])
      assert.deepInclude(failed, { state: "failed", fault: "is no such file" })
      const { body: { data: { notices } } } = yield* ask("operator_get_health")
      assert.deepInclude(notices[0], { org_id: null, mail: "waiting" })
      assert.match(notices[0].text, /^The import of firms from .* failed: is no such file$/)

      assert.deepStrictEqual(codeOf(yield* ask("operator_start_import", { id })), [400, "INVALID_ARGUMENTS"])
      assert.deepStrictEqual(yield* part(id, 2, "late"), [400, "INVALID_ARGUMENTS"])
      assert.deepStrictEqual(yield* part("nothing", "x", "y"), [400, "INVALID_ARGUMENTS"])
      assert.deepStrictEqual(yield* part(id, 0, "x", {}), [401, "OPERATOR_SIGN_IN_REQUIRED"])
      const { body: { data: { items } } } = yield* ask("operator_list_imports")
      assert.deepStrictEqual(items.slice(0, 2).map(({ state }: { state: string }) => state), ["failed", "ended"])
    }))

  it.effect("answers what customers ask for, once", () =>
    Effect.gen(function*() {
      const requests = yield* OperatorRequests
      const { ask } = yield* operator()
      const id = "00000000-0000-4000-8000-00000000aaaa"
      yield* requests.add({
        orgId: "org_rich",
        id,
        asked: { kind: "support", subject: "A made-up question", message: "Why?" },
        actor: { kind: "key", id: "key", name: "sample" },
        requestId: "request",
        most: 10,
        spanMillis: 1000,
        now: yield* Clock.currentTimeMillis
      })
      const { body: { data: { counties: named } } } = yield* ask("operator_list_counties")
      const known = yield* KnownCounties.make
      assert.isAbove(named.length, 0)
      assert.deepStrictEqual(
        named,
        (yield* known).map((county) => ({ fips: county.countyFips, label: KnownCounties.labelOf(county) }))
      )
      const listed = yield* ask("operator_list_requests", { status: "open" })
      assert.deepStrictEqual(listed.body.data.items.map((each: { id: string }) => each.id), [id])
      const closed = yield* ask("operator_close_request", { id, answer: "Because.", ...because })
      assert.deepInclude(closed.body.data, { status: "closed", answer: "Because." })
      assert.strictEqual((yield* ask("operator_list_requests", { status: "open" })).body.data.total, 0)
      const logged = Effect.map(
        ask("operator_list_log", { org_id: "org_rich" }),
        ({ body }) => body.data.entries.filter((each: { subject: string }) => each.subject === id)
      )
      const [line] = yield* logged
      assert.deepInclude(line, { action: "request.closed", after: { status: "closed", answer: "Because." } })
      // Whoever had it on screen as well.
      const late = yield* ask("operator_close_request", { id, answer: "From Monday.", ...because })
      assert.deepStrictEqual(codeOf(late), [400, "INVALID_ARGUMENTS"])
      assert.include(JSON.stringify(late.body), "it was closed before, with the answer: Because.")
      assert.lengthOf(yield* logged, 1)
      const unknown = yield* ask("operator_close_request", { id: ids.nowhere, ...because })
      assert.deepStrictEqual(codeOf(unknown), [400, "INVALID_ARGUMENTS"])
    }))

  it.effect("finds which webhooks are in trouble, sends again what was given up, tests and enables; each written down", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator()
      const state = yield* MemoryState
      const endpoints = yield* WebhookEndpoints
      const now = yield* Clock.currentTimeMillis
      const id = "00000000-0000-4000-8000-00000000ee01"
      const url = "https://receiver.example/rich"
      yield* endpoints.register({
        id,
        orgId: "org_rich",
        url,
        targetKey: url,
        label: "A made-up receiver",
        events: ["lead.qualified"],
        includeEvidence: false,
        createdVia: "api",
        secret: Redacted.make("whsec_kept to ourselves"),
        now
      })
      const listed = (which: string, org_id?: string) =>
        Effect.map(
          ask("operator_list_endpoints", { which, ...org_id === undefined ? {} : { org_id } }),
          ({ body }) => body.data.items
        )
      assert.deepStrictEqual(yield* listed("troubled"), [])
      assert.deepStrictEqual((yield* listed("all", "org_rich")).map((each: { id: string }) => each.id), [id])

      const tested = yield* ask("operator_test_endpoint", { id, ...because })
      const eventId: string = tested.body.data.event_id
      assert.strictEqual(tested.body.data.event_type, "lead.qualified")
      assert.strictEqual((yield* listed("waiting"))[0].waiting, 1)
      const resend = (given: object = {}) =>
        ask("operator_resend_deliveries", { id, event_ids: [eventId], ...because, ...given })
      assert.deepStrictEqual((yield* resend()).body.data, { resent: 0, under_way: 1 })

      const deliveries = yield* Deliveries
      const [claimed] = yield* deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.minutes(1) })
      if (claimed === undefined) return assert.fail("the test is due")
      const outcome = { _tag: "Failed", status: 500, reason: "answered 500", answer: "a made-up fault" } as const
      yield* deliveries.complete([ended(claimed, outcome)], [])
      const [troubled] = yield* listed("troubled")
      assert.deepInclude(troubled, { id, org_id: "org_rich", url, label: "A made-up receiver", ended: 1, given_up: 1 })
      assert.deepInclude(troubled.last_fault, { state: "failed", last_status: 500, last_error: "answered 500" })

      const sent = yield* ask("operator_list_deliveries", { id })
      assert.deepInclude(sent.body.data.deliveries[0], {
        event_id: eventId,
        test: true,
        state: "failed",
        attempts: 1,
        has_ended: true,
        given_up: true
      })
      const shown = yield* ask("operator_get_delivery", { org_id: "org_rich", event_id: eventId })
      assert.strictEqual(shown.body.data.attempts[0].answer, "a made-up fault")
      // Neither the body nor a secret.
      for (const { body } of [sent, shown]) {
        assert.notInclude(JSON.stringify(body), "whsec_")
        assert.notInclude(JSON.stringify(body), state.deliveries.get(eventId)?.data ?? "no data")
      }
      const elsewhere = yield* ask("operator_get_delivery", { org_id: "org_poor", event_id: eventId })
      assert.deepStrictEqual(codeOf(elsewhere), [404, "NOT_FOUND"])

      assert.deepStrictEqual((yield* resend({ event_ids: [eventId, eventId] })).body.data, { resent: 1, under_way: 0 })
      // All of them, or none.
      assert.deepStrictEqual(codeOf(yield* resend({ event_ids: [ids.nowhere] })), [404, "NOT_FOUND"])
      assert.deepStrictEqual(codeOf(yield* resend({ id: ids.nowhere })), [404, "NOT_FOUND"])
      assert.deepStrictEqual(codeOf(yield* resend({ event_ids: [] })), [400, "INVALID_ARGUMENTS"])

      yield* endpoints.disable("org_rich", id)
      const refused = yield* resend()
      assert.deepStrictEqual(codeOf(refused), [400, "INVALID_ARGUMENTS"])
      assert.deepInclude(refused.body.refusal.issues[0], { field: "id" })
      assert.strictEqual((yield* ask("operator_test_endpoint", { id, ...because })).status, 400)
      assert.deepStrictEqual((yield* ask("operator_enable_endpoint", { id, ...because })).body.data, {
        id,
        active: true
      })
      yield* ask("operator_enable_endpoint", { id, ...because })
      const log = yield* ask("operator_list_log", { org_id: "org_rich" })
      const noted = log.body.data.entries.filter(({ subject }: { subject: string }) => subject === id)
      assert.deepStrictEqual(
        noted.map(({ action, after }: { action: string; after: unknown }) => [action, after]),
        [
          ["endpoint.enabled", { disabled_reason: null }],
          ["endpoint.resent", { event_ids: [eventId] }],
          ["endpoint.tested", null]
        ]
      )

      assert.deepStrictEqual(codeOf(yield* ask("operator_list_deliveries", { id: ids.nowhere })), [404, "NOT_FOUND"])
      const lost = yield* ask("operator_list_deliveries", { id, cursor: ids.nowhere })
      assert.deepStrictEqual(codeOf(lost), [400, "INVALID_CURSOR"])
    }))

  it.effect("stops listing a person and lists them again; shows what a merge would move, and merges", () =>
    Effect.gen(function*() {
      const { ask } = yield* operator()
      const person = { kind: "contact", named: ids.spareContact, ...because }
      const unlisted = yield* ask("operator_suppress", person)
      assert.strictEqual(unlisted.body.data.outcome, "created")
      assert.lengthOf((yield* ask("operator_list_suppressions")).body.data.items, 1)
      assert.strictEqual((yield* ask("operator_lift_suppression", person)).body.data.outcome, "lifted")
      assert.deepStrictEqual(codeOf(yield* ask("operator_lift_suppression", person)), [400, "INVALID_ARGUMENTS"])
      assert.deepStrictEqual(codeOf(yield* ask("operator_suppress", { kind: "owner", named: "!", ...because })), [
        400,
        "INVALID_ARGUMENTS"
      ])

      const pair = { from: ids.spare, into: ids.staffed }
      const plan = yield* ask("operator_plan_merge", pair)
      assert.strictEqual(plan.body.data.outcome, "merged")
      assert.deepStrictEqual((yield* ask("operator_plan_merge", pair)).body.data, plan.body.data)
      const merged = yield* ask("operator_merge_properties", { ...pair, ...because })
      assert.deepStrictEqual(merged.body.data, plan.body.data)
      assert.strictEqual((yield* ask("operator_plan_merge", pair)).body.data.outcome, "unchanged")
      const odd = yield* ask("operator_plan_merge", { from: ids.locked, into: "no such property" })
      assert.deepStrictEqual(odd.body.refusal.issues[0].field, "into")

      const { body: { data: { entries } } } = yield* ask("operator_list_log")
      const actions = entries.filter(({ orgId }: { orgId: unknown }) => orgId === null)
        .map(({ action }: { action: string }) => action)
        .filter((action: string) => action !== "import.started")
      assert.deepStrictEqual(actions.slice(0, 3), ["property.merged", "suppression.lifted", "suppression.made"])
    }))

  it.effect("decides whether owners are firms, and takes it back", () =>
    Effect.gen(function*() {
      yield* Effect.gen(function*() {
        const matches = yield* OwnerMatches
        yield* matches.keepOwners("48001", [{
          name: "SAMPLE OWNR LLC",
          key: "SAMPLE OWNR",
          blocks: ["words SAMPLE"],
          properties: 2,
          mailing: [],
          agents: [],
          isFounding: false,
          isCut: false
        }])
        const [owner] = yield* matches.undecided("48001", null, 1)
        const ownerId = owner?.ownerId ?? ""
        yield* matches.keepMatches([ownerId], [
          { ownerId, firmId: ids.owner, confidence: 0.85, evidence: ["one_slip"], state: "proposed" }
        ])
      }).pipe(Effect.provide(OwnerMatchesMemory.layer))
      const { ask } = yield* operator()
      const listed = (state: string, more: object = {}) =>
        Effect.map(ask("operator_list_owner_matches", { state, ...more }), ({ body }) => body.data.items)
      const [proposed] = yield* listed("proposed")
      assert.deepInclude(proposed, {
        state: "proposed",
        confidence: 0.85,
        evidence: ["one_slip"],
        owner: { name: "SAMPLE OWNR LLC", county_fips: "48001", properties: 2 }
      })
      assert.deepStrictEqual(yield* listed("proposed", { county_fips: "48003" }), [])
      const decide = (decision: string, id = proposed.id) =>
        ask("operator_decide_owner_match", { id, decision, ...because })
      assert.strictEqual((yield* decide("accepted")).body.data.state, "accepted")
      assert.deepStrictEqual(yield* listed("proposed"), [])
      assert.strictEqual((yield* decide("rejected")).body.data.state, "rejected")
      assert.deepStrictEqual((yield* listed("rejected")).map(({ id }: { id: string }) => id), [proposed.id])
      const unknown = yield* decide("accepted", "987654")
      assert.deepStrictEqual(unknown.body.refusal.issues, [{ field: "id", message: "there is no match 987654" }])
      assert.deepStrictEqual(codeOf(yield* ask("operator_list_owner_matches", { state: "merged" })), [
        400,
        "INVALID_ARGUMENTS"
      ])
      const { body: { data: { entries } } } = yield* ask("operator_list_log")
      assert.deepStrictEqual(
        entries.slice(0, 2).map(({ action, reason, subject }: Record<string, string>) => ({ action, reason, subject })),
        ["match.rejected", "match.accepted"].map((action) => ({
          action,
          ...because,
          subject: `owner SAMPLE OWNR LLC of 48001, firm ${proposed.firm.key}`
        }))
      )
    }))

  it.effect("keeps two records apart that were proposed, or merges them, which nothing takes back", () =>
    Effect.gen(function*() {
      const [oneId, otherId] = [ids.covered, ids.unresearched]
      yield* PlaceMatches.use((matches) =>
        matches.keep([oneId, otherId], [{ oneId, otherId, confidence: 0.9, evidence: ["same_address"] }])
      ).pipe(Effect.provide(PlaceMatchesMemory.layer))
      const { ask } = yield* operator()
      const listed = (state: string) =>
        Effect.map(ask("operator_list_place_matches", { state }), ({ body }) => body.data.items)
      const [{ id }] = yield* listed("proposed")
      const decide = (decision: string) => ask("operator_decide_place_match", { id, decision, ...because })
      assert.deepInclude((yield* decide("rejected")).body.data, { state: "rejected", moved: null })
      assert.lengthOf(yield* listed("rejected"), 1)
      const merged = (yield* decide("accepted")).body.data
      assert.strictEqual(merged.state, "accepted")
      assert.isNumber(merged.moved.contacts)
      const again = yield* decide("rejected")
      assert.match(again.body.refusal.issues[0].message, /were merged; that cannot be undone$/)
      const { body: { data: { entries } } } = yield* ask("operator_list_log")
      assert.deepStrictEqual(entries.slice(0, 2).map(({ action }: { action: string }) => action), [
        "property.merged",
        "match.rejected"
      ])
    }))

  it.effect("sees the app as a member, who is told by nothing that they can do, and changes nothing there", () =>
    Effect.gen(function*() {
      const state = yield* MemoryState
      const theirs = yield* signedIn("rich", { name: "Ana Sample", role: "admin" })
      const sam = yield* operator("Sam Sample")
      const { cookie } = sam
      const member_id = theirs.joined.memberId
      const seeAs = (given: object) => post("/console/operator/see-as", given, { cookie })
      const foreign = yield* seeAs({ org_id: "org_poor", member_id, ...because })
      assert.deepStrictEqual(codeOf(foreign), [404, "NOT_FOUND"])
      assert.deepStrictEqual(codeOf(yield* seeAs({ org_id: "org_rich", member_id })), [400, "INVALID_ARGUMENTS"])
      const { headers } = yield* seeAs({ org_id: "org_rich", member_id, ...because })
      const kept = headers.get("set-cookie") ?? ""
      assert.match(kept, /^__Host-freehold-view=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
      const view = kept.split(";")[0] ?? ""
      const ask = (operation: string, input: unknown = {}, more = "") =>
        post(`/console/${operation}`, input, { cookie: `${view}${more}` })
      const session = yield* ask("app_get_session", {}, `; ${theirs.cookie}`)
      assert.strictEqual(session.body.data.member.name, "Ana Sample")
      assert.isString(session.body.data.seen_until)

      const opened = yield* ask("app_open_property", { id: ids.unlocked })
      assert.strictEqual(opened.status, 200)
      assert.isFalse(state.viewers.has(`org_rich ${member_id}`))
      const before = JSON.stringify([...state.sessions.values()])
      const all = [...operations, ...appOperations]
      let refused = 0
      for (const { effect, name } of all) {
        const [status, code] = codeOf(yield* ask(name))
        if (effect === "read" || effect === "meter") {
          assert.notStrictEqual(code, "VIEW_ONLY", name)
        } else {
          assert.deepStrictEqual([status, code], [403, "VIEW_ONLY"], name)
          refused++
        }
      }
      assert.isAbove(refused, 40)
      for (const path of ["change", "sign-out"]) assert.deepStrictEqual(codeOf(yield* ask(path)), [403, "VIEW_ONLY"])
      assert.strictEqual(JSON.stringify([...state.sessions.values()]), before)

      yield* Organizations.use((organizations) => organizations.setStatus("org_rich", "suspended"))
      assert.deepStrictEqual(codeOf(yield* ask("app_get_session")), [401, "VIEW_ENDED"], "its members see nothing")
      yield* Organizations.use((organizations) => organizations.setStatus("org_rich", "active"))

      const log = yield* theirs.ask("app_list_administration")
      assert.deepInclude(log.body.data.entries[0], { action: "member.seen_as", subjectName: "Ana Sample" })
      const noted = yield* sam.ask("operator_list_log")
      assert.deepInclude(noted.body.data.entries[0], { action: "member.seen_as", subject: theirs.joined.email })
      assert.strictEqual((yield* post("/console/operator/see-no-more", {}, { cookie: view })).status, 200)
      assert.deepStrictEqual(codeOf(yield* ask("app_get_session", {}, `; ${theirs.cookie}`)), [401, "VIEW_ENDED"])
      assert.strictEqual((yield* theirs.ask("app_get_session")).body.data.seen_until, null)
    }))
})

const withoutEnd = OperatorCatalogue.layer.pipe(
  Layer.provide(Layer.merge(installation, Layer.succeed(Auditor, { audit: Effect.never }))),
  Layer.provide(people)
)

layer(withoutEnd)("The operator's catalogue", (it) => {
  it.effect("answers within ten minutes, whatever keeps it waiting", () =>
    Effect.gen(function*() {
      const { run } = yield* OperatorCatalogue
      const asked = yield* Effect.forkChild(Effect.flip(run.operator_run_audit({})), { startImmediately: true })
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Fiber.join(asked))._tag, "TEMPORARILY_UNAVAILABLE")
    }).pipe(
      Effect.provideService(Operator, {
        sessionId: "session",
        name: "Sam Sample",
        expiresAt: "2026-01-01T00:00:00.000Z",
        requestId: "request"
      })
    ))
})
