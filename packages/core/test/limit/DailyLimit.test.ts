/** The laws of the daily limits, D1 to D5 and D10, D11: pure. */
import { assert, describe, it } from "@effect/vitest"
import type { KeyDailyLimits } from "@freehold/core/access/KeyDailyLimits"
import {
  capsOf,
  type DailyCaps,
  defaultPipelineCap,
  derivedRecordsCap,
  layersOf,
  LimitLayer,
  refusing,
  roomOf,
  serviceLayer,
  tightest
} from "@freehold/core/limit/DailyLimit"
import { DailyLimitKind, defaults } from "@freehold/core/organization/Organization"
import * as fc from "fast-check"

const cap = fc.constantFrom(null, 0, 1, 2, 5, 10)
const caps = fc.record({ [serviceLayer]: cap, organization: cap, key: cap }).map((values): DailyCaps => ({
  greenfinch_admin: given(values.greenfinch_admin),
  organization: given(values.organization),
  key: given(values.key)
}))
const given = (value: number | null) => value === null ? null : { value, derived: false }
/** A key's use is part of its organization's. */
const used = fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 })).map(([key, others]) => ({
  key,
  organization: key + others
}))
const need = fc.integer({ min: 1, max: 3 })

describe("a day's caps", () => {
  it("refuse iff some layer's own use and the need exceed its cap (D2)", () => {
    fc.assert(
      fc.property(caps, used, need, (each, use, more) => {
        const passed = [
          [each.greenfinch_admin, use.organization],
          [each.organization, use.organization],
          [each.key, use.key]
        ] as const
        const over = passed.some(([limit, count]) => limit !== null && count + more > limit.value)
        assert.strictEqual(refusing(each, use, more) !== null, over)
        assert.strictEqual(roomOf(each, use) < more, over)
      }),
      { numRuns: 2000 }
    )
  })

  it("report the lowest cap among those that refuse, and all of equal ones in order (D3)", () => {
    const tie = { seen: 0 }
    fc.assert(
      fc.property(caps, used, need, (each, use, more) => {
        const reported = refusing(each, use, more)
        if (reported === null) return
        const over = layersOf(each, use).filter((layer) => layer.used + more > layer.value)
        assert.isTrue(over.every(({ value }) => value >= reported.value))
        assert.deepStrictEqual(
          reported.layers,
          LimitLayer.literals.filter((layer) =>
            over.some((other) => other.layer === layer && other.value === reported.value)
          )
        )
        assert.strictEqual(reported.layer, reported.layers[0])
        if (reported.layers.length > 1) tie.seen += 1
      }),
      { numRuns: 2000 }
    )
    assert.isAbove(tie.seen, 0, "a tie was generated")
    // Not the lowest cap of all: the key has some left.
    const mixed: DailyCaps = { greenfinch_admin: null, organization: given(10), key: given(5) }
    assert.strictEqual(refusing(mixed, { organization: 10, key: 2 }, 1)?.layer, "organization")
  })

  it("never refuse more when a cap is raised or lifted", () => {
    fc.assert(
      fc.property(caps, used, need, fc.constantFrom(...LimitLayer.literals), (each, use, more, layer) => {
        if (refusing(each, use, more) !== null) return
        const raised = { ...each, [layer]: each[layer] === null ? null : given((each[layer]?.value ?? 0) + 1) }
        assert.isNull(refusing(raised, use, more))
        assert.isNull(refusing({ ...each, [layer]: null }, use, more))
      }),
      { numRuns: 1000 }
    )
  })

  it("of 0 pause, of null do nothing (D5)", () => {
    const paused: DailyCaps = { greenfinch_admin: null, organization: null, key: given(0) }
    assert.strictEqual(refusing(paused, { organization: 0, key: 0 }, 1)?.layer, "key")
    const free: DailyCaps = { greenfinch_admin: null, organization: null, key: null }
    assert.isNull(refusing(free, { organization: 1000, key: 1000 }, 1))
    assert.strictEqual(roomOf(free, { organization: 1000, key: 1000 }), Infinity)
    assert.isNull(tightest(free, { organization: 1000, key: 1000 }))
  })

  it("of 0 in the settings pause that kind for that scope alone, whatever else is set (D5)", () => {
    const kind = fc.constantFrom(...DailyLimitKind.literals)
    fc.assert(fc.property(kind, kind, fc.constantFrom(null, 3), used, (paused, other, given, use) => {
      const organization = {
        ...defaults("org_sample"),
        daily_limits: { [paused]: { service: given, organization: 50 } }
      }
      const asks = (of: DailyLimitKind, key: KeyDailyLimits) =>
        refusing(capsOf(of, organization, key, 40), { organization: 0, key: use.key }, 1)
      assert.deepInclude(asks(paused, { [paused]: 0 }), { layer: "key", value: 0 })
      if (other !== paused && use.key < 25) assert.isNull(asks(other, { [paused]: 0 }))
      assert.notDeepInclude(asks(paused, { [paused]: null }) ?? {}, { value: 0 })
    }))
  })

  it("above the organization's have no effect (D1)", () => {
    fc.assert(fc.property(used, need, fc.nat({ max: 10 }), fc.nat({ max: 10 }), (use, more, organization, extra) => {
      const alone: DailyCaps = { greenfinch_admin: null, organization: given(organization), key: null }
      const above: DailyCaps = { ...alone, key: given(organization + extra) }
      assert.strictEqual(refusing(above, use, more) === null, refusing(alone, use, more) === null)
    }))
  })

  it("show the layer with the least left", () => {
    const each: DailyCaps = { greenfinch_admin: given(100), organization: given(10), key: given(5) }
    assert.deepInclude(tightest(each, { organization: 8, key: 0 }), { layer: "organization", value: 10, used: 8 })
    assert.deepInclude(tightest(each, { organization: 5, key: 0 }), { layer: "key", value: 5, used: 0 })
    const same: DailyCaps = { greenfinch_admin: given(10), organization: given(10), key: null }
    assert.deepInclude(tightest(same, { organization: 3, key: 3 }), { layers: ["greenfinch_admin", "organization"] })
  })
})

describe("the caps in force", () => {
  const organization = defaults("org_sample")

  it("of records are derived from the allowance at the service and the key, until a layer has its own (D10)", () => {
    assert.strictEqual(derivedRecordsCap(5000, 30), 500)
    assert.strictEqual(derivedRecordsCap(100, 31), 10)
    const derived = { value: 10, derived: true }
    assert.deepStrictEqual(capsOf("records_taken_per_day", organization, {}, 10), {
      greenfinch_admin: derived,
      organization: null,
      key: derived
    })
    const own = { ...organization, daily_limits: { records_taken_per_day: { service: 4, organization: null } } }
    assert.deepStrictEqual(capsOf("records_taken_per_day", own, { records_taken_per_day: null }, 10), {
      greenfinch_admin: { value: 4, derived: false },
      organization: null,
      key: derived
    })
    assert.deepStrictEqual(capsOf("records_taken_per_day", own, { records_taken_per_day: 0 }, 10).key, {
      value: 0,
      derived: false
    })
    assert.isNull(capsOf("records_taken_per_day", organization, {}, null).key)
    assert.isNull(capsOf("contact_reveal", organization, {}, 10).greenfinch_admin)
  })

  it("of pipeline changes have a default at the organization (D11)", () => {
    assert.deepStrictEqual([0, 749, 750, 779, 780, 3000].map(defaultPipelineCap), [25, 25, 25, 25, 26, 100])
    const paid = { ...organization, monthly_credit_allotment: 3000 }
    assert.deepStrictEqual(capsOf("agent_pipeline_change", paid, {}, null).organization, { value: 100, derived: false })
    const own = { ...paid, daily_limits: { agent_pipeline_change: { organization: 3 } } }
    assert.deepStrictEqual(capsOf("agent_pipeline_change", own, {}, null).organization, { value: 3, derived: false })
  })
})
