/** What the operator's commands about keys refuse. */
import { assert, describe, it } from "@effect/vitest"
import * as Keys from "@freehold/core/access/Keys"
import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Duration, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

const ports = Layer.mergeAll(
  Layer.merge(KeyRingMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer)),
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
)

const orgId = "org_keys"
const minute = Duration.toMillis("1 minute")

describe("Keys", () => {
  it.effect("a key that has expired works again unless another active one has its name by now", () =>
    Effect.gen(function*() {
      yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
      const keys = yield* Keys.make
      const make = (name: string, expiresAt?: number) =>
        Effect.map(
          keys.create({ orgId, name, scopes: [], dailyLimits: {}, ...expiresAt === undefined ? {} : { expiresAt } }),
          ({ credential: { credentialId } }) => credentialId
        )
      const statuses = Effect.map(keys.list(orgId), (all) => all.map(({ status }) => status))
      const first = yield* make("crm", minute)
      yield* TestClock.adjust(minute)
      const second = yield* make("crm")
      for (const at of [null, 2 * minute]) {
        const refused = yield* Effect.flip(keys.expire(first, at))
        assert.strictEqual(refused._tag, "INVALID_ARGUMENTS")
        assert.include(refused.message, "id: Another active key has this name")
      }
      yield* keys.expire(second, 2 * minute)
      assert.deepStrictEqual(yield* statuses, ["expired", "active"])
      yield* keys.revoke(second)
      yield* keys.expire(first, null)
      assert.deepStrictEqual(yield* statuses, ["active", "revoked"])
    }).pipe(Effect.provide(ports)))

  it.effect("CREDENTIAL_LIMIT_REACHED: a key that has expired and would be an eleventh active one", () =>
    Effect.gen(function*() {
      yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
      const keys = yield* Keys.make
      const base = { orgId, scopes: [], dailyLimits: {} }
      const { credential } = yield* keys.create({ ...base, name: "crm", expiresAt: minute })
      yield* TestClock.adjust(minute)
      for (let n = 1; n <= 10; n++) yield* keys.create({ ...base, name: `key ${n}` })
      const refused = yield* Effect.flip(keys.expire(credential.credentialId, null))
      assert.deepInclude(refused, { _tag: "CREDENTIAL_LIMIT_REACHED", org_id: orgId, limit: 10 })
    }).pipe(Effect.provide(ports)))
})
