import { assert, describe, it } from "@effect/vitest"
import { decideUnlock } from "@freehold/core/property/UnlockDecision"
import { Result } from "effect"
import { grant, payer, snapshot } from "../credit/Snapshots.ts"

const request = { ...payer, propertyId: "property_sample", covered: false, researched: true, price: 10 }
const paid = { source: "paid", chargeEntry: 3 } as const
const covered = { source: "covered", chargeEntry: null } as const
const money = [grant("a", "trial", 10)]

const recorded = (source: "paid" | "covered") =>
  [{ _tag: "Record", kind: "property", id: "property_sample", source }] as const

describe("decideUnlock", () => {
  const blocked = { payment_status: "failed", credits_dormant: true } as const

  it("is free and says so where something is recorded: paid for ever, covered while it is covered", () => {
    const already = { alreadyRevealed: true, creditsCharged: 0 }
    for (const [access, isCovered] of [[paid, false], [paid, true], [covered, true]] as const) {
      const decision = Result.getOrThrow(
        decideUnlock(snapshot({ access }, blocked), {
          ...request,
          covered: isCovered,
          researched: false,
          maxCredits: 0
        })
      )
      assert.deepStrictEqual(decision.value, already)
      assert.deepStrictEqual([decision.entries, decision.access], [[], []])
    }
  })

  it("is free and recorded as covered the first time that the subscription covers it", () => {
    const decision = Result.getOrThrow(
      decideUnlock(snapshot({}, blocked), { ...request, covered: true, researched: false, maxCredits: 0 })
    )
    assert.deepStrictEqual(decision.value, { alreadyRevealed: false, creditsCharged: 0 })
    assert.deepStrictEqual(decision.entries, [])
    assert.deepStrictEqual(decision.access, recorded("covered"))
  })

  it("is charged otherwise, also where the coverage has ended", () => {
    for (const access of [null, covered]) {
      const decision = Result.getOrThrow(decideUnlock(snapshot({ access, grants: money }), request))
      assert.deepStrictEqual(decision.value, { alreadyRevealed: false, creditsCharged: 10 })
      assert.deepInclude(decision.entries[0], { kind: "charge", credits: -10, action: "unlock_property" })
      assert.deepStrictEqual(decision.access, recorded("paid"))
    }
  })

  it("is refused for the first reason in order: research, payment, dormant, money, agreement", () => {
    const tagOf = (given: object, settings: object) => {
      const result = decideUnlock(snapshot({}, settings), { ...request, ...given })
      return Result.isFailure(result) ? result.failure._tag : "ok"
    }
    assert.strictEqual(tagOf({ researched: false, maxCredits: 0 }, blocked), "NOT_RESEARCHED")
    assert.strictEqual(tagOf({ maxCredits: 0 }, blocked), "PAYMENT_FAILED")
    assert.strictEqual(tagOf({ maxCredits: 0 }, { credits_dormant: true }), "CREDITS_DORMANT")
    assert.strictEqual(tagOf({ maxCredits: 0 }, {}), "INSUFFICIENT_CREDITS")
    const paying = decideUnlock(snapshot({ grants: money }), { ...request, maxCredits: 0 })
    assert.deepInclude(Result.merge(paying), { _tag: "COST_CONFIRMATION_REQUIRED", projectedCredits: 10 })
  })
})
