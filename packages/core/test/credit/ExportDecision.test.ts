import { assert, describe, it } from "@effect/vitest"
import { defaults } from "@freehold/core/access/Organization"
import { decideExport } from "@freehold/core/credit/ExportDecision"
import { limitsOf } from "@freehold/core/limit/Limits"
import { none } from "@freehold/core/limit/Usage"
import { Result } from "effect"
import { grant, now, payer, snapshot } from "./Snapshots.ts"

const request = { ...payer, propertyId: "property_sample", covered: true }
const allowance = { export_allowance: { max_exports_per_month: 2, max_rows_per_month: 0 } }
const credit = { grants: [grant("a", "trial", 1)] }

const billOf = (...[given, settings]: Parameters<typeof snapshot>) => {
  const limits = limitsOf({ ...defaults("org_sample"), ...settings }, null, now)
  const result = decideExport(snapshot(given, settings), { ...request, limits })
  return Result.isSuccess(result)
    ? [result.success.value.billed_via, result.success.value.credits_charged, result.success.exports]
    : result.failure._tag
}

describe("decideExport", () => {
  it("is free within the month's exports, whatever the state of the money", () => {
    const blocked = { ...allowance, payment_status: "failed", credits_dormant: true } as const
    assert.deepStrictEqual(billOf({ exportsUsed: 0 }, allowance), ["quota", 0, 1])
    assert.deepStrictEqual(billOf({ exportsUsed: 1 }, blocked), ["quota", 0, 1])
    assert.strictEqual(billOf({ exportsUsed: 2 }, blocked), "PAYMENT_FAILED")
    assert.strictEqual(billOf({ exportsUsed: 2 }, { ...blocked, payment_status: "ok" }), "CREDITS_DORMANT")
  })

  it("costs one credit past them, every time", () => {
    assert.deepStrictEqual(billOf({ exportsUsed: 2, ...credit }, allowance), ["credit", 1, 1])
    assert.deepStrictEqual(billOf({ exportsUsed: 9, ...credit }), ["credit", 1, 1])
    assert.strictEqual(billOf({ exportsUsed: 2 }, allowance), "INSUFFICIENT_CREDITS")
  })

  it("costs no more than the caller agreed to, and asks nothing where it is free", () => {
    const agreeing = (maxCredits: number, exportsUsed: number) =>
      decideExport(snapshot({ exportsUsed, ...credit }, allowance), { ...request, maxCredits })
    assert.deepInclude(Result.merge(agreeing(0, 2)), {
      _tag: "COST_CONFIRMATION_REQUIRED",
      projectedCredits: 1,
      maxCredits: 0,
      balance: 1
    })
    assert.strictEqual(Result.getOrThrow(agreeing(1, 2)).value.credits_charged, 1)
    assert.strictEqual(Result.getOrThrow(agreeing(0, 1)).value.billed_via, "quota")
  })

  it("costs nothing once the records allowance of an Enterprise organization pays for it (A8)", () => {
    const inForce = {
      plan: "enterprise",
      features: { ...defaults("org_sample").features, records_allowance: true },
      records_allowance: { records: 10, initial_load: 0, period: "calendar_month", overage: null }
    } as const
    assert.deepStrictEqual(billOf({}, inForce), ["quota", 0, 1])
    assert.deepStrictEqual(billOf(credit, { ...inForce, records_allowance: null }), ["credit", 1, 1])
    assert.deepStrictEqual(billOf(credit, { plan: "enterprise" }), ["credit", 1, 1])
    assert.deepStrictEqual(billOf(credit, { ...inForce, plan: "team" }), ["credit", 1, 1])
  })

  it("is for what is paid for or covered, before anything else (A8)", () => {
    const of = (given: Parameters<typeof snapshot>[0]) =>
      Result.map(decideExport(snapshot(given), { ...request, covered: false }), ({ value }) => value.billed_via)
    const outcomes = [null, "covered", "free", "paid"] as const
    assert.deepStrictEqual(
      outcomes.map((source) => {
        const access = source === null ? null : { source, chargeEntry: source === "paid" ? 1 : null }
        return Result.merge(Result.mapError(of({ ...credit, access }), ({ _tag }) => _tag))
      }),
      ["NOT_ENTITLED", "NOT_ENTITLED", "NOT_ENTITLED", "credit"]
    )
    assert.deepInclude(Result.merge(of({})), { _tag: "NOT_ENTITLED" })
    // Neither does a records allowance open it, nor is that asked first (A8).
    for (const records of [0, 100]) {
      const organization = {
        ...defaults("org_sample"),
        plan: "enterprise" as const,
        features: { ...defaults("org_sample").features, records_allowance: true },
        records_allowance: { records, initial_load: 0, period: "calendar_month" as const, overage: null }
      }
      const taken = { kind: "property" as const, id: "property_sample" }
      const refused = decideExport(
        snapshot({ usage: { ...none, freshRecords: [taken] } }, organization),
        { ...request, covered: false, records: [taken], limits: limitsOf(organization, null, now) }
      )
      assert.deepInclude(Result.merge(refused), { _tag: "NOT_ENTITLED" })
    }
  })

  it("books the charge on the lead", () => {
    const [entry] = Result.getOrThrow(decideExport(snapshot(credit), request)).entries
    assert.deepInclude(entry, { action: "lead_delivery", subject_type: "lead", subject_id: "property_sample" })
  })
})
