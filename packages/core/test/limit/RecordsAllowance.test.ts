/** The laws of the records allowance, A3 to A5 and A7: pure. */
import { assert, describe, it } from "@effect/vitest"
import {
  type AllowanceTerms,
  daysIn,
  fromInitial,
  leftOf,
  microsOf,
  overageOf,
  overageUsd,
  periodOf,
  remainingOf
} from "@freehold/core/limit/RecordsAllowance"
import * as fc from "fast-check"

const iso = (millis: number) => new Date(millis).toISOString()
const at = (text: string) => Date.parse(text)

describe("a billing period", () => {
  it("is the UTC month without a contract", () => {
    const period = periodOf("calendar_month", at("2026-02-28T23:59:59.999Z"))
    assert.deepStrictEqual([iso(period.start), iso(period.end), period.basis], [
      "2026-02-01T00:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
      "calendar_month"
    ])
    assert.strictEqual(daysIn(period), 28)
  })

  it("of a contract that begins on the 31st ends with shorter months, and comes back to the 31st (A5)", () => {
    const rule = { start: "2026-01-31T12:00:00Z", months: 1 }
    const starts = ["2026-01-31T12:00:00.000Z", "2026-02-28T12:00:00.000Z", "2026-03-31T12:00:00.000Z"]
    for (const [index, start] of starts.entries()) {
      assert.strictEqual(iso(periodOf(rule, at(start)).start), start)
      const next = starts[index + 1]
      if (next !== undefined) {
        assert.strictEqual(iso(periodOf(rule, at(start)).end), next)
        assert.strictEqual(iso(periodOf(rule, at(next) - 1).start), start)
      }
    }
    assert.strictEqual(
      iso(periodOf({ start: "2024-02-29", months: 12 }, at("2025-06-01")).start),
      "2025-02-28T00:00:00.000Z"
    )
    assert.strictEqual(
      iso(periodOf({ start: "2024-02-29", months: 12 }, at("2028-06-01")).start),
      "2028-02-29T00:00:00.000Z"
    )
  })

  it("holds every moment once: half-open, without gaps, before the contract's start too (A5)", () => {
    const moment = fc.integer({ min: at("2020-01-01"), max: at("2035-01-01") })
    const start = fc.integer({ min: at("2024-01-01"), max: at("2027-01-01") }).map(iso)
    fc.assert(
      fc.property(moment, start, fc.constantFrom(1, 2, 3, 12), (now, from, months) => {
        const period = periodOf({ start: from, months }, now)
        assert.isTrue(period.start <= now && now < period.end)
        assert.strictEqual(periodOf({ start: from, months }, period.end).start, period.end)
        assert.strictEqual(periodOf({ start: from, months }, period.start - 1).end, period.start)
      }),
      { numRuns: 1000 }
    )
  })
})

const terms: fc.Arbitrary<AllowanceTerms> = fc.record({
  records: fc.nat({ max: 6 }),
  initialLoad: fc.nat({ max: 4 }),
  overage: fc.option(fc.record({ priceMicros: fc.constantFrom(1, 50_000, 1_000_000), ceiling: fc.nat({ max: 4 }) }))
})

describe("the records allowance", () => {
  it("spends the initial load first, once, then the recurring part, then the overage to its ceiling (A3, A4, A7)", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(terms, fc.array(fc.nat({ max: 4 }), { maxLength: 12 }), (each, takings) => {
        let use = { initial: 0, recurring: 0 }
        let taken = 0
        const most = each.initialLoad + each.records + (each.overage?.ceiling ?? 0)
        for (const fresh of takings) {
          const allowed = fresh <= remainingOf(each, use)
          assert.strictEqual(allowed, taken + fresh <= most)
          if (!allowed) {
            seen.add("refused")
            continue
          }
          const initial = fromInitial(each, use, fresh)
          if (initial > 0 && initial < fresh) seen.add("straddled")
          assert.isTrue(initial === fresh || leftOf(each, use).initial === initial)
          use = { initial: use.initial + initial, recurring: use.recurring + fresh - initial }
          taken += fresh
          assert.strictEqual(use.initial + use.recurring, taken)
          assert.strictEqual(
            overageOf(each, use),
            each.overage === null ? 0 : Math.max(0, use.recurring - each.records)
          )
          if (overageOf(each, use) > 0) seen.add("overage")
          else assert.strictEqual(use.recurring + leftOf(each, use).recurring, each.records)
        }
      }),
      { numRuns: 2000 }
    )
    assert.deepStrictEqual([...seen].sort(), ["overage", "refused", "straddled"])
  })

  it("counts money in millionths of a dollar (L15)", () => {
    assert.deepStrictEqual(["0.05", "12", "0.000001", "999999999.999999"].map(microsOf), [
      50_000,
      12_000_000,
      1,
      999_999_999_999_999
    ])
    const each = { records: 0, initialLoad: 0, overage: { priceMicros: 50_000, ceiling: 1_000 } }
    assert.strictEqual(overageUsd(each, { initial: 0, recurring: 3 }), 0.15)
    assert.strictEqual(overageUsd({ ...each, overage: null }, { initial: 0, recurring: 3 }), 0)
  })
})
