/** `Connections` over PostgreSQL: the contract, and what it costs. */
import { assert, layer } from "@effect/vitest"
import { Connections } from "@freehold/core/access/Connections"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { connectionsContract } from "@freehold/core/testing/ConnectionsContract"
import { key, member } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option, Tracer } from "effect"
import * as ConnectionsPg from "../../src/access/ConnectionsPg.ts"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import { removeRows } from "../../src/diagnosis/OrganizationRowsPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const adapters = Layer.mergeAll(ConnectionsPg.layer, KeyRingPg.layer, OrganizationsPg.layer)

connectionsContract("PostgreSQL", Layer.provide(adapters, TestDatabase.layer))

/** How many statements the effect runs: each is a span of the client's. */
const statementsOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  let statements = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.kind === "client") statements++
      return new Tracer.NativeSpan(options)
    }
  })
  yield* Effect.withTracer(effect, tracer)
  return statements
})

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("ConnectionsPg", (it) => {
  it.effect("asks one statement for a person, the first time too, and for nobody", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const connections = yield* Connections
      yield* organizations.save(defaults("org_statements"))
      yield* organizations.saveMember(
        "org_statements",
        member({ memberId: "00000000-0000-4000-8000-0000000000aa", email: "ana@people.example" })
      )
      const authorize = (email: string | null) =>
        connections.authorize({
          issuer: "https://issuer.example",
          subject: "ana",
          email,
          clientId: "assistant",
          orgId: null,
          connectionId: "00000000-0000-4000-8000-0000000000ab",
          now: Date.UTC(2026, 2, 30)
        })
      assert.strictEqual(yield* statementsOf(authorize(null)), 1)
      assert.strictEqual(yield* statementsOf(authorize("ana@people.example")), 1)
      assert.strictEqual(yield* statementsOf(authorize(null)), 1)
    }))

  it.effect("serves an organization that was deleted and made again by the settings of now, people and keys", () =>
    Effect.gen(function*() {
      const organizations = yield* Organizations
      const keys = yield* KeyRing
      const organization = defaults("org_again")
      const now = Date.UTC(2026, 2, 30)
      const secretHash = "a9".repeat(32)
      const names = Effect.gen(function*() {
        const outcome = yield* Connections.use((connections) =>
          connections.authorize({
            issuer: "https://issuer.example",
            subject: "ben",
            email: "ben@people.example",
            clientId: "assistant",
            orgId: null,
            connectionId: "00000000-0000-4000-8000-0000000000ad",
            now
          })
        )
        const byKey = yield* keys.authorize(secretHash, now)
        return [
          outcome._tag === "Connected" ? outcome.organization.name : outcome._tag,
          Option.getOrUndefined(byKey)?.organization.name
        ]
      })
      const make = Effect.fnUntraced(function*(name: string) {
        const made = yield* organizations.save({ ...organization, name })
        const ben = member({ memberId: "00000000-0000-4000-8000-0000000000ac", email: "ben@people.example" })
        yield* organizations.saveMember(organization.org_id, ben)
        const credentialId = "00000000-0000-4000-8000-0000000000ae"
        yield* keys.create(key({ credentialId, orgId: organization.org_id, secretHash }))
        return made
      })
      assert.strictEqual(yield* make("Before"), "created")
      assert.deepStrictEqual(yield* names, ["Before", "Before"])
      yield* organizations.setStatus(organization.org_id, "closed")
      yield* removeRows(organization.org_id)
      assert.strictEqual(yield* make("Now"), "created")
      assert.deepStrictEqual(yield* names, ["Now", "Now"])
    }))
})
