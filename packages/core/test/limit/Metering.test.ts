/** What a call counts and when it is refused: laws D4, D6, D7, D8, A1 to A3, A6, A8, A9 and the order of the kinds. */
import { assert, describe, it } from "@effect/vitest"
import { recordsOf } from "@freehold/core/lead/BundleRecords"
import { type Limits, limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { allow, decideReading, takeRecords } from "@freehold/core/limit/Metering"
import { type Counted, none, recordKey, type RecordRef, type Usage, type UsageQuery } from "@freehold/core/limit/Usage"
import * as UsageCounters from "@freehold/core/limit/UsageCounters"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Result } from "effect"
import * as fc from "fast-check"

const now = Date.UTC(2026, 2, 30, 23, 59, 59, 900)
const midnight = "2026-03-31T00:00:00.000Z"

const live: Partial<Organization> = {
  plan: "enterprise",
  features: { ...defaults("org_sample").features, records_allowance: true }
}

const allowance = (records: number, more: Partial<NonNullable<Organization["records_allowance"]>> = {}) => ({
  ...live,
  records_allowance: { records, initial_load: 0, period: "calendar_month" as const, overage: null, ...more }
})

const limits = (
  settings: Partial<Organization>,
  dailyLimits: Record<string, number> = {},
  at = now,
  credentialId = "key_a"
): Limits => limitsOf({ ...defaults("org_sample"), ...settings }, { credentialId, dailyLimits }, at)

/** Counters in memory, as an adapter keeps them. */
const counters = () => {
  const kept = new Map<string, number>()
  return {
    usage: (query: UsageQuery): Usage => UsageCounters.usageOf(query, none, (name) => kept.get(name) ?? 0),
    add: (query: UsageQuery, counted: Counted) => {
      for (const [name, amount] of UsageCounters.additionsOf(query, counted)) {
        kept.set(name, (kept.get(name) ?? 0) + amount)
      }
    }
  }
}

const person = (id: string): RecordRef => ({ kind: "contact", id })
const records = (count: number) => Array.from({ length: count }, (_, index) => person(`p${index}`))

describe("a refusal", () => {
  it("tells the day's use, the cap, what is left and when it resets (D4)", () => {
    const refused = Result.getOrThrow(Result.flip(allow(
      limits({ daily_limits: { lead_export: { service: 5, organization: 3 } } }),
      { ...none, today: { ...none.today, lead_export: { organization: 3, key: 1 } } },
      "lead_export",
      1
    )))
    assert.strictEqual(refused._tag, "DAILY_CAP_EXCEEDED")
    assert.deepInclude(refused, { usedToday: 3, cap: 3, remainingToday: 0, resetsAt: midnight, retryAfterSeconds: 1 })
    assert.deepStrictEqual(refused.limit, {
      name: "lead_export",
      level: 2,
      layer: "organization",
      value: 3,
      used: 3,
      resets_at: midnight
    })
  })

  it("tells as left what deliveries under way do not need", () => {
    const refused = Result.getOrThrow(Result.flip(takeRecords(
      limits(
        { ...allowance(10), daily_limits: { records_taken_per_day: { service: 100, organization: 100 } } },
        { records_taken_per_day: 100 }
      ),
      {
        ...none,
        freshRecords: records(5),
        records: { initial: 0, recurring: 3 },
        underWay: { exports: 0, records: 4 }
      },
      records(5)
    )))
    assert.strictEqual(
      refused.message,
      "This would take 5 records, more than remain of your organization's records allowance (3); nothing was taken."
    )
  })

  it("never tells less than nothing left, and ends with the day, whenever and however much was used (D4 D8)", () => {
    const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) })
    fc.assert(fc.property(moment, fc.nat({ max: 5 }), fc.nat({ max: 9 }), (at, cap, used) => {
      const decided = allow(
        limits({ daily_limits: { lead_export: { organization: cap } } }, {}, at),
        { ...none, today: { ...none.today, lead_export: { organization: used, key: 0 } } },
        "lead_export",
        1
      )
      assert.strictEqual(Result.isFailure(decided), used >= cap)
      if (Result.isSuccess(decided)) return
      const { remainingToday, resetsAt, retryAfterSeconds } = decided.failure
      const reset = Date.parse(resetsAt)
      assert.strictEqual(remainingToday, 0)
      assert.isTrue(reset % 86_400_000 === 0 && reset > at && reset - at <= 86_400_000)
      assert.isTrue(at + retryAfterSeconds * 1000 >= reset)
    }))
  })

  it("has each layer's own code (D4)", () => {
    const used = { ...none, today: { ...none.today, contact_reveal: { organization: 9, key: 9 } } }
    const code = (settings: Partial<Organization>, key: Record<string, number> = {}) =>
      Result.getOrThrow(Result.flip(allow(limits(settings, key), used, "contact_reveal", 1)))._tag
    assert.strictEqual(code({ daily_limits: { contact_reveal: { service: 9 } } }), "ACCOUNT_DAILY_CAP_EXCEEDED")
    assert.strictEqual(code({ daily_limits: { contact_reveal: { organization: 9 } } }), "DAILY_CAP_EXCEEDED")
    assert.strictEqual(code({}, { contact_reveal: 9 }), "CREDENTIAL_DAILY_CAP_EXCEEDED")
    assert.strictEqual(
      code({ daily_limits: { contact_reveal: { service: 9, organization: 9 } } }),
      "ACCOUNT_DAILY_CAP_EXCEEDED"
    )
  })

  it("leaves the structured limit out while the organization does not have it yet", () => {
    const settings = {
      ...allowance(0),
      daily_limits: { contact_reveal: { service: 0 }, records_taken_per_day: { service: 100 } },
      features: { ...defaults("org_sample").features, records_allowance: true, limit_details: false }
    }
    const daily = Result.getOrThrow(Result.flip(allow(limits(settings), none, "contact_reveal", 1)))
    const one = { ...none, freshRecords: records(1) }
    const taken = Result.getOrThrow(
      Result.flip(takeRecords(limits(settings, { records_taken_per_day: 9 }), one, records(1)))
    )
    assert.notProperty(daily, "limit")
    assert.strictEqual(daily.cap, 0)
    assert.deepStrictEqual([taken._tag, "limit" in taken], ["RECORDS_ALLOWANCE_EXCEEDED", false])
  })

  it("of the allowance tells what remains and what the overage costs", () => {
    const settings = {
      ...allowance(2, { overage: { price_per_record_usd: "0.05", ceiling_records: 1 } }),
      daily_limits: { records_taken_per_day: { service: 100 } }
    }
    const usage = { ...none, records: { initial: 0, recurring: 2 }, freshRecords: records(2) }
    const refused = Result.getOrThrow(
      Result.flip(takeRecords(limits(settings, { records_taken_per_day: 100 }), usage, records(2)))
    )
    assert.strictEqual(refused._tag, "RECORDS_ALLOWANCE_EXCEEDED")
    assert.deepStrictEqual(refused.limit, {
      name: "records_allowance",
      level: 3,
      value: 2,
      used: 2,
      remaining: 1,
      period_ends_at: "2026-04-01T00:00:00.000Z",
      overage_enabled: true,
      overage_price_per_record_usd: 0.05
    })
    assert.strictEqual(refused.retryAfterSeconds, 86_401)
  })

  it("comes from the day's records before the allowance, and says that it is derived", () => {
    const usage = { ...none, freshRecords: records(3) }
    const refused = Result.getOrThrow(Result.flip(takeRecords(limits(allowance(2)), usage, records(3))))
    assert.strictEqual(refused._tag, "ACCOUNT_DAILY_CAP_EXCEEDED")
    assert.deepInclude(refused.limit, { derived: true, layers: ["greenfinch_admin", "key"], value: 1 })
  })
})

describe("a refusal of several at once", () => {
  it("says how many it needs, and that no day allows more than its maximum", () => {
    const messageOf = (cap: number, used: number, need: number) =>
      Result.getOrThrow(Result.flip(allow(
        limits({ daily_limits: { records_taken_per_day: { service: cap } } }),
        { ...none, today: { ...none.today, records_taken_per_day: { organization: used, key: 0 } } },
        "records_taken_per_day",
        need
      ))).message
    const service = "The service's maximum of"
    assert.strictEqual(
      messageOf(1, 0, 4),
      `${service} 1 record a day does not allow this, which needs 4; nothing was done. No day allows as many.`
    )
    assert.strictEqual(
      messageOf(5, 2, 4),
      `${service} 5 records a day does not allow this, which needs 4; nothing was done. The count restarts at midnight UTC.`
    )
    assert.strictEqual(
      messageOf(1, 1, 1),
      `${service} 1 record a day does not allow this; nothing was done. The count restarts at midnight UTC.`
    )
  })

  it("of the allowance says how many it needs and how many are left", () => {
    const refused = Result.getOrThrow(Result.flip(takeRecords(
      limits(allowance(31, { period: "calendar_month" })),
      { ...none, records: { initial: 0, recurring: 30 }, freshRecords: records(2) },
      records(2)
    )))
    assert(refused._tag === "RECORDS_ALLOWANCE_EXCEEDED")
    assert.strictEqual(refused.needed, 2)
    assert.strictEqual(
      refused.message,
      "This would take 2 records, more than remain of your organization's records allowance (1); nothing was taken."
    )
  })
})

describe("reading covered people", () => {
  const settings = { daily_limits: { contact_reveal: { organization: 2 } } }
  const contacts = ["c1", "c2", "c3"]

  it("opens the first that the day has room for, in the answer's order (D7)", () => {
    const usage = { ...none, freshContacts: contacts }
    const soft = Result.getOrThrow(
      decideReading(limits(settings), usage, { covered: contacts, whole: false, records: [] })
    )
    assert.deepStrictEqual([[...soft.withheld], soft.counted.contacts, soft.counted.kinds], [
      ["c3"],
      ["c1", "c2"],
      { contact_reveal: 2 }
    ])
    const hard = decideReading(limits(settings), usage, { covered: contacts, whole: true, records: [] })
    assert.isTrue(Result.isFailure(hard))
  })

  it("counts each once a day for the whole organization, whichever key reads (D6)", () => {
    const { add, usage } = counters()
    const read = (key: string, ids: ReadonlyArray<string>, at = now) => {
      const of = limits(settings, {}, at, key)
      const query = queryOf(of, { contacts: ids })
      const decided = decideReading(of, usage(query), { covered: ids, whole: false, records: [] })
      const reading = Result.getOrThrow(decided)
      add(query, reading.counted)
      return [...reading.withheld]
    }
    assert.deepStrictEqual(read("key_a", ["c1"]), [])
    assert.deepStrictEqual(read("key_b", ["c1"]), [])
    assert.deepStrictEqual(read("key_b", contacts), ["c3"])
    assert.deepStrictEqual(read("key_a", contacts), ["c3"])
    const [a, b] = ["key_a", "key_b"].map((key) => usage(queryOf(limits(settings, {}, now, key))).today.contact_reveal)
    assert.deepStrictEqual([a, b], [{ organization: 2, key: 1 }, { organization: 2, key: 1 }])
    // D8: at midnight everything begins anew.
    assert.deepStrictEqual(read("key_a", ["c3", "c1"], Date.parse(midnight)), [])
  })
})

describe("taking records", () => {
  it("counts each distinct one once in a period, over every order and door; a refused taking counts none (A1, A3, A9)", () => {
    const seen = new Set<string>()
    const taking = fc.record({
      ids: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom<RecordRef["kind"]>("property", "contact"),
      days: fc.nat({ max: 3 })
    })
    fc.assert(
      fc.property(fc.array(taking, { maxLength: 15 }), fc.nat({ max: 6 }), (takings, value) => {
        const { add, usage } = counters()
        const settings = { ...allowance(value), daily_limits: { records_taken_per_day: { service: 4 } } }
        const taken = new Set<string>()
        const days = new Map<number, number>()
        let at = now - 29 * 86_400_000
        for (const { days: later, ids, kind } of takings) {
          at += later * 43_200_000
          if (at > now) break
          const of = limits(settings, { records_taken_per_day: 100 }, at)
          const asked = ids.map((id) => ({ kind, id }))
          const query = queryOf(of, { records: asked })
          const fresh = new Set(asked.map(recordKey).filter((key) => !taken.has(key))).size
          const result = takeRecords(of, usage(query), asked)
          const today = days.get(query.day) ?? 0
          const expected = fresh > 0 && today + fresh > 4
            ? "ACCOUNT_DAILY_CAP_EXCEEDED"
            : fresh > 0 && taken.size + fresh > value
            ? "RECORDS_ALLOWANCE_EXCEEDED"
            : "ok"
          assert.strictEqual(Result.isFailure(result) ? result.failure._tag : "ok", expected)
          seen.add(fresh === 0 ? "again" : expected)
          if (Result.isFailure(result)) continue
          for (const record of asked) taken.add(recordKey(record))
          days.set(query.day, today + fresh)
          add(query, { kinds: {}, contacts: [], ...result.success.counted })
          const after = usage(query)
          assert.strictEqual(after.records.recurring, taken.size)
          assert.strictEqual(Object.values(after.byKind).reduce((sum, each) => sum + each), taken.size)
          assert.strictEqual([...days.values()].reduce((sum, each) => sum + each), after.records.recurring)
          assert.deepInclude(result.success.facts, { taken: fresh, remaining: value - taken.size })
        }
      }),
      { numRuns: 1000 }
    )
    assert.deepStrictEqual([...seen].sort(), [
      "ACCOUNT_DAILY_CAP_EXCEEDED",
      "RECORDS_ALLOWANCE_EXCEEDED",
      "again",
      "ok"
    ])
  })

  it("counts nothing where no allowance and no cap on records is in force", () => {
    const of = limits({ plan: "enterprise" })
    assert.isFalse(of.countsRecords)
    assert.deepStrictEqual(queryOf(of, { records: records(2) }).records, [])
    assert.deepStrictEqual(Result.getOrThrow(takeRecords(of, none, records(2))), {
      counted: { records: [], fromInitial: 0 },
      facts: null
    })
    assert.isNull(limits({ ...allowance(5), plan: "team" }).allowance)
  })
})

describe("a bundle", () => {
  const bundle = {
    service_property_id: "p",
    partial: false,
    organizations: [{ service_organization_id: "f" }, { service_organization_id: "f" }],
    contacts: [{ service_contact_id: "c" }, { service_contact_id: "d" }, { service_contact_id: "c" }]
  }

  it("is its property, and each firm and person once (A2)", () => {
    assert.deepStrictEqual(recordsOf(bundle).map(recordKey), ["property p", "organization f", "contact c", "contact d"])
  })

  it("that is partial is nothing", () => {
    assert.deepStrictEqual(recordsOf({ ...bundle, partial: true }), [])
  })
})
