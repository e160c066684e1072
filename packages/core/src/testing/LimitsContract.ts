/**
 * What every `Ledger` must do about limits: counters that are exact over keys, days, periods and concurrent calls.
 *
 * Adapters call `limitsContract` from their own tests. All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Effect, type Layer, Result } from "effect"
import * as fc from "fast-check"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import * as AllowanceReader from "../account/AllowanceReader.ts"
import { decideReveal } from "../contact/RevealDecision.ts"
import { decideExport } from "../credit/ExportDecision.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import * as Meter from "../credit/Meter.ts"
import { limitsOf, queryOf } from "../limit/Limits.ts"
import { type Counted, none, type RecordRef, type UsageQuery } from "../limit/Usage.ts"
import * as UsageCounters from "../limit/UsageCounters.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { defaults, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"
import { stoppedAt } from "./LedgerCommands.ts"
import { contact, property, Seeder } from "./Seed.ts"

const day = 86_400_000
const start = Date.UTC(2026, 2, 30, 12)
const actor = { kind: "key", id: null, name: "sample" } as const
const keys = ["00000000-0000-4000-a000-000000000001", "00000000-0000-4000-a000-000000000002"] as const

let made = 0
/** Made-up ids that no other test of this process uses. */
const uuid = () => `00000000-0000-4000-b000-${String(++made).padStart(12, "0")}`

const live = (records: NonNullable<Organization["records_allowance"]>): Partial<Organization> => ({
  plan: "enterprise",
  features: { ...defaults("org_sample").features, records_allowance: true },
  records_allowance: records
})

/** A new organization with 1,000 credits and as many free exports. */
const arrange = Effect.fnUntraced(function*(settings: Partial<Organization> = {}, size = 0) {
  const organization: Organization = {
    ...defaults(`org_limits_${++made}`),
    export_allowance: { max_exports_per_month: 1000, max_rows_per_month: 0 },
    ...settings
  }
  const orgId = organization.org_id
  const properties = Array.from({ length: size }, uuid)
  const contacts = Array.from({ length: size }, uuid)
  yield* Organizations.use((organizations) => organizations.save(organization))
  yield* Seeder.use((seeder) =>
    seeder.add({
      properties: properties.map((id) => property({ id, countyFips: "99001" })),
      contacts: contacts.map((id) => contact({ id }))
    })
  )
  const ledger = yield* Ledger
  const ref = "sample"
  yield* ledger.transact(
    { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now: start },
    (snapshot) =>
      decideGrant(snapshot, {
        ref,
        bucket: "purchased",
        amount: 1000,
        expiresAt: null,
        actor,
        requestId: null,
        now: start
      })
  )

  const of = ({ key = 0, limits = {}, now = start }: Choice) =>
    limitsOf(organization, { credentialId: keys[key], dailyLimits: limits }, now)

  const deliver = (records: ReadonlyArray<RecordRef>, choice: Choice = {}) => {
    const limits = of(choice)
    return ledger.transact(
      {
        orgId,
        subject: { _tag: "Exports", monthStart: monthStart(limits.now) },
        exclusive: false,
        now: limits.now,
        usage: queryOf(limits, { records })
      },
      (snapshot) =>
        decideExport(snapshot, {
          propertyId: uuid(),
          covered: true,
          records,
          limits,
          actor,
          requestId: null,
          now: limits.now
        })
    )
  }

  const unlock = (propertyId: string, choice: Choice = {}) => {
    const limits = of(choice)
    return ledger.transact(
      {
        orgId,
        subject: { _tag: "Property", propertyId },
        exclusive: true,
        now: limits.now,
        usage: queryOf(limits)
      },
      (snapshot) =>
        decideUnlock(snapshot, {
          propertyId,
          covered: choice.covered ?? false,
          researched: true,
          price: 10,
          limits,
          actor,
          requestId: null,
          now: limits.now
        })
    )
  }

  const reveal = (contactId: string, choice: Choice = {}) => {
    const limits = of(choice)
    return ledger.transact(
      {
        orgId,
        subject: { _tag: "Contact", contactId },
        exclusive: true,
        now: limits.now,
        usage: queryOf(limits, { contacts: [contactId], records: [{ kind: "contact", id: contactId }] })
      },
      (snapshot) =>
        decideReveal(snapshot, {
          contactId,
          covered: choice.covered ?? false,
          price: 5,
          limits,
          actor,
          requestId: null,
          now: limits.now
        })
    )
  }

  const usage = (choice: Choice = {}) => ledger.usage(orgId, queryOf(of(choice)))
  const asCaller = ({ key = 0, limits = {} }: Choice): CallerFacts => ({
    kind: "key",
    credentialId: keys[key],
    keyName: "sample",
    label: "sample",
    scopes: [],
    organization,
    territory: null,
    dailyLimits: limits,
    requestId: "sample"
  })
  /** Reads people whom only the coverage opens; answers those who stay closed. */
  const read = (covered: ReadonlyArray<string>, choice: Choice & { readonly whole?: boolean } = {}) => {
    const { now = start, whole = false } = choice
    return Effect.flatMap(Meter.make, (meter) =>
      meter.read(
        { subject: { _tag: "Contact", contactId: covered[0] ?? "" }, covered, whole, records: [] },
        now
      )).pipe(Effect.provideService(Caller, asCaller(choice)))
  }
  /** GET /allowance. */
  const allowance = Effect.gen(function*() {
    const reader = yield* AllowanceReader.make
    return yield* Effect.provideService(reader.read({}), Clock.Clock, stoppedAt(start, yield* Clock.Clock))
  }).pipe(Effect.provideService(Caller, asCaller({})))
  return { orgId, properties, contacts, deliver, unlock, reveal, usage, read, allowance }
})

interface Choice {
  readonly key?: 0 | 1
  readonly limits?: KeyDailyLimits
  readonly covered?: boolean
  readonly now?: number
}

const bundle = (size: number): ReadonlyArray<RecordRef> => [
  { kind: "property", id: uuid() },
  ...Array.from({ length: size - 1 }, (): RecordRef => ({ kind: "contact", id: uuid() }))
]

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure._tag : "ok"

/** How each of so many simultaneous calls ended, counted. */
const simultaneously = <A, E extends { readonly _tag: string }, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.map(
    Effect.forEach(effects, Effect.result, { concurrency: "unbounded" }),
    (results) => {
      const counts: Record<string, number> = {}
      for (const tag of results.map(tagOf)) counts[tag] = (counts[tag] ?? 0) + 1
      return counts
    }
  )

const codeOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), tagOf)

/** What a call adds, in small ids so that they meet often. */
const step = fc.record({
  key: fc.constantFrom(null, ...keys),
  day: fc.nat({ max: 1 }),
  period: fc.nat({ max: 1 }),
  ids: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
  contacts: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  kinds: fc.record({ contact_reveal: fc.nat({ max: 2 }), lead_export: fc.nat({ max: 1 }) }),
  initial: fc.boolean()
})

/** `layer` holds an empty store. `runs` is the number of generated sequences. */
export const limitsContract = <E>(
  name: string,
  layer: Layer.Layer<Ledger | Organizations | Seeder, E>,
  runs = 25
): void => {
  suite(layer, { excludeTestServices: true })(`${name}: the laws of limits`, (it) => {
    it.effect("counters are those of the model for every sequence (D2 D8 A1 A9)", () =>
      Effect.gen(function*() {
        const ledger = yield* Ledger
        for (const steps of fc.sample(fc.array(step, { maxLength: 12 }), { numRuns: runs, seed: 20_260_330 })) {
          const { orgId } = yield* arrange()
          const pool = Array.from({ length: 6 }, uuid)
          const refs = pool.map((id, index): RecordRef => ({
            kind: (["property", "organization", "contact"] as const)[index % 3] ?? "property",
            id
          }))
          const model = new Map<string, number>()
          for (const each of steps) {
            const query: UsageQuery = {
              credentialId: each.key,
              now: start,
              day: start - (start % day) + each.day * day,
              period: each.period * 30 * day,
              records: each.ids.flatMap((index) => refs[index] ?? []),
              contacts: each.contacts.flatMap((index) => pool[index] ?? []),
              spender: null
            }
            const expected = () => UsageCounters.usageOf(query, none, (name) => model.get(name) ?? 0)
            assert.deepStrictEqual(yield* ledger.usage(orgId, query), expected())
            const under = yield* ledger.transact(
              {
                orgId,
                subject: { _tag: "Exports", monthStart: monthStart(start) },
                exclusive: false,
                now: start,
                usage: query
              },
              ({ usage }) => {
                const counted: Counted = {
                  kinds: each.kinds,
                  contacts: usage.freshContacts,
                  records: usage.freshRecords,
                  fromInitial: each.initial ? usage.freshRecords.length : 0
                }
                return Result.succeed(decide({ usage, counted }, { counted }))
              }
            )
            assert.deepStrictEqual(under.usage, expected())
            for (const [counter, amount] of UsageCounters.additionsOf(query, under.counted)) {
              model.set(counter, (model.get(counter) ?? 0) + amount)
            }
            assert.deepStrictEqual(yield* ledger.usage(orgId, query), expected())
          }
        }
      }), { timeout: 120_000 })

    it.effect("a daily cap is not passed by simultaneous calls of several keys, and each layer counts its own (D2 D9)", () =>
      Effect.gen(function*() {
        const { deliver, usage } = yield* arrange({ daily_limits: { lead_export: { service: 9, organization: 7 } } })
        const calls = Array.from(
          { length: 16 },
          (_, index) => deliver([], { key: index % 2 === 0 ? 0 : 1, limits: { lead_export: 4 } })
        )
        const outcomes = yield* simultaneously(calls)
        assert.strictEqual(outcomes["ok"], 7)
        assert.strictEqual((outcomes["DAILY_CAP_EXCEEDED"] ?? 0) + (outcomes["CREDENTIAL_DAILY_CAP_EXCEEDED"] ?? 0), 9)
        const today = yield* Effect.forEach([0, 1] as const, (key) => usage({ key }))
        const [first, second] = today.map((each) => each.today.lead_export)
        assert.deepStrictEqual([first?.organization, second?.organization], [7, 7])
        assert.strictEqual((first?.key ?? 0) + (second?.key ?? 0), 7)
        assert.isTrue([first, second].every((each) => (each?.key ?? 9) <= 4))
      }))

    it.effect("simultaneous readings of covered people by two keys open as many as the day allows, each counted once (D6 D7 D9)", () =>
      Effect.gen(function*() {
        const { contacts, read, usage } = yield* arrange({ daily_limits: { contact_reveal: { organization: 3 } } }, 6)
        const whole = contacts.map((id, index) => read([id], { key: index % 2 === 0 ? 0 : 1, whole: true }))
        assert.deepStrictEqual(yield* simultaneously([...whole, ...whole]), { ok: 6, DAILY_CAP_EXCEEDED: 6 })
        const { today: { contact_reveal: counted } } = yield* usage()
        assert.strictEqual(counted.organization, 3)
        // The same three are open, and no other, for whoever reads and however often.
        for (const key of [0, 1] as const) assert.strictEqual((yield* read(contacts, { key })).size, 3)
        assert.strictEqual((yield* usage()).today.contact_reveal.organization, 3)
        // Midnight begins anew.
        assert.strictEqual((yield* read(contacts.slice(0, 3), { now: start + day })).size, 0)
      }))

    it.effect("what is told of the allowance adds up, and asking takes nothing (A7 A10)", () =>
      Effect.gen(function*() {
        const overages = [null, { price_per_record_usd: "0.25", ceiling_records: 4 }]
        for (
          const [index, sizes] of fc.sample(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }), 8).entries()
        ) {
          const overage = overages[index % 2] ?? null
          const { allowance, deliver, usage } = yield* arrange({
            ...live({ records: 6, initial_load: 2, period: "calendar_month", overage }),
            daily_limits: { records_taken_per_day: { service: 100 } }
          })
          for (const size of sizes) yield* codeOf(deliver(bundle(size), { limits: { records_taken_per_day: 100 } }))
          const before = yield* usage()
          const told = yield* allowance
          assert.deepStrictEqual(yield* allowance, told)
          assert.deepStrictEqual(yield* usage(), before)
          const { initial_load: initial, overage: over, records_allowance: records } = told
          const used = (records?.used ?? 0) + (initial?.used ?? 0)
          assert.strictEqual((initial?.used ?? 0) + (initial?.remaining ?? 0), 2)
          assert.strictEqual(
            Object.values(records?.by_kind ?? {}).reduce((sum, amount) => sum + amount, 0),
            used
          )
          assert.strictEqual(over.accrued_records, Math.max(0, (records?.used ?? 0) - 6))
          assert.strictEqual((records?.used ?? 0) + (records?.remaining ?? 0), 6 + over.accrued_records)
          assert.strictEqual(over.accrued_usd, over.accrued_records / 4)
          assert.strictEqual(over.price_per_record_usd !== null, overage !== null)
        }
      }))

    it.effect("a record is taken once, however many simultaneous calls deliver it (A1 A9)", () =>
      Effect.gen(function*() {
        const records = bundle(3)
        const { deliver, usage } = yield* arrange(
          live({ records: 30, initial_load: 0, period: "calendar_month", overage: null })
        )
        assert.deepStrictEqual(yield* simultaneously(Array.from({ length: 8 }, () => deliver(records))), { ok: 8 })
        const { byKind, records: use, today } = yield* usage()
        assert.deepStrictEqual([use, byKind], [{ initial: 0, recurring: 3 }, {
          property: 1,
          organization: 0,
          contact: 2
        }])
        assert.deepStrictEqual(today.records_taken_per_day, { organization: 3, key: 3 })
      }))

    it.effect("simultaneous takings are all or nothing, up to the allowance and its overage (A3 A4 A7)", () =>
      Effect.gen(function*() {
        const { deliver, usage } = yield* arrange({
          ...live({
            records: 7,
            initial_load: 2,
            period: "calendar_month",
            overage: { price_per_record_usd: "0.5", ceiling_records: 2 }
          }),
          daily_limits: { records_taken_per_day: { service: 100 } }
        })
        const outcomes = yield* simultaneously(
          Array.from({ length: 8 }, () => deliver(bundle(3), { limits: { records_taken_per_day: 100 } }))
        )
        assert.deepStrictEqual(outcomes, { ok: 3, RECORDS_ALLOWANCE_EXCEEDED: 5 })
        assert.deepStrictEqual((yield* usage()).records, { initial: 2, recurring: 7 })
        const last = yield* deliver(bundle(2), { limits: { records_taken_per_day: 100 } })
        assert.deepStrictEqual(last.records, {
          taken: 2,
          remaining: 0,
          overage_accrued_records: 2,
          overage_accrued_usd: 1
        })
      }))

    it.effect("a new period counts anew, and the initial load is never refilled (A4 A5)", () =>
      Effect.gen(function*() {
        const contract = { start: "2026-01-31T00:00:00Z", months: 1 }
        const { deliver, usage } = yield* arrange({
          ...live({ records: 2, initial_load: 1, period: contract, overage: null }),
          daily_limits: { records_taken_per_day: { service: 100 } }
        })
        const limits = { records_taken_per_day: 100 }
        const boundary = Date.UTC(2026, 2, 31)
        const records = bundle(3)
        yield* deliver(records, { limits, now: boundary - 1 })
        assert.strictEqual(
          yield* codeOf(deliver(bundle(1), { limits, now: boundary - 1 })),
          "RECORDS_ALLOWANCE_EXCEEDED"
        )
        assert.deepStrictEqual((yield* usage({ now: boundary - 1 })).records, { initial: 1, recurring: 2 })
        assert.deepStrictEqual((yield* usage({ now: boundary })).records, { initial: 1, recurring: 0 })
        assert.strictEqual(yield* codeOf(deliver(records, { limits, now: boundary })), "RECORDS_ALLOWANCE_EXCEEDED")
        yield* deliver(records.slice(1), { limits, now: boundary })
        yield* deliver(records.slice(1), { limits, now: boundary })
        assert.deepStrictEqual((yield* usage({ now: boundary })).records, { initial: 1, recurring: 2 })
      }))

    it.effect("unlocks and reveals count when they are paid for; what is free is not stopped by a cap that is used up (D6)", () =>
      Effect.gen(function*() {
        const { contacts, properties, reveal, unlock, usage } = yield* arrange({
          daily_limits: { paid_property_unlock: { organization: 1 }, contact_reveal: { service: 2 } }
        }, 4)
        const [a = "", b = "", c = ""] = properties
        yield* unlock(a)
        assert.strictEqual(yield* codeOf(unlock(b)), "DAILY_CAP_EXCEEDED")
        assert.deepInclude(yield* unlock(a), { alreadyRevealed: true })
        yield* unlock(c, { covered: true })
        const [one = "", two = "", three = ""] = contacts
        yield* reveal(one)
        yield* reveal(two, { covered: true })
        assert.strictEqual(yield* codeOf(reveal(three)), "ACCOUNT_DAILY_CAP_EXCEEDED")
        assert.strictEqual(yield* codeOf(reveal(three, { covered: true })), "ACCOUNT_DAILY_CAP_EXCEEDED")
        for (const again of [one, two]) {
          assert.deepInclude(yield* reveal(again, { covered: again === two, limits: { contact_reveal: 0 } }), {
            alreadyRevealed: true
          })
        }
        const { today } = yield* usage()
        assert.deepStrictEqual([today.paid_property_unlock.organization, today.contact_reveal.organization], [1, 2])
        assert.strictEqual(yield* codeOf(reveal(three, { now: start + day })), "ok")
      }))

    it.effect("a refused call counts nothing, and organizations do not count for each other (A6 L12)", () =>
      Effect.gen(function*() {
        const limited = yield* arrange({
          ...live({ records: 1, initial_load: 0, period: "calendar_month", overage: null }),
          daily_limits: { lead_export: { organization: 5 }, records_taken_per_day: { service: 5 } }
        })
        const other = yield* arrange()
        const before = yield* limited.usage()
        const limits = { records_taken_per_day: 9 }
        assert.strictEqual(yield* codeOf(limited.deliver(bundle(6), { limits })), "ACCOUNT_DAILY_CAP_EXCEEDED")
        assert.strictEqual(yield* codeOf(limited.deliver(bundle(2), { limits })), "RECORDS_ALLOWANCE_EXCEEDED")
        // The key's own cap is derived from the allowance: three days' share of 1.
        assert.strictEqual(yield* codeOf(limited.deliver(bundle(2))), "CREDENTIAL_DAILY_CAP_EXCEEDED")
        assert.deepStrictEqual(yield* limited.usage(), before)
        yield* other.deliver(bundle(2))
        assert.deepStrictEqual(yield* limited.usage(), before)
        assert.deepStrictEqual((yield* other.usage()).records, none.records)
        assert.strictEqual((yield* other.usage()).today.lead_export.organization, 1)
      }))
  })
}
