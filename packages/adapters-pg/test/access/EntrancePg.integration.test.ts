/**
 * `Entrance` over PostgreSQL: it counts addresses as every `AddressLimiter` must, and keys as every `KeyRing` must; what the
 * one refuses does not count with the other; and requests that come together come to what they would come to in turn.
 */
import { assert, describe, it } from "@effect/vitest"
import { Entrance, inTurn, type Outcome } from "@freehold/core/access/Entrance"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/rate/AddressLimiter"
import { addressLimiterContract } from "@freehold/core/testing/AddressLimiterContract"
import { keyRingContract } from "@freehold/core/testing/KeyRingContract"
import { key } from "@freehold/core/testing/Seed"
import { Clock, Effect, Exit, Layer, Option } from "effect"
import * as fc from "fast-check"
import * as EntrancePg from "../../src/access/EntrancePg.ts"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as AddressLimiterPg from "../../src/rate/AddressLimiterPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const entrance = Effect.flatMap(Entrance, Effect.fromOption)

const nobody = "f".repeat(64)

/** One request. */
const admitOne = ({ admit }: Entrance, address: string, secretHash: string, now: number) =>
  Effect.flatMap(admit([address], secretHash, now), ([outcome]): Outcome => outcome ?? Exit.die("a request is counted"))

/** The limiter that the entrance is to whoever comes without a key that there is. */
const limiter = Layer.effect(
  AddressLimiter,
  Effect.map(entrance, (found) => ({
    admit: (address) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => admitOne(found, address, nobody, now)).pipe(
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
    const found = yield* entrance
    let requests = 0
    return {
      ...keys,
      authorize: (secretHash, now) => {
        requests++
        return Effect.catchTag(
          admitOne(found, `10.0.${(requests >> 8) & 255}.${requests & 255}`, secretHash, now),
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

const now = Date.UTC(2026, 2, 30)

/** A new organization with one key; answers the key's hash. */
const arrange = Effect.fnUntraced(function*(index: number, limits: { readonly minute: number; readonly day: number }) {
  const orgId = `org_entrance_${index}`
  yield* Organizations.use((organizations) =>
    organizations.save({ ...defaults(orgId), requests_per_minute: limits.minute, requests_per_day: limits.day })
  )
  const secretHash = index.toString(16).padStart(64, "a")
  yield* KeyRing.use((keys) =>
    keys.create(key({ credentialId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`, orgId, secretHash }))
  )
  return secretHash
})

/** What an outcome says, whosever it is. */
const shown = (outcome: Outcome): string => {
  if (Exit.isFailure(outcome)) {
    return Option.match(Exit.findErrorOption(outcome), {
      onNone: () => "?",
      onSome: ({ _tag }) => _tag
    })
  }
  return Option.match(outcome.value, {
    onNone: () => "no key",
    onSome: ({ day, minute }) => JSON.stringify([minute, day])
  })
}

let arranged = 0

/** Requests of several addresses, and how much later they come than those before. */
const Together = fc.record({
  addresses: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 8 }),
  after: fc.constantFrom(0, 0, 0, 20_000, 60_000)
})

/** The same requests of two organizations: of one together, of the other in turn. */
const compare = Effect.fnUntraced(function*(
  batches: ReadonlyArray<typeof Together extends fc.Arbitrary<infer S> ? S : never>
) {
  const limits = { minute: 6, day: 14 }
  const [together, turn] = [arranged++, arranged++]
  const { admit } = yield* entrance
  const oneByOne = inTurn(yield* AddressLimiter, yield* KeyRing)
  const [ours, theirs] = [yield* arrange(together, limits), yield* arrange(turn, limits)]
  let at = now
  for (const { addresses, after } of batches) {
    at += after
    const named = (organization: number) => addresses.map((address) => `10.${organization}.0.${address}`)
    const both = [yield* admit(named(together), ours, at), yield* oneByOne.admit(named(turn), theirs, at)]
    const [one, other] = both.map((outcomes) => outcomes.map(shown).sort())
    assert.deepStrictEqual(one, other)
  }
})
const services = Layer.mergeAll(EntrancePg.layer, AddressLimiterPg.layer, KeyRingPg.layer, OrganizationsPg.layer)

const times = (count: number, address: string) => Array.from({ length: count }, () => address)

describe("EntrancePg", () => {
  it.live("counts nothing of a key whose request the address refuses", () =>
    Effect.gen(function*() {
      const found = yield* entrance
      const { admit } = found
      const secretHash = yield* arrange(1, { minute: 5, day: 100 })
      const unknown = yield* Effect.forEach(
        times(requestsPerMinutePerAddress, "192.0.2.1"),
        (address) => admit([address], nobody, now),
        { concurrency: 20 }
      )
      assert.deepStrictEqual(new Set(unknown.flat().map(shown)), new Set(["no key"]))
      // The first of these the database refuses, the others are known to be refused.
      for (const count of [1, 1, 2]) {
        const refused = yield* admit(times(count, "192.0.2.1"), secretHash, now)
        assert.deepStrictEqual(refused.map(shown), times(count, "rate_limited"))
      }
      const admitted = yield* Effect.flatMap(admitOne(found, "192.0.2.2", secretHash, now), Effect.fromOption)
      assert.deepInclude(admitted.minute, { admitted: true, used: 1 })
    }).pipe(Effect.provide(services.pipe(Layer.provide(TestDatabase.layer)))))

  it.live("lets in as many of an address as its minute has left, and everybody of another", () =>
    Effect.gen(function*() {
      const { admit } = yield* entrance
      const secretHash = yield* arrange(1, { minute: 2000, day: 5000 })
      yield* admit(times(requestsPerMinutePerAddress - 2, "192.0.2.1"), nobody, now)
      const outcomes = yield* admit([...times(3, "192.0.2.1"), ...times(2, "192.0.2.2")], secretHash, now)
      assert.deepStrictEqual(outcomes.map(Exit.isSuccess), [true, true, false, true, true])
      const last = yield* KeyRing.use((keys) => keys.authorize(secretHash, now)).pipe(Effect.flatMap(Effect.fromOption))
      assert.strictEqual(last.minute.used, 5)
    }).pipe(Effect.provide(services.pipe(Layer.provide(TestDatabase.layer)))))

  it.live("requests that come together come to what they would in turn", () =>
    Effect.gen(function*() {
      const run = Effect.runPromiseWith(yield* Effect.context<AddressLimiter | KeyRing | Organizations>())
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(Together, { maxLength: 12 }), (batches) => run(compare(batches))),
          { numRuns: 30, seed: 20_260_330 }
        )
      )
    }).pipe(Effect.provide(services.pipe(Layer.provide(TestDatabase.layer)))))

  it.live("processes that count the same addresses together do not wait for each other", () =>
    Effect.scoped(Effect.gen(function*() {
      const url = yield* TestDatabase.make
      const processes = yield* Effect.forEach(
        [1, 2, 3],
        () => Layer.build(Layer.fresh(services.pipe(Layer.provide(Database.layer({ url, maxConnections: 2 })))))
      )
      const addresses = Array.from({ length: 16 }, (_, each) => `192.0.2.${each}`)
      const batches = Array.from(
        { length: 30 },
        (_, at) => [...addresses.slice(at % 16), ...addresses.slice(0, at % 16)]
      )
      const outcomes = yield* Effect.forEach(
        processes,
        (process) =>
          Effect.flatMap(
            entrance,
            ({ admit }) => Effect.forEach(batches, (batch) => admit(batch, nobody, now), { concurrency: 10 })
          ).pipe(Effect.provideContext(process)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(outcomes.flat(2).map(shown)), new Set(["no key"]))
    })))
})
