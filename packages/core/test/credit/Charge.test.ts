import { assert, describe, it } from "@effect/vitest"
import { Bucket, none, total } from "@freehold/core/credit/Bucket"
import { inBurnDownOrder, isExpired, spendable } from "@freehold/core/credit/BurnDown"
import { agreed, charge, mayPay } from "@freehold/core/credit/Charge"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { Result } from "effect"
import * as fc from "fast-check"
import { grant, grants, now, payer, snapshot } from "./Snapshots.ts"

const purchase = (price: number) => ({
  action: "unlock_property",
  price,
  subjectType: "property",
  subjectId: "property_sample"
} as const)

describe("charge", () => {
  it("spends trial, included, enterprise pool and purchased credits in this order, the earliest expiry first", () => {
    const open = [
      grant("a", "purchased", 5),
      grant("b", "enterprise_pool", 5),
      grant("c", "included", 2),
      grant("d", "included", 2, now + 2),
      grant("e", "included", 2, now + 1),
      grant("f", "trial", 3)
    ]
    const entries = Result.getOrThrow(charge(snapshot({ grants: open }), purchase(13), payer))
    assert.deepStrictEqual(entries, [{
      kind: "charge",
      ref: null,
      action: "unlock_property",
      subject_type: "property",
      subject_id: "property_sample",
      credits: -13,
      buckets: { trial: -3, included: -6, enterprise_pool: -4, purchased: 0 },
      actor: payer.actor,
      request_id: "req_sample",
      refund_of: null,
      allocations: [
        { grantRef: "f", bucket: "trial", amount: 3 },
        { grantRef: "e", bucket: "included", amount: 2 },
        { grantRef: "d", bucket: "included", amount: 2 },
        { grantRef: "c", bucket: "included", amount: 2 },
        { grantRef: "b", bucket: "enterprise_pool", amount: 4 }
      ]
    }])
  })

  it("closes what is gone before it spends", () => {
    const open = [grant("gone", "trial", 8, now), grant("left", "purchased", 10)]
    const entries = Result.getOrThrow(charge(snapshot({ grants: open }), purchase(10), payer))
    assert.deepStrictEqual(entries.map(({ credits, kind, ref }) => [kind, ref, credits]), [
      ["expiry", "gone", -8],
      ["charge", null, -10]
    ])
    assert.deepStrictEqual(
      numbered(snapshot({ grants: open }), entries, now).map(({ balance_after, entry }) => [entry, balance_after]),
      [[8, 10], [9, 0]]
    )
  })

  it("says what is missing, without what is gone", () => {
    const open = [grant("gone", "trial", 8, now), grant("left", "purchased", 9)]
    const refusal = Result.merge(charge(snapshot({ grants: open }), purchase(10), payer))
    assert.deepInclude(refusal, { _tag: "INSUFFICIENT_CREDITS", required: 10, available: 9 })
  })

  it("for every set of grants takes exactly the price, a later one only when all before are used up, or refuses", () => {
    fc.assert(fc.property(grants, fc.constantFrom(1, 5, 10, 15), (open, price) => {
      const available = total(spendable(open, now))
      const result = charge(snapshot({ grants: open }), purchase(price), payer)
      assert.strictEqual(Result.isSuccess(result), available >= price)
      if (Result.isFailure(result)) return
      const entry = result.success.at(-1)
      assert.strictEqual(entry?.credits, -price)
      assert.strictEqual(total(entry?.buckets ?? none), -price)
      const taken = new Map(entry?.allocations.map(({ amount, grantRef }) => [grantRef, amount]))
      let isLast = false
      for (const each of inBurnDownOrder(open.filter((each) => !isExpired(each, now)))) {
        const amount = taken.get(each.ref) ?? 0
        assert.isTrue(amount >= 0 && amount <= each.remaining)
        if (isLast) assert.strictEqual(amount, 0)
        if (amount < each.remaining) isLast = true
      }
      for (const each of open) if (isExpired(each, now)) assert.isFalse(taken.has(each.ref))
      const expired = result.success.slice(0, -1)
      assert.strictEqual(
        expired.reduce((sum, { credits }) => sum - credits, available),
        open.reduce((sum, { remaining }) => sum + remaining, 0)
      )
      for (const bucket of Bucket.literals) assert.isAtMost(entry?.buckets[bucket] ?? 1, 0)
    }))
  })
})

describe("mayPay", () => {
  it("refuses a failed payment before dormant credits", () => {
    const tagOf = (settings: object) => {
      const result = mayPay(snapshot({}, settings))
      return Result.isFailure(result) ? result.failure._tag : "ok"
    }
    assert.strictEqual(tagOf({}), "ok")
    assert.strictEqual(tagOf({ credits_dormant: true }), "CREDITS_DORMANT")
    assert.strictEqual(tagOf({ credits_dormant: true, payment_status: "failed" }), "PAYMENT_FAILED")
  })
})

describe("agreed", () => {
  it("asks for confirmation when the price is above what was agreed, 0 included", () => {
    const open = snapshot({ grants: [grant("a", "trial", 3)] })
    for (const maxCredits of [undefined, 10, 11]) {
      assert.isTrue(Result.isSuccess(agreed(open, 10, { maxCredits, now })))
    }
    for (const maxCredits of [0, 9]) {
      assert.deepInclude(Result.merge(agreed(open, 10, { maxCredits, now })), {
        _tag: "COST_CONFIRMATION_REQUIRED",
        projectedCredits: 10,
        maxCredits,
        balance: 3,
        ownLimitRemaining: null
      })
    }
    const limits = { spender: { memberId: "ana", limit: 40, since: now, until: now + 86_400_000 } }
    assert.deepInclude(Result.merge(agreed(open, 10, { maxCredits: 0, now, limits })), { ownLimitRemaining: 40 })
  })
})
