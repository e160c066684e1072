import { assert, describe, it } from "@effect/vitest"
import type { LedgerSnapshot, OpenGrant } from "@freehold/core/credit/Ledger"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { limitsOf } from "@freehold/core/limit/Limits"
import { none } from "@freehold/core/limit/Usage"
import { defaults } from "@freehold/core/organization/Organization"
import { decideLaunch } from "@freehold/core/research/LaunchDecision"
import { Result } from "effect"
import * as fc from "fast-check"

const now = Date.UTC(2026, 10, 22)
const actor = { kind: "key", id: "key_sample", name: "sample" } as const

const grant = (
  ref: string,
  bucket: OpenGrant["bucket"],
  remaining: number,
  expiresAt: number | null = null
): OpenGrant => ({
  ref,
  bucket,
  remaining,
  expiresAt
})

const snapshot = (grants: ReadonlyArray<OpenGrant>, more: Partial<LedgerSnapshot> = {}): LedgerSnapshot => ({
  version: 3,
  organization: defaults("org_sample"),
  grants,
  access: null,
  openedByProperty: false,
  exportsUsed: 0,
  entry: null,
  refundedBy: null,
  usage: none,
  ...more
})

const request = { action: "research_property" as const, subjectIds: ["a", "b", "c"], actor, requestId: null, now }

describe("decideLaunch", () => {
  it("tells of several for how many of them there is enough", () => {
    const refused = (subjectIds: ReadonlyArray<string>) =>
      Result.getOrThrow(
        Result.flip(decideLaunch(snapshot([grant("order", "purchased", 25)]), { ...request, subjectIds }))
      )
    const several = refused(["a", "b", "c"])
    assert.deepInclude(several, { _tag: "INSUFFICIENT_CREDITS", required: 30, available: 25, affordable: 2 })
    assert.include(several.message, "That is enough for 2.")
    const one = decideLaunch(snapshot([grant("order", "purchased", 5)]), { ...request, subjectIds: ["a"] })
    assert.notProperty(Result.getOrThrow(Result.flip(one)), "affordable")
  })

  it("charges each subject by itself, in burn-down order over all of them, and closes what is gone first", () => {
    const grants = [
      grant("gone", "trial", 4, now),
      grant("trial", "trial", 12),
      grant("month", "included", 3),
      grant("order", "purchased", 100)
    ]
    const { access, counted, entries, value } = Result.getOrThrow(
      decideLaunch(snapshot(grants), { ...request, limits: limitsOf(defaults("org_sample"), null, now) })
    )
    assert.deepStrictEqual(value, [5, 6, 7])
    assert.deepStrictEqual(
      entries.map(({ allocations, kind, subject_id }) => [
        kind,
        subject_id,
        ...allocations.map(({ amount, grantRef }) => `${grantRef} ${amount}`)
      ]),
      [
        ["expiry", null, "gone 4"],
        ["charge", "a", "trial 10"],
        ["charge", "b", "trial 2", "month 3", "order 5"],
        ["charge", "c", "order 10"]
      ]
    )
    const opened = [{ id: "a", chargeEntry: 5 }, { id: "b", chargeEntry: 6 }, { id: "c", chargeEntry: 7 }]
    assert.deepStrictEqual(access, opened.map((each) => ({ _tag: "Include", kind: "property", ...each })))
    assert.deepStrictEqual(counted.kinds, { paid_property_unlock: 3 })
    assert.deepStrictEqual(numbered(snapshot(grants), entries, now).map(({ entry }) => entry), [4, 5, 6, 7])
  })

  it("refuses in the order of the checks: billing, payment, dormancy, limits, money, consent", () => {
    const broken = {
      version: 0,
      organization: {
        ...defaults("org_sample"),
        payment_status: "failed" as const,
        credits_dormant: true,
        daily_limits: { paid_property_unlock: { organization: 2 } }
      }
    }
    const refusal = (more: Partial<LedgerSnapshot>, maxCredits = 0) => {
      const at = snapshot([], { ...broken, ...more })
      const organization = { ...defaults("org_sample"), ...at.organization }
      const outcome = decideLaunch(at, { ...request, maxCredits, limits: limitsOf(organization, null, now) })
      return Result.isFailure(outcome) ? outcome.failure._tag : null
    }
    const { organization } = broken
    const sound = { version: 1, organization: defaults("org_sample") }
    assert.deepStrictEqual([
      refusal({}),
      refusal({ version: 1 }),
      refusal({ version: 1, organization: { ...organization, payment_status: "ok" } }),
      refusal({ version: 1, organization: { ...organization, payment_status: "ok", credits_dormant: false } }),
      refusal(sound),
      refusal({ ...sound, grants: [grant("order", "purchased", 100)] })
    ], [
      "BILLING_NOT_PROVISIONED",
      "SUBSCRIPTION_PAYMENT_FAILED",
      "CREDITS_DORMANT",
      "DAILY_CAP_EXCEEDED",
      "INSUFFICIENT_CREDITS",
      "COST_CONFIRMATION_REQUIRED"
    ])
  })

  it("holds a member's monthly limit against the whole batch", () => {
    const limits = {
      ...limitsOf(defaults("org_sample"), null, now),
      spender: { memberId: "ana", limit: 40, since: now, until: now + 86_400_000 }
    }
    const spent = { ...none, spent: 15 }
    const outcome = decideLaunch(snapshot([grant("order", "purchased", 100)], { usage: spent }), { ...request, limits })
    assert(Result.isFailure(outcome))
    assert.deepInclude(outcome.failure, { _tag: "USER_CREDIT_LIMIT_EXCEEDED", required: 30, available: 25 })
  })

  it("takes the price of each and no more, or nothing", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 0, maxLength: 4 })
    fc.assert(fc.property(amounts, fc.integer({ min: 1, max: 6 }), (given, count) => {
      const grants = given.map((amount, index) => grant(`g${index}`, "included", amount))
      const subjectIds = Array.from({ length: count }, (_, index) => `s${index}`)
      const outcome = decideLaunch(snapshot(grants), { ...request, action: "find_email", subjectIds })
      const available = given.reduce((sum, amount) => sum + amount, 0)
      assert.strictEqual(Result.isSuccess(outcome), available >= 5 * count)
      if (Result.isFailure(outcome)) return
      assert.deepStrictEqual(outcome.success.entries.map(({ credits }) => credits), subjectIds.map(() => -5))
      const taken = new Map<string, number>()
      for (const { amount, grantRef } of outcome.success.entries.flatMap(({ allocations }) => allocations)) {
        taken.set(grantRef, (taken.get(grantRef) ?? 0) + amount)
      }
      for (const { ref, remaining } of grants) assert.isAtMost(taken.get(ref) ?? 0, remaining)
      assert.deepStrictEqual(outcome.success.access, [])
    }))
  })
})
