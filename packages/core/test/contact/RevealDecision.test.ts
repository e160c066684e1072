import { assert, describe, it } from "@effect/vitest"
import { decideReveal } from "@freehold/core/contact/RevealDecision"
import { Result } from "effect"
import { grant, payer, snapshot } from "../credit/Snapshots.ts"

const request = { ...payer, contactId: "contact_sample", covered: false, price: 5 }
const paid = { source: "paid", chargeEntry: 3 } as const
const free = { source: "free", chargeEntry: null } as const
const money = [grant("a", "trial", 5)]

const recorded = (source: "paid" | "free") =>
  [{ _tag: "Record", kind: "contact", id: "contact_sample", source }] as const

describe("decideReveal", () => {
  const blocked = { payment_status: "failed", credits_dormant: true } as const

  it("is free and says so where something is recorded: paid for ever, free while its reason lasts", () => {
    const reasons = [
      { access: paid, openedByProperty: false, covered: false },
      { access: paid, openedByProperty: true, covered: true },
      { access: free, openedByProperty: true, covered: false },
      { access: free, openedByProperty: false, covered: true }
    ]
    for (const { covered, ...given } of reasons) {
      const decision = Result.getOrThrow(
        decideReveal(snapshot(given, blocked), { ...request, covered, maxCredits: 0 })
      )
      assert.deepStrictEqual(decision.value, { alreadyRevealed: true, creditsCharged: 0 })
      assert.deepStrictEqual([decision.entries, decision.access], [[], []])
    }
  })

  it("is free and recorded the first time that an unlock or the subscription opens it", () => {
    for (const [openedByProperty, covered] of [[true, false], [false, true]] as const) {
      const decision = Result.getOrThrow(
        decideReveal(snapshot({ openedByProperty }, blocked), { ...request, covered, maxCredits: 0 })
      )
      assert.deepStrictEqual(decision.value, { alreadyRevealed: false, creditsCharged: 0 })
      assert.deepStrictEqual(decision.entries, [])
      assert.deepStrictEqual(decision.access, recorded("free"))
    }
  })

  it("is charged otherwise, also where the reason has gone", () => {
    for (const access of [null, free]) {
      const decision = Result.getOrThrow(decideReveal(snapshot({ access, grants: money }), request))
      assert.deepStrictEqual(decision.value, { alreadyRevealed: false, creditsCharged: 5 })
      assert.deepInclude(decision.entries[0], { kind: "charge", credits: -5, action: "reveal_contact" })
      assert.deepStrictEqual(decision.access, recorded("paid"))
    }
  })

  it("is refused for the first reason in order: payment, dormant, money, agreement", () => {
    const tagOf = (given: object, settings: object) => {
      const result = decideReveal(snapshot({}, settings), { ...request, ...given })
      return Result.isFailure(result) ? result.failure._tag : "ok"
    }
    assert.strictEqual(tagOf({ maxCredits: 4 }, blocked), "PAYMENT_FAILED")
    assert.strictEqual(tagOf({ maxCredits: 4 }, { credits_dormant: true }), "CREDITS_DORMANT")
    assert.strictEqual(tagOf({ maxCredits: 4 }, {}), "INSUFFICIENT_CREDITS")
    const paying = decideReveal(snapshot({ grants: money }), { ...request, maxCredits: 4 })
    assert.deepInclude(Result.merge(paying), { _tag: "COST_CONFIRMATION_REQUIRED", projectedCredits: 5 })
  })
})
