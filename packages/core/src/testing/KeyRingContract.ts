/**
 * What every `KeyRing` must do. Adapters call `keyRingContract` from their own tests.
 *
 * Counting is compared with the pure rule of `RateWindow` under generated traces of requests and changes of limits.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Effect, type Layer, Option, Result, Struct } from "effect"
import * as fc from "fast-check"
import { endedKeysKept, KeyRing, maximumActiveKeys } from "../access/KeyRing.ts"
import * as Plan from "../operation/Plan.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { defaults, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { count, type Counted, type RateWindow } from "../rate/RateWindow.ts"

const start = Date.UTC(2026, 2, 30, 23, 58)

let made = 0
const hashOf = (index: number) => index.toString(16).padStart(64, "0")

const arrange = Effect.fnUntraced(function*(settings: Partial<Organization> = {}) {
  const orgId = `org_${++made}`
  const organization = { ...defaults(orgId), ...settings }
  yield* Organizations.use((organizations) => organizations.save(organization))
  return organization
})

const create = (orgId: string) => {
  const index = ++made
  const credentialId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
  const secretHash = hashOf(index)
  return KeyRing.use((keys) =>
    keys.create({
      credentialId,
      orgId,
      name: "sample",
      label: `sample fhk_${index}`,
      secretHash,
      scopes: ["data:read", "mcp"],
      dailyLimits: { contact_reveal: 0, lead_export: null }
    })
  ).pipe(Effect.map((credential) => ({ credential, secretHash })))
}

const authorize = (secretHash: string, now: number) =>
  KeyRing.use((keys) => keys.authorize(secretHash, now)).pipe(Effect.flatMap(Effect.fromOption))

/** The pure rule for the keys of one organization. */
const model = () => {
  const windows = new Map<string, RateWindow>()
  const days = new Map<number, number>()
  return (
    key: string,
    organization: Organization,
    now: number
  ): { readonly minute: Counted; readonly day: Counted | null } => {
    const perDay = organization.requests_per_day ?? Plan.requestsPerDay[organization.plan]
    const midnight = nextMidnight(now)
    const { counted, window } = count(
      windows.get(key),
      organization.requests_per_minute ?? Plan.requestsPerMinute[organization.plan],
      now
    )
    const requests = days.get(midnight) ?? 0
    const dayFull = perDay !== null && requests >= perDay
    if (counted.admitted && dayFull) {
      return {
        minute: { ...counted, used: counted.used - 1 },
        day: { admitted: false, limit: perDay, used: requests, resetsAt: midnight }
      }
    }
    windows.set(key, window)
    const used = counted.admitted ? requests + 1 : requests
    if (perDay !== null) days.set(midnight, used)
    return {
      minute: counted,
      day: perDay === null ? null : { admitted: !dayFull, limit: perDay, used, resetsAt: midnight }
    }
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Request" as const),
      key: fc.nat({ max: 1 }),
      /* Below zero: another process's clock, or one that was set back. */
      after: fc.constantFrom(0, 0, 0, 1, 20_000, 59_999, 60_000, 60_001, -1, -60_000, -60_001, -7_200_000)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Limits" as const),
      plan: fc.constantFrom("team" as const, "enterprise" as const),
      minute: fc.constantFrom(null, 0, 1, 2, 3),
      day: fc.constantFrom(null, 0, 1, 4, 9)
    })
  }
)

const runTrace = Effect.fnUntraced(
  function*(steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer S> ? S : never>) {
    const arranged = yield* arrange({ requests_per_minute: 2, requests_per_day: 4 })
    let organization = arranged
    const hashes = [
      (yield* create(organization.org_id)).secretHash,
      (yield* create(organization.org_id)).secretHash
    ] as const
    const expected = model()
    let now = start
    for (const each of steps) {
      if (each._tag === "Limits") {
        organization = {
          ...arranged,
          plan: each.plan,
          requests_per_minute: each.minute,
          requests_per_day: each.day
        }
        yield* Organizations.use((organizations) => organizations.save(organization))
        continue
      }
      now += each.after
      const secretHash = hashes[each.key] ?? hashes[0]
      const found = yield* authorize(secretHash, now)
      assert.deepStrictEqual({ minute: found.minute, day: found.day }, expected(secretHash, organization, now))
      assert.deepStrictEqual(found.organization, organization)
    }
  }
)

/** `layer` holds an empty store. `runs` is the number of generated traces. */
export const keyRingContract = <E>(
  name: string,
  layer: Layer.Layer<KeyRing | Organizations, E>,
  runs = 40
): void => {
  suite(layer, { excludeTestServices: true })(`${name}: keys`, (it) => {
    it.effect(
      "count requests by the rule of windows and days, for every trace (R1 R2 R3 R5 R7 R10)",
      () =>
        Effect.gen(function*() {
          const run = Effect.runPromiseWith(yield* Effect.context<KeyRing | Organizations>())
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), (steps) => run(runTrace(steps))),
              { numRuns: runs, seed: 20_260_330 }
            )
          )
        }),
      { timeout: 120_000 }
    )

    it.effect("are let in again at once when the clock was set back by two hours (R10)", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange({ requests_per_minute: 1 })
        const { secretHash } = yield* create(org_id)
        for (const now of [start, start - 7_200_000]) {
          assert.isTrue((yield* authorize(secretHash, now)).minute.admitted)
          const { minute } = yield* authorize(secretHash, now)
          assert.deepInclude(minute, { admitted: false, resetsAt: now + 60_000 })
        }
      }))

    it.effect("have no new minute for taking the place of one that was revoked in it", () =>
      Effect.gen(function*() {
        const keys = yield* KeyRing
        const { org_id } = yield* arrange({ requests_per_minute: 3 })
        const now = yield* Clock.currentTimeMillis
        const first = yield* create(org_id)
        for (const _ of [1, 2, 3]) yield* authorize(first.secretHash, now)
        // While the first one works, another one has a minute of its own.
        const second = yield* create(org_id)
        assert.deepInclude((yield* authorize(second.secretHash, now)).minute, { admitted: true, used: 1 })
        yield* keys.revoke(first.credential.credentialId)
        const third = yield* create(org_id)
        assert.isFalse((yield* authorize(third.secretHash, now)).minute.admitted)
        assert.isTrue((yield* authorize(second.secretHash, now)).minute.admitted)
        assert.deepInclude((yield* authorize(third.secretHash, now + 60_000)).minute, { admitted: true, used: 1 })
      }))

    it.effect("of simultaneous requests exactly as many are let in as the minute allows (R1)", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange({ requests_per_minute: 7 })
        const { secretHash } = yield* create(org_id)
        const answers = yield* Effect.forEach(
          Array.from({ length: 30 }),
          () => authorize(secretHash, start),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ minute }) => minute.admitted).length, 7)
        const counts = answers.filter(({ minute }) => minute.admitted).map(({ minute }) => minute.used)
        assert.deepStrictEqual(counts.sort(), [1, 2, 3, 4, 5, 6, 7])
      }))

    it.effect("of simultaneous requests of all keys exactly as many are let in as the day allows, the rest uncounted (R7)", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange({ requests_per_minute: 20, requests_per_day: 9 })
        const hashes = [(yield* create(org_id)).secretHash, (yield* create(org_id)).secretHash]
        const answers = yield* Effect.forEach(
          Array.from({ length: 16 }, () => hashes).flat(),
          (secretHash) => authorize(secretHash, start),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ day, minute }) => minute.admitted && day?.admitted === true).length, 9)
        const last = yield* Effect.forEach(hashes, (secretHash) => authorize(secretHash, start))
        assert.strictEqual(last.reduce((sum, { minute }) => sum + minute.used, 0), 9)
        const tomorrow = yield* authorize(hashes[0] ?? "", nextMidnight(start))
        assert.deepInclude(tomorrow.day, { admitted: true, used: 1 })
      }))

    it.effect("are found by their hash with their organization as it is now, until they are revoked", () =>
      Effect.gen(function*() {
        const organization = yield* arrange()
        const keys = yield* KeyRing
        const organizations = yield* Organizations
        const { credential, secretHash } = yield* create(organization.org_id)
        const found = yield* authorize(secretHash, start)
        assert.deepStrictEqual(
          found.credential,
          Struct.omit(credential, ["status", "revokedAt", "expiresAt", "previousUntil"])
        )
        assert.deepStrictEqual(found.organization, organization)
        assert.deepInclude(found.minute, { admitted: true, limit: 120, used: 1, resetsAt: start + 60_000 })
        assert.isNull(found.day)
        yield* organizations.save({ ...organization, plan: "enterprise" })
        const upgraded = yield* authorize(secretHash, start + 1)
        assert.deepStrictEqual(upgraded.organization, { ...organization, plan: "enterprise" })
        assert.deepInclude(upgraded.minute, { limit: 300, used: 2 })
        assert.deepInclude(upgraded.day, { limit: 50_000, used: 1 })
        yield* organizations.setStatus(organization.org_id, "suspended")
        assert.strictEqual((yield* authorize(secretHash, start)).organization.status, "suspended")

        const revoked = yield* Effect.flatMap(keys.revoke(credential.credentialId), Effect.fromOption)
        assert.strictEqual(revoked.status, "revoked")
        assert.isTrue(Option.isNone(yield* keys.authorize(secretHash, start)))
        assert.deepStrictEqual(yield* keys.revoke(credential.credentialId.toUpperCase()), Option.some(revoked))
        assert.isTrue(Option.isNone(yield* keys.authorize(hashOf(0), start)))
        assert.isTrue(Option.isNone(yield* keys.revoke("no such key")))
        assert.isTrue(Option.isNone(yield* keys.update("no such key", {})))
      }))

    it.effect("of another organization are none", () =>
      Effect.gen(function*() {
        const keys = yield* KeyRing
        const { org_id } = yield* arrange()
        const { org_id: other } = yield* arrange()
        const { credential: { credentialId } } = yield* create(org_id)
        assert.isTrue(Option.isNone(yield* keys.revoke(credentialId, other)))
        assert.isTrue(Option.isNone(yield* keys.update(credentialId, { scopes: [] }, other)))
        const [kept] = yield* keys.list(org_id)
        assert.deepStrictEqual([kept?.status, kept?.scopes], ["active", ["data:read", "mcp"]])
        assert.isTrue(Option.isSome(yield* keys.update(credentialId, {}, org_id)))
        assert.isTrue(Option.isSome(yield* keys.revoke(credentialId, org_id)))
      }))

    it.effect("tell when they were last used, and how their counters stand, without counting", () =>
      Effect.gen(function*() {
        const keys = yield* KeyRing
        const { org_id } = yield* arrange({ requests_per_day: 100 })
        const used = yield* create(org_id)
        yield* create(org_id)
        const none = { lastUsedAt: new Map(), minutes: new Map(), today: 0 }
        assert.deepStrictEqual(yield* keys.requests(org_id, start), none)
        for (const _ of [1, 2]) yield* authorize(used.secretHash, start)
        const { credentialId } = used.credential
        for (const _ of [1, 2]) {
          assert.deepStrictEqual(yield* keys.requests(org_id, start + 59_999), {
            lastUsedAt: new Map([[credentialId, start]]),
            minutes: new Map([[credentialId, { used: 2, resetsAt: start + 60_000 }]]),
            today: 2
          })
        }
        assert.deepStrictEqual(yield* keys.requests(org_id, start + 86_400_000), {
          ...none,
          lastUsedAt: new Map([[credentialId, start]])
        })
      }))

    it.effect("are at most 10 active ones of an organization, also when they are made at the same time", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const results = yield* Effect.forEach(
          Array.from({ length: 15 }),
          () => Effect.result(create(org_id)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, maximumActiveKeys)
        for (const each of results) {
          if (Result.isFailure(each)) {
            assert.deepInclude(each.failure, { _tag: "CREDENTIAL_LIMIT_REACHED", org_id, limit: maximumActiveKeys })
          }
        }
        const [oldest] = yield* keys.list(org_id)
        yield* keys.revoke(oldest?.credentialId ?? "")
        yield* create(org_id)
        const listed = yield* keys.list(org_id)
        assert.strictEqual(listed.length, 11)
        assert.strictEqual(listed.filter(({ status }) => status === "active").length, 10)
        assert.strictEqual((yield* Effect.flip(create(org_id)))._tag, "CREDENTIAL_LIMIT_REACHED")
      }))

    it.effect("change their scopes or their limits alone, and are listed oldest first", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const { credential: first, secretHash } = yield* create(org_id)
        const { credential: second } = yield* create(org_id)
        const scoped = { ...first, scopes: ["data:read" as const] }
        assert.deepStrictEqual(
          yield* keys.update(first.credentialId, { scopes: ["data:read"] }),
          Option.some(scoped)
        )
        const limited = { ...scoped, dailyLimits: { records_taken_per_day: 3 } }
        assert.deepStrictEqual(
          yield* keys.update(first.credentialId, { dailyLimits: limited.dailyLimits }),
          Option.some(limited)
        )
        const { dailyLimits, scopes } = (yield* authorize(secretHash, start)).credential
        assert.deepStrictEqual({ dailyLimits, scopes }, { dailyLimits: limited.dailyLimits, scopes: limited.scopes })
        assert.deepStrictEqual(yield* keys.list(org_id), [limited, second])
        assert.deepStrictEqual(yield* keys.list("nobody"), [])
      }))

    it.effect("works until it expires, and again once its end is moved or lifted", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const { credential: { credentialId }, secretHash } = yield* create(org_id)
        const works = (now: number) => Effect.map(keys.authorize(secretHash, now), Option.isSome)
        assert.isTrue(Option.isSome(yield* keys.expire(credentialId, start)))
        assert.deepStrictEqual([yield* works(start - 1), yield* works(start), yield* works(start + 1)], [
          true,
          false,
          false
        ])
        assert.deepStrictEqual((yield* keys.list(org_id)).map(({ expiresAt }) => expiresAt?.getTime()), [start])
        yield* keys.expire(credentialId, start + 10)
        assert.isTrue(yield* works(start))
        yield* keys.expire(credentialId, null)
        assert.isTrue(yield* works(start + 10))
        assert.deepStrictEqual(yield* keys.expire(credentialId, start, "another"), Option.none())
      }))

    it.effect("that has expired is shown so, takes no place among the active ones, and is not rotated", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const keysMade = yield* Effect.replicateEffect(Effect.suspend(() => create(org_id)), maximumActiveKeys)
        const id = keysMade[0]?.credential.credentialId ?? ""
        yield* keys.expire(id, 1)
        assert.deepStrictEqual((yield* keys.list(org_id)).map(({ status }) => status)[0], "expired")
        yield* create(org_id)
        assert.strictEqual((yield* Effect.flip(create(org_id)))._tag, "CREDENTIAL_LIMIT_REACHED")
        assert.deepStrictEqual(
          yield* keys.rotate(id, { secretHash: hashOf(++made), label: "sample", until: start }),
          Option.none()
        )
      }))

    it.effect("that has expired works again only where there is room for another active one", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const keysMade = yield* Effect.replicateEffect(Effect.suspend(() => create(org_id)), maximumActiveKeys)
        const [first, second, third] = keysMade.map(({ credential: { credentialId } }) => credentialId)
        const statuses = Effect.map(keys.list(org_id), (listed) => listed.map(({ status }) => status))
        const far = Date.UTC(2999, 0)
        yield* keys.expire(first ?? "", 1)
        yield* create(org_id)
        for (const at of [null, far]) {
          assert.deepInclude(yield* Effect.flip(keys.expire(first ?? "", at)), {
            _tag: "CREDENTIAL_LIMIT_REACHED",
            org_id,
            limit: maximumActiveKeys
          })
        }
        assert.deepStrictEqual((yield* keys.list(org_id))[0]?.expiresAt?.getTime(), 1)
        // Neither another end in the past nor that of an active key needs room; nor do those of other organizations.
        yield* keys.expire(first ?? "", 2)
        yield* keys.expire(second ?? "", far)
        yield* keys.expire(second ?? "", null)
        assert.deepStrictEqual(yield* keys.expire(first ?? "", null, "another"), Option.none())
        assert.deepStrictEqual((yield* statuses).slice(0, 2), ["expired", "active"])

        yield* keys.expire(second ?? "", 1)
        yield* keys.expire(third ?? "", 1)
        const outcomes = yield* Effect.forEach(
          [first, second, third],
          (id) => Effect.result(keys.expire(id ?? "", null)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          outcomes.filter(Result.isSuccess).length,
          2,
          "of several at once as many as there is room for"
        )
        assert.strictEqual((yield* statuses).filter((status) => status === "active").length, maximumActiveKeys)
        const { credential: revoked } = keysMade[3] ?? (yield* create(org_id))
        yield* keys.revoke(revoked.credentialId)
        yield* Effect.flatMap(
          Effect.map(keys.list(org_id), (listed) => listed.find(({ status }) => status === "expired")?.credentialId),
          (id) => keys.expire(id ?? "", far)
        )
        assert.strictEqual((yield* statuses).filter((status) => status === "active").length, maximumActiveKeys)
      }))

    it.effect("that ended long ago are forgotten when another is made, but for the last", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const keys = yield* KeyRing
        const ended: Array<string> = []
        for (let n = 1; n <= endedKeysKept + 2; n++) {
          const { credential: { credentialId }, secretHash } = yield* create(org_id)
          yield* keys.authorize(secretHash, start)
          yield* keys.expire(credentialId, n)
          ended.push(credentialId)
        }
        const { credential: revoked } = yield* create(org_id)
        yield* keys.revoke(revoked.credentialId)
        const { credential: active } = yield* create(org_id)
        assert.sameMembers(
          (yield* keys.list(org_id)).map(({ credentialId }) => credentialId),
          [...ended.slice(-(endedKeysKept - 1)), revoked.credentialId, active.credentialId]
        )
      }))

    it.effect("has two secrets and one set of counters from its rotation until the overlap is over, and one from then on", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange({ requests_per_minute: 3 })
        const keys = yield* KeyRing
        const { credential, secretHash: first } = yield* create(org_id)
        const second = hashOf(++made)
        const rotated = yield* keys.rotate(credential.credentialId, {
          secretHash: second,
          label: "sample new",
          until: start + 5
        })
        assert.strictEqual(Option.getOrThrow(rotated).label, "sample new")
        for (const [secret, used] of [[first, 1], [second, 2], [first, 3]] as const) {
          const { credential: found, minute } = yield* authorize(secret, start)
          assert.deepStrictEqual([found.credentialId, minute.used], [credential.credentialId, used])
        }
        assert.isFalse((yield* authorize(second, start)).minute.admitted)
        assert.isTrue(Option.isNone(yield* keys.authorize(first, start + 5)))
        assert.isTrue(Option.isSome(yield* keys.authorize(second, start + 5)))
        const again = yield* Effect.flip(
          keys.create({
            credentialId: "00000000-0000-4000-8000-00000000ffff",
            orgId: org_id,
            name: "another",
            label: "another",
            secretHash: first,
            scopes: [],
            dailyLimits: {}
          })
        )
        assert.strictEqual(again._tag, "SecretInUse")
        yield* keys.revoke(credential.credentialId)
        assert.isTrue(Option.isNone(yield* keys.authorize(second, start + 6)))
        assert.isTrue(Option.isNone(yield* keys.authorize(first, start)))
      }))
  })
}
