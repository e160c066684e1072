/** The care of webhook endpoints over REST: every status, under a key with the scope for it alone. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

const nobody = "00000000-0000-4000-8000-000000000999"

const ask = (
  method: string,
  path: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = bearer("rich")
) => TestHost.use(({ call }) => call(method, `/v1/webhooks${path}`, { headers, ...json === undefined ? {} : { json } }))

let made = 0

/** A new endpoint; answers its id. */
const register = Effect.gen(function*() {
  const { body } = yield* ask("POST", "", { url: `https://receiver.example/care/${++made}` })
  return body.data.endpoint.id
})

const status = <E, R>(asked: Effect.Effect<{ readonly status: number }, E, R>) =>
  Effect.map(asked, ({ status }) => status)

const calls = (id: string, event: string) =>
  [
    ["POST", `/${id}/test`],
    ["POST", `/${id}/settings`, { label: "Sample" }],
    ["POST", `/${id}/enable`],
    ["POST", `/${id}/disable`],
    ["POST", `/${id}/rotate-secret`, {}],
    ["POST", `/${id}/resend-failed`, { since: "2026-01-01" }],
    ["GET", `/deliveries/${event}`],
    ["POST", `/deliveries/${event}/resend`]
  ] as const

layer(host, { excludeTestServices: true })("The care of webhooks", (it) => {
  it.effect("tests, labels, disables, enables and rotates an endpoint, and shows the test's delivery", () =>
    Effect.gen(function*() {
      const id = yield* register
      const test = yield* ask("POST", `/${id}/test`)
      assert.deepStrictEqual([test.status, test.body.data.state], [200, "queued"])
      const { event_id } = test.body.data
      const shown = yield* ask("GET", `/deliveries/${event_id}`)
      assert.deepInclude(shown.body.data, { event_id, endpoint_id: id, test: true, state: "queued", attempts: [] })
      assert.isString(shown.body.data.data)

      const changed = yield* ask("POST", `/${id}/settings`, { label: "CRM" })
      assert.strictEqual(changed.body.data.label, "CRM")
      const rotated = yield* ask("POST", `/${id}/rotate-secret`, { overlap_hours: 1 })
      assert.match(rotated.body.data.signing_secret, /^whsec_/)
      assert.strictEqual((yield* ask("POST", `/${id}/disable`)).body.data.active, false)
      const refused = yield* ask("POST", `/${id}/test`)
      assert.deepStrictEqual([refused.status, refused.body.error], [
        400,
        "id: Expected an active endpoint: the endpoint is not active (disabled)"
      ])
      assert.strictEqual((yield* ask("POST", `/${id}/enable`)).body.data.active, true)
      // What waited was cancelled with the endpoint.
      const again = yield* ask("POST", `/${id}/resend-failed`, { since: "1970-01-01" })
      assert.deepStrictEqual(again.body.data, { resent: 1, more: false })
    }))

  it.effect("404: of an endpoint that was deleted nothing is looked after, and what it was sent stays", () =>
    Effect.gen(function*() {
      const id = yield* register
      const { body: { data: { event_id } } } = yield* ask("POST", `/${id}/test`)
      yield* ask("DELETE", `/${id}`)
      for (const [method, path, json] of calls(id, event_id)) {
        const { body, status: answered } = yield* ask(method, path, json)
        if (path.endsWith("/resend")) {
          assert.deepStrictEqual([answered, body.meta.issues[0].field], [400, "event_id"])
        } else {
          assert.strictEqual(answered, path.includes("/deliveries/") ? 200 : 404, path)
        }
      }
    }))

  it.effect("resends one that ended and refuses one under way; resends what failed since a time", () =>
    Effect.gen(function*() {
      const id = yield* register
      const { body: { data: { event_id } } } = yield* ask("POST", `/${id}/test`)
      const early = yield* ask("POST", `/deliveries/${event_id}/resend`)
      assert.deepStrictEqual([early.status, early.body.meta.code], [409, "ACTION_IN_PROGRESS"])
      yield* ask("POST", `/${id}/disable`)
      assert.strictEqual(yield* status(ask("POST", `/deliveries/${event_id}/resend`)), 400)
      yield* ask("POST", `/${id}/enable`)
      const again = yield* ask("POST", `/deliveries/${event_id}/resend`)
      assert.deepStrictEqual(again.body.data, {
        event_id,
        endpoint_id: id,
        event_type: "lead.qualified",
        state: "queued"
      })
      const failed = yield* ask("POST", `/${id}/resend-failed`, { since: "2026-01-01" })
      assert.deepStrictEqual(failed.body.data, { resent: 0, more: false })
      assert.strictEqual(yield* status(ask("POST", `/${id}/resend-failed`, { since: "yesterday" })), 400)
    }))

  it.effect("answers ids of another organization like those of nobody, and changes nothing there", () =>
    Effect.gen(function*() {
      const id = yield* register
      const { body: { data: { event_id } } } = yield* ask("POST", `/${id}/test`)
      for (const [method, path, json] of [...calls(id, event_id), ...calls(nobody, nobody)]) {
        const { body, status } = yield* ask(method, path, json, bearer("team"))
        assert.deepStrictEqual([path, status, body.meta.code], [path, 404, "NOT_FOUND"])
      }
      const { body } = yield* ask("GET", "")
      const found = body.data.endpoints.find((each: { id: string }) => each.id === id)
      assert.deepInclude(found, { label: null, active: true })
    }))

  it.effect("needs a key, and its scope", () =>
    Effect.gen(function*() {
      for (const [method, path, json] of calls(nobody, nobody)) {
        assert.strictEqual(yield* status(ask(method, path, json, {})), 401)
        const { body, status: refused } = yield* ask(method, path, json, bearer("bare"))
        assert.deepStrictEqual([refused, body.meta.code], [403, "SCOPE_NOT_GRANTED"])
      }
    }))

  it.effect("refuses an eleventh active endpoint, and events that are not switched on", () =>
    Effect.gen(function*() {
      const id = yield* register
      const signals = yield* ask("POST", `/${id}/settings`, { events: ["signal.sale"] })
      assert.deepStrictEqual([signals.status, signals.body.meta.code], [400, "SIGNALS_NOT_ENABLED"])
      yield* ask("POST", `/${id}/disable`)
      const more: Array<string> = []
      for (let free = true; free;) {
        const { body, status } = yield* ask("POST", "", { url: `https://receiver.example/care/${++made}` })
        free = status === 200 || status === 201
        if (free) more.push(body.data.endpoint.id)
      }
      const refused = yield* ask("POST", `/${id}/enable`)
      assert.deepStrictEqual([refused.status, refused.body.meta.code], [409, "WEBHOOK_ENDPOINT_LIMIT_REACHED"])
      for (const each of more) yield* ask("DELETE", `/${each}`)
    }))
})
