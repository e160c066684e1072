/** What an organization's admins do in the app: its keys, members, settings and credits, and the log of all of it. */
import { assert, layer } from "@effect/vitest"
import { maximumActiveKeys } from "@freehold/core/access/KeyRing"
import { appOperations } from "@freehold/core/catalogue/AppCatalogue"
import { operations } from "@freehold/core/catalogue/Catalogue"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Effect, Option } from "effect"
import { TestHost } from "../TestHost.ts"
import { codeOf, host, join, signedIn } from "./AppPeople.ts"

const admin = { role: "admin" } as const

const nobody = "00000000-0000-4000-b000-999999999999"

/** The field that names what is administered; one that narrows a list (`actor_id`) or a part of that is none. */
const isId = /^(id|event_id|credential_id|member_id)$/

/** The operations of admins that are about something by its id. */
const administeringById = [...operations, ...appOperations].flatMap(({ access, input, name }) =>
  access.app === "admins" && "fields" in input && Object.keys(input.fields).some((field) => isId.test(field))
    ? [name]
    : []
)

/** An input of each of them. */
const aboutIds = ({ endpoint: id, event: event_id, key: credential_id, member: member_id }: {
  readonly key: string
  readonly member: string
  readonly endpoint: string
  readonly event: string
}): Readonly<Record<string, object>> => ({
  app_change_key: { credential_id, scopes: ["mcp"] },
  app_revoke_key: { credential_id },
  app_change_member: { member_id, role: "admin" },
  app_remove_member: { member_id },
  app_issue_sign_in_link: { member_id },
  app_list_member_sessions: { member_id },
  app_revoke_member_sessions: { member_id, session_id: null },
  app_set_member_connections: { member_id, client_id: null, revoked: true },
  service_change_webhook: { id, label: "Sample" },
  service_delete_webhook: { id },
  service_disable_webhook: { id },
  service_enable_webhook: { id },
  service_list_webhook_deliveries: { id },
  service_resend_failed_deliveries: { id, since: "2026-01-01T00:00:00Z" },
  service_rotate_webhook_secret: { id },
  service_test_webhook: { id },
  service_get_webhook_delivery: { event_id },
  service_resend_webhook_delivery: { event_id }
})

layer(host, { excludeTestServices: true })("An organization's admins", (it) => {
  it.effect("make a key whose secret is shown once, narrow it, and revoke it for its very next request", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { ask } = yield* signedIn("team", admin)
      const made = yield* ask("app_create_key", {
        name: "Sample CRM",
        scopes: ["account:read"],
        daily_limits: { contact_reveal: 5 }
      })
      const { key: { credential_id: id }, secret } = made.body.data
      assert.match(secret, /^fhk_[\w-]{43}$/)
      const account = Effect.map(
        call("GET", "/v1/account", { headers: { authorization: `Bearer ${secret}` } }),
        ({ status }) => status
      )
      const listed = Effect.map(
        ask("app_list_keys"),
        ({ body }) => body.data.keys.find((key: { credential_id: string }) => key.credential_id === id)
      )
      assert.strictEqual((yield* listed).last_used_at, null)
      assert.strictEqual(yield* account, 200)
      const shown = yield* listed
      assert.notInclude(JSON.stringify(shown), secret)
      assert.isNotNull(shown.last_used_at)
      assert.strictEqual(shown.daily_limits.contact_reveal, 5)

      const changed = yield* ask("app_change_key", {
        credential_id: id,
        scopes: ["events:read", "pipeline:transitions_full"],
        daily_limits: { contact_reveal: null, lead_export: 0 }
      })
      assert.deepStrictEqual(changed.body.data.scopes, ["events:read", "pipeline:transitions_full"])
      assert.deepInclude(changed.body.data.daily_limits, { contact_reveal: null, lead_export: 0 })
      assert.strictEqual(yield* account, 403)

      assert.strictEqual((yield* ask("app_revoke_key", { credential_id: id })).body.data.status, "revoked")
      assert.strictEqual(yield* account, 401)
      assert.deepStrictEqual(codeOf(yield* ask("app_change_key", { credential_id: id, scopes: ["mcp"] })), [
        400,
        "INVALID_ARGUMENTS"
      ])
    }))

  it.effect("cannot give a scope at creation that is only added later, nor make an eleventh key", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("team", admin)
      const make = (scope: string, name = "sample") => ask("app_create_key", { name, scopes: [scope] })
      assert.deepStrictEqual(codeOf(yield* make("pipeline:transitions_full")), [400, "INVALID_ARGUMENTS"])
      const { body } = yield* ask("app_list_keys")
      const active = body.data.keys.filter(({ status }: { status: string }) => status === "active").length
      const made = yield* Effect.forEach(
        Array.from({ length: maximumActiveKeys - active }, (_, n) => `sample ${n}`),
        (name) => make("mcp", name)
      )
      assert.deepStrictEqual(codeOf(yield* make("mcp", "sample 0")), [400, "INVALID_ARGUMENTS"])
      assert.deepStrictEqual(codeOf(yield* make("mcp")), [409, "CREDENTIAL_LIMIT_REACHED"])
      for (const each of made) yield* ask("app_revoke_key", { credential_id: each.body.data.key.credential_id })
    }))

  it.effect("let people in, change what they may, sign them out, and remove them", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("reading", admin)
      const added = yield* ask("app_add_member", {
        email: "new@people.example",
        name: "New Sample",
        role: "member",
        seat: true,
        territory: { county_fips: ["53903"] },
        monthly_credit_limit: 40
      })
      const { member_id } = added.body.data
      const find = Effect.map(
        ask("app_list_members"),
        ({ body }) => body.data.members.find((each: { member_id: string }) => each.member_id === member_id)
      )
      assert.deepInclude(yield* find, {
        email: "new@people.example",
        territory: { county_fips: ["53903"] },
        monthly_credit_limit: 40,
        spent_this_month: 0,
        connections: []
      })

      const link = yield* ask("app_issue_sign_in_link", { member_id })
      assert.deepStrictEqual([link.status, link.body.data.minutes], [200, 15])
      const theirs = yield* signedIn("reading", { memberId: member_id, email: "new@people.example" })
      const { body: { data: { sessions } } } = yield* ask("app_list_member_sessions", { member_id })
      assert.strictEqual(sessions.length, 1)
      const ended = yield* ask("app_revoke_member_sessions", { member_id, session_id: sessions[0].session_id })
      assert.strictEqual(ended.body.data.ended, 1)
      assert.deepStrictEqual(codeOf(yield* theirs.ask("app_get_session")), [401, "SIGN_IN_REQUIRED"])

      yield* ask("app_change_member", { member_id, role: "read_only", territory: null, monthly_credit_limit: null })
      assert.deepInclude(yield* find, {
        name: "Ana",
        role: "read_only",
        territory: null,
        monthly_credit_limit: null
      })
      yield* ask("app_remove_member", { member_id })
      assert.deepInclude(yield* find, { status: "removed" })
      const late = yield* ask("app_change_member", { member_id, role: "admin" })
      assert.deepStrictEqual(codeOf(late), [400, "INVALID_ARGUMENTS"])
    }))

  it.effect("stay at least one: the last admin with a seat is neither removed nor made less", () =>
    Effect.gen(function*() {
      const { ask, joined: { memberId: member_id } } = yield* signedIn("placeless", admin)
      for (const change of [{ role: "member" }, { seat: false }]) {
        assert.deepStrictEqual(codeOf(yield* ask("app_change_member", { member_id, ...change })), [
          400,
          "INVALID_ARGUMENTS"
        ])
      }
      assert.deepStrictEqual(codeOf(yield* ask("app_remove_member", { member_id })), [400, "INVALID_ARGUMENTS"])
      yield* join("placeless", admin)
      assert.strictEqual((yield* ask("app_change_member", { member_id, role: "member" })).status, 200)
      assert.deepStrictEqual(codeOf(yield* ask("app_list_members")), [403, "ADMINS_ONLY"])
    }))

  it.effect("set their own layer of limits and leave the service's, and what else is theirs", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const { ask } = yield* signedIn("capped", admin)
      const before = Option.getOrThrow(yield* organizations.find("org_capped"))
      const { body } = yield* ask("app_change_settings", {
        daily_limits: { lead_export: 7 },
        member_connect: "admins",
        add_loss_reasons: [{ code: "org_sample", label: "A sample", requires_note: false }]
      })
      assert.strictEqual(body.data.daily_limits.lead_export, 7)
      const after = Option.getOrThrow(yield* organizations.find("org_capped"))
      assert.deepStrictEqual(after, {
        ...before,
        daily_limits: {
          ...before.daily_limits,
          lead_export: { ...before.daily_limits.lead_export, organization: 7 }
        },
        member_connect: "admins",
        loss_reasons: [{ code: "org_sample", label: "A sample", requires_note: false }]
      })
      assert.deepStrictEqual((yield* ask("app_get_settings")).body.data.settings, body.data)
      for (const foreign of [{ plan: "enterprise" }, { serviceable_area: {} }, { daily_limits: { lead_export: -1 } }]) {
        assert.deepStrictEqual(codeOf(yield* ask("app_change_settings", foreign)), [400, "INVALID_ARGUMENTS"])
      }
    }))

  it.effect("add and take away reasons of their own one by one, each of a code of its own, as many as there may be", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("team", admin)
      const change = (input: object) => ask("app_change_settings", input)
      const codes = Effect.map(
        ask("app_get_settings"),
        ({ body }) => body.data.settings.loss_reasons.map(({ code }: { code: string }) => code)
      )
      const reason = (name: string) => ({ code: `org_${name}`, label: name, requires_note: false })
      assert.deepStrictEqual(yield* codes, [])
      yield* change({ add_loss_reasons: [reason("one"), reason("two")] })
      yield* change({ add_loss_reasons: [reason("three")], remove_loss_reasons: ["org_one", "org_never"] })
      assert.deepStrictEqual(yield* codes, ["org_two", "org_three"])
      for (const twice of [["two"], ["four", "four"]]) {
        const answer = yield* change({ add_loss_reasons: twice.map(reason) })
        const field = `add_loss_reasons.${twice.length - 1}.code`
        assert.deepStrictEqual(answer.body.refusal.issues, [{ field, message: "Expected each only once" }])
      }
      // A reason takes the place of one of the same code that goes.
      yield* change({ add_loss_reasons: [reason("two")], remove_loss_reasons: ["org_two"] })
      const many = yield* change({ add_loss_reasons: Array.from({ length: 49 }, (_, n) => reason(`more_${n}`)) })
      assert.deepStrictEqual(codeOf(many), [400, "INVALID_ARGUMENTS"])
      yield* change({ remove_loss_reasons: ["org_two", "org_three"] })
      assert.deepStrictEqual(yield* codes, [])
    }))

  it.effect("test and resend nothing where an endpoint is disabled, and are told which one", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("team", admin)
      const { body } = yield* ask("service_create_webhook", { url: "https://receiver.example/quiet" })
      const { id } = body.data.endpoint
      const { event_id } = (yield* ask("service_test_webhook", { id })).body.data
      yield* ask("service_disable_webhook", { id })
      const issuesOf = (name: string, input: object) => Effect.map(ask(name, input), ({ body }) => body.refusal.issues)
      const why = "the endpoint is not active (disabled)"
      assert.deepStrictEqual(yield* issuesOf("service_test_webhook", { id }), [
        { field: "id", message: `Expected an active endpoint: ${why}` }
      ])
      assert.deepStrictEqual(yield* issuesOf("service_resend_webhook_delivery", { event_id }), [
        { field: "event_id", message: `Expected a delivery of an active endpoint: ${why}` }
      ])
      yield* ask("service_delete_webhook", { id })
    }))

  it.effect("see who changed what, with before and after, and nothing where nothing changed", () =>
    Effect.gen(function*() {
      const { ask, joined } = yield* signedIn("team", { ...admin, name: "Logging Sample" })
      const entries = Effect.map(
        ask("app_list_administration"),
        ({ body }) => body.data.entries.filter(({ actor }: { actor: { id: string } }) => actor.id === joined.memberId)
      )
      yield* ask("app_change_settings", { agent_pipeline_changes: false })
      yield* ask("app_change_settings", { agent_pipeline_changes: false })
      const { body } = yield* ask("app_create_key", { name: "logged", scopes: ["mcp"] })
      const { key: { credential_id }, secret } = body.data
      yield* ask("app_change_key", { credential_id, daily_limits: { contact_reveal: 3 } })
      yield* ask("app_revoke_key", { credential_id })
      yield* ask("app_revoke_key", { credential_id })
      const url = "https://receiver.example/logged"
      const added = yield* ask("service_create_webhook", { url })
      yield* ask("service_disable_webhook", { id: added.body.data.endpoint.id })
      yield* ask("service_delete_webhook", { id: added.body.data.endpoint.id })
      yield* ask("service_delete_webhook", { id: added.body.data.endpoint.id })
      const told = yield* entries
      assert.deepStrictEqual(
        told.map(({ action, after, before }: Record<string, unknown>) => [action, before, after]),
        [
          ["endpoint.removed", { events: ["lead.qualified"] }, null],
          ["endpoint.disabled", { disabled_reason: null }, { disabled_reason: "disabled" }],
          ["endpoint.added", null, { events: ["lead.qualified"] }],
          ["key.revoked", { status: "active" }, { status: "revoked" }],
          ["key.changed", { contact_reveal: null }, { contact_reveal: 3 }],
          ["key.created", null, {
            scopes: ["mcp"],
            contact_reveal: null,
            lead_export: null,
            agent_pipeline_change: null,
            paid_property_unlock: null,
            records_taken_per_day: null
          }],
          ["settings.changed", { agent_pipeline_changes: true }, { agent_pipeline_changes: false }]
        ]
      )
      assert.strictEqual(told[0].actor.name, "Logging Sample")
      assert.strictEqual(told[0].subjectName, url)
      assert.notInclude(JSON.stringify(told), secret)
      assert.notInclude(JSON.stringify(told), added.body.data.signing_secret)
      yield* ask("app_change_settings", { agent_pipeline_changes: true })
    }))

  it.effect("read their ledger newest first, and what is left of each grant", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich", admin)
      const { body: { data } } = yield* ask("app_get_credits")
      const session = yield* ask("app_get_session")
      assert.strictEqual(data.total, session.body.data.credits)
      const page = yield* ask("app_list_ledger", { limit: 1 })
      const [entry] = page.body.data.entries
      assert.strictEqual(entry.balance_after, data.total)
      assert.deepStrictEqual(codeOf(yield* ask("app_list_ledger", { cursor: "x" })), [400, "INVALID_CURSOR"])
      const grants = yield* ask("app_list_ledger", { kind: "grant" })
      for (const { kind } of grants.body.data.entries) assert.strictEqual(kind, "grant")
    }))

  it.effect("meet nothing of another organization: its ids answer like ids of nobody", () =>
    Effect.gen(function*() {
      const { ask } = yield* signedIn("rich", admin)
      const stranger = yield* signedIn("gated", admin)
      const { body } = yield* stranger.ask("app_create_key", { name: "theirs", scopes: ["mcp"] })
      const connected = yield* stranger.ask("service_create_webhook", { url: "https://receiver.example/theirs" })
      const { id: endpoint } = connected.body.data.endpoint
      const sent = yield* stranger.ask("service_test_webhook", { id: endpoint })
      const theirs = {
        key: body.data.key.credential_id,
        member: stranger.joined.memberId,
        endpoint,
        event: sent.body.data.event_id
      }
      for (const ids of [theirs, { key: nobody, member: nobody, endpoint: nobody, event: nobody }]) {
        const tries = aboutIds(ids)
        assert.sameMembers(Object.keys(tries), administeringById)
        const answers = yield* Effect.forEach(
          Object.entries(tries),
          ([name, input]) => Effect.map(ask(name, input), (answer) => [name, ...codeOf(answer)])
        )
        assert.deepStrictEqual(answers, Object.keys(tries).map((name) => [name, 404, "NOT_FOUND"]))
      }
      const { body: { data: { entries } } } = yield* stranger.ask("app_list_administration")
      const foreign = yield* ask("app_list_administration", { cursor: entries[0].id })
      assert.deepStrictEqual(foreign.body.data.entries, [])
      const { actor } = entries[0]
      assert.isString(actor.id)
      const ledger = yield* ask("app_list_ledger", { actor_id: actor.id })
      assert.deepStrictEqual(ledger.body.data.entries, [])
      const { body: { data: { keys } } } = yield* ask("app_list_keys")
      assert.notInclude(keys.map(({ credential_id }: { credential_id: string }) => credential_id), theirs.key)
      assert.strictEqual((yield* stranger.ask("app_get_session")).status, 200)
    }))
})
