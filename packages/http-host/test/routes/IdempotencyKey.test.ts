import { assert, layer } from "@effect/vitest"
import { IdempotencyRoom } from "@freehold/core/operation/Idempotency"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { routes } from "../../src/Routes.ts"
import { bearer, ids, layer as host, type Sent, type Tenant, TestHost } from "../TestHost.ts"

const ask = (tenant: Tenant, key: string, path: string, sent: Sent = {}, method = "POST") =>
  TestHost.use(({ call }) =>
    call(method, `/v1${path}`, { ...sent, headers: { ...bearer(tenant), "idempotency-key": key } })
  )

const creditsOf = (tenant: Tenant) =>
  TestHost.use(({ call }) =>
    Effect.map(
      call("GET", "/v1/account", { headers: bearer(tenant) }),
      ({ body }): number => body.data.credit_balance.total
    )
  )

const charged = "service-credits-charged"

layer(host, { excludeTestServices: true })("Idempotency-Key", (it) => {
  it.effect("200: the same request under the same key is done once and answered the same", () =>
    Effect.gen(function*() {
      const before = yield* creditsOf("rich")
      const first = yield* ask("rich", "reveal-1", `/contacts/${ids.contact}/reveal`)
      assert.deepStrictEqual([first.status, first.body.data.alreadyRevealed], [200, false])
      assert.isNull(first.headers.get("idempotency-replayed"))
      assert.strictEqual(first.headers.get("service-credits-charged"), "5")
      const again = yield* ask("rich", "\"reveal-1\"", `/contacts/${ids.contact}/reveal`, { json: {} })
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.strictEqual(again.headers.get("service-credits-charged"), "0")
      assert.notStrictEqual(again.headers.get("service-request-id"), first.headers.get("service-request-id"))
      assert.strictEqual(yield* creditsOf("rich"), before - 5)
    }))

  it.effect("200: a repeated bundle is the same delivery, and charges nothing", () =>
    Effect.gen(function*() {
      const first = yield* ask("rich", "bundle-1", `/leads/${ids.unlocked}`, {}, "GET")
      const again = yield* ask("rich", "bundle-1", `/leads/${ids.unlocked}`, {}, "GET")
      const headersOf = ({ headers }: typeof first) =>
        ["service-delivery-id", "service-credits-charged", "idempotency-replayed"].map((name) => headers.get(name))
      assert.deepStrictEqual(again.body, first.body)
      assert.deepStrictEqual(headersOf(first), [first.headers.get("service-delivery-id"), "1", null])
      assert.deepStrictEqual(headersOf(again), [first.headers.get("service-delivery-id"), "0", "true"])
    }))

  it.effect("200: a webhook's secret is told again, and no second endpoint is made", () =>
    Effect.gen(function*() {
      const sent = { json: { url: "https://hooks.example.com/once" } }
      const first = yield* ask("rich", "hook-1", "/webhooks", sent)
      const again = yield* ask("rich", "hook-1", "/webhooks", sent)
      assert.match(first.body.data.signing_secret, /^whsec_/)
      assert.deepStrictEqual(again.body, first.body)
    }))

  it.effect("200: keys of different credentials have nothing to do with each other", () =>
    Effect.gen(function*() {
      const mine = yield* ask("rich", "list-1", "/lists", { json: { list_name: "Mine", list_type: "contacts" } })
      const theirs = yield* ask("poor", "list-1", "/lists", { json: { list_name: "Theirs", list_type: "contacts" } })
      assert.deepStrictEqual([mine.status, theirs.status], [200, 200])
      assert.strictEqual(theirs.body.data.list.list_name, "Theirs")
    }))

  it.effect("200: ignored where nothing is written", () =>
    Effect.gen(function*() {
      const one = yield* ask("rich", "read-1", "/me", {}, "GET")
      const other = yield* ask("rich", "read-1", "/contacts/browse", { json: { limit: 1 } })
      assert.deepStrictEqual([one.status, other.status], [200, 200])
      assert.isNull(other.headers.get("idempotency-replayed"))
    }))

  it.effect("a refusal is not kept: it is decided anew", () =>
    Effect.gen(function*() {
      const refused = yield* ask("poor", "unlock-1", `/properties/${ids.locked}/unlock`)
      assert.strictEqual(refused.status, 402)
      const other = yield* ask("poor", "unlock-1", `/properties/${ids.covered}/unlock`)
      assert.strictEqual(other.status, 200)
    }))

  it.effect("400: a key that is none", () =>
    Effect.gen(function*() {
      for (const key of ["", "k".repeat(256)]) {
        const { body, status } = yield* ask("rich", key, `/properties/${ids.locked}/unlock`)
        assert.strictEqual(status, 400)
        assert.strictEqual(body.meta.issues[0].field, "Idempotency-Key")
      }
    }))

  it.effect("409: a request with the key is under way", () =>
    Effect.gen(function*() {
      const { answering } = yield* TestHost
      const started = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      yield* answering("service_reveal_property", () =>
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Deferred.await(go)),
          Effect.as({ alreadyRevealed: false, creditsCharged: 10 })
        ))
      const path = `/properties/${ids.spare}/unlock`
      const fiber = yield* Effect.forkChild(ask("rich", "slow-1", path))
      yield* Deferred.await(started)
      const { body, headers, status } = yield* ask("rich", "slow-1", path)
      assert.deepStrictEqual([status, body.meta.code], [409, "IDEMPOTENCY_KEY_IN_PROGRESS"])
      assert.strictEqual(headers.get("retry-after"), "1")
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
      assert.strictEqual((yield* ask("rich", "slow-1", path)).headers.get("idempotency-replayed"), "true")
    }))

  it.effect("422: the key was used for another request", () =>
    Effect.gen(function*() {
      yield* ask("rich", "list-2", "/lists", { json: { list_name: "One", list_type: "contacts" } })
      const { body, status } = yield* ask("rich", "list-2", "/lists", {
        json: { list_name: "Two", list_type: "contacts" }
      })
      assert.deepStrictEqual([status, body.meta.code], [422, "IDEMPOTENCY_KEY_REUSED"])
    }))
})

layer(host, { excludeTestServices: true })("A bundle that is kept under an Idempotency-Key", (it) => {
  it.effect("200: tells of nobody who asked meanwhile not to be listed, and charges nothing", () =>
    Effect.gen(function*() {
      const { lift, suppress } = yield* TestHost
      const bundle = ask("rich", "bundle-1", `/leads/${ids.unlocked}`, {}, "GET")
      const first = yield* bundle
      const [person] = first.body.data.bundle.contacts
      assert.strictEqual(person.email, "two@people.example")
      const before = yield* creditsOf("rich")
      const subject = { _tag: "Contact", named: ids.openContact } as const
      yield* suppress(subject)
      const again = yield* bundle
      assert.notInclude(again.text, ids.openContact)
      assert.notInclude(again.text, person.email)
      assert.deepStrictEqual(again.body.data.bundle, { ...first.body.data.bundle, contacts: [] })
      assert.deepStrictEqual(again.body.meta, first.body.meta)
      for (const name of ["service-delivery-id", "idempotency-replayed", charged]) {
        const told = name === charged ? "0" : name === "service-delivery-id" ? first.headers.get(name) : "true"
        assert.strictEqual(again.headers.get(name), told, name)
      }
      assert.strictEqual(yield* creditsOf("rich"), before)
      yield* lift(subject)
      assert.deepStrictEqual((yield* bundle).body, first.body)
      assert.strictEqual(yield* creditsOf("rich"), before)
    }))
})

/** For two answers of each kind. */
const small = Layer.provide(host, Layer.succeed(IdempotencyRoom, { most: 200_000, least: 100_000 }))

layer(small, { excludeTestServices: true })("The room for answers under an Idempotency-Key", (it) => {
  it.effect("a key that was forgotten does again what is free again", () =>
    Effect.gen(function*() {
      const free = [`/properties/${ids.locked}/unlock`, `/contacts/${ids.spareContact}/reveal`]
      const spending = routes.filter(({ chargesAgain, operation }) => operation.effect === "spend" && !chargesAgain)
      assert.deepStrictEqual(spending.map(({ path }) => path), ["/properties/:id/unlock", "/contacts/:id/reveal"])
      for (const path of free) assert.isAbove(Number((yield* ask("rich", path, path)).headers.get(charged)), 0)
      for (const key of ["one", "two"]) {
        yield* ask("rich", key, "/lists", { json: { list_name: key, list_type: "contacts" } })
      }
      for (const path of free) {
        const { headers, status } = yield* ask("rich", path, path)
        assert.deepStrictEqual([status, headers.get(charged), headers.get("idempotency-replayed")], [200, "0", null])
      }
    }))

  it.effect("429: what charges again is never forgotten, and not done without room", () =>
    Effect.gen(function*() {
      const bundle = (key: string) => ask("rich", key, `/leads/${ids.unlocked}`, {}, "GET")
      const first = yield* bundle("bundle-1")
      yield* bundle("bundle-2")
      const before = yield* creditsOf("rich")
      const { body, headers, status } = yield* bundle("bundle-3")
      assert.deepStrictEqual([status, body.meta.code], [429, "IDEMPOTENCY_ROOM_EXHAUSTED"])
      assert.isAbove(Number(headers.get("retry-after")), 86_000)
      const again = yield* bundle("bundle-1")
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(yield* creditsOf("rich"), before)
      const { call } = yield* TestHost
      assert.strictEqual((yield* call("GET", `/v1/leads/${ids.unlocked}`, { headers: bearer("rich") })).status, 200)
    }))
})
