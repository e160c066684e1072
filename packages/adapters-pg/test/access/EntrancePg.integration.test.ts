/**
 * `Entrance` over PostgreSQL: it counts addresses as every `AddressLimiter` must, and keys as every `KeyRing` must; and what the
 * one refuses does not count with the other.
 */
import { assert, describe, it } from "@effect/vitest"
import { Entrance } from "@freehold/core/access/Entrance"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/rate/AddressLimiter"
import { addressLimiterContract } from "@freehold/core/testing/AddressLimiterContract"
import { keyRingContract } from "@freehold/core/testing/KeyRingContract"
import { Clock, Effect, Layer, Option } from "effect"
import * as EntrancePg from "../../src/access/EntrancePg.ts"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const entrance = Effect.flatMap(Entrance, Effect.fromOption)

const nobody = "f".repeat(64)

/** The limiter that the entrance is to whoever comes without a key that there is. */
const limiter = Layer.effect(
  AddressLimiter,
  Effect.map(entrance, ({ admit }) => ({
    admit: (address) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => admit(address, nobody, now)).pipe(
        Effect.catchTag(["OrganizationMoved", "TEMPORARILY_UNAVAILABLE"], Effect.die),
        Effect.asVoid
      )
  }))
).pipe(Layer.provide(EntrancePg.layer))

addressLimiterContract(
  "the entrance, PostgreSQL",
  Layer.unwrap(Effect.sync(() => Layer.fresh(limiter.pipe(Layer.provide(Layer.fresh(TestDatabase.layer))))))
)

/** The ring that the entrance is to whoever comes from an address that asks for little. */
const ring = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const keys = yield* KeyRing
    const { admit } = yield* entrance
    let requests = 0
    return {
      ...keys,
      authorize: (secretHash, now) => {
        requests++
        return Effect.catchTag(
          admit(`10.0.${(requests >> 8) & 255}.${requests & 255}`, secretHash, now),
          ["rate_limited", "rate_limit_unavailable"],
          Effect.die
        )
      }
    }
  })
).pipe(Layer.provide([KeyRingPg.layer, EntrancePg.layer]))

keyRingContract(
  "the entrance, PostgreSQL",
  Layer.merge(ring, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

describe("EntrancePg", () => {
  it.live("counts nothing of a key whose request the address refuses", () =>
    Effect.gen(function*() {
      const { admit } = yield* entrance
      const organization = { ...defaults("org_entrance"), requests_per_minute: 5 }
      yield* Organizations.use((organizations) => organizations.save(organization))
      const secretHash = "a".repeat(64)
      yield* KeyRing.use((keys) =>
        keys.create({
          credentialId: "00000000-0000-4000-8000-000000000001",
          orgId: organization.org_id,
          name: "sample",
          label: "sample fhk_00000000",
          secretHash,
          scopes: [],
          dailyLimits: {}
        })
      )
      const now = Date.UTC(2026, 2, 30)
      const unknown = yield* Effect.forEach(
        Array.from({ length: requestsPerMinutePerAddress }),
        () => admit("192.0.2.1", nobody, now),
        { concurrency: 20 }
      )
      assert.isTrue(unknown.every(Option.isNone))
      // The first of these the database refuses, the second is known to be refused.
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* Effect.flip(admit("192.0.2.1", secretHash, now)))._tag, "rate_limited")
      }
      const admitted = yield* Effect.flatMap(admit("192.0.2.2", secretHash, now), Effect.fromOption)
      assert.deepInclude(admitted.minute, { admitted: true, used: 1 })
    }).pipe(
      Effect.provide(
        Layer.mergeAll(EntrancePg.layer, KeyRingPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
      )
    ))
})
