import { assert, describe, it } from "@effect/vitest"
import { decideGrant, maximumBalance } from "@freehold/core/credit/Grant"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { Result } from "effect"
import { actor, grant, now, snapshot } from "./Snapshots.ts"

const request = { ref: "new", bucket: "included", amount: 5, expiresAt: null, actor, requestId: null, now } as const

describe("decideGrant", () => {
  it("opens a grant, after it has closed what is gone", () => {
    const before = snapshot({ grants: [grant("gone", "trial", 2, now)] })
    const decision = Result.getOrThrow(decideGrant(before, request))
    assert.deepStrictEqual(decision.value, { outcome: "created", entry: 9 })
    assert.deepStrictEqual(decision.newGrants, [grant("new", "included", 5)])
    assert.deepStrictEqual(
      numbered(before, decision.entries, now).map(({ balance_after, credits, entry, kind }) => [
        entry,
        kind,
        credits,
        balance_after
      ]),
      [[8, "expiry", -2, 0], [9, "grant", 5, 5]]
    )
  })

  it("changes nothing when the reference is known, whatever else is asked", () => {
    const first = Result.getOrThrow(decideGrant(snapshot(), request))
    const [entry = null] = numbered(snapshot(), first.entries, now)
    const again = Result.getOrThrow(decideGrant(snapshot({ entry }), { ...request, amount: -1 }))
    assert.deepStrictEqual(again.value, { outcome: "unchanged", entry: 8 })
    assert.deepStrictEqual([again.entries, again.newGrants], [[], []])
  })

  it("refuses what is no amount, and more than an organization can hold (L15)", () => {
    const full = snapshot({ grants: [grant("a", "trial", maximumBalance - 4)] })
    for (const [before, amount] of [[snapshot(), 0], [snapshot(), -5], [snapshot(), 1.5], [full, 5]] as const) {
      const refusal = Result.merge(decideGrant(before, { ...request, amount }))
      assert.deepInclude(refusal, { _tag: "INVALID_ARGUMENTS" })
    }
    assert.isTrue(Result.isSuccess(decideGrant(full, { ...request, amount: 4 })))
  })

  it("refuses what is over already, unless the reference is known", () => {
    const over = { ...request, expiresAt: now }
    assert.deepInclude(Result.merge(decideGrant(snapshot(), over)), {
      _tag: "INVALID_ARGUMENTS",
      issues: [{ field: "expires_at", message: "Expected a time that is still to come" }]
    })
    assert.isTrue(Result.isSuccess(decideGrant(snapshot(), { ...over, expiresAt: now + 1 })))
    const [entry = null] = numbered(snapshot(), Result.getOrThrow(decideGrant(snapshot(), request)).entries, now)
    assert.deepInclude(Result.getOrThrow(decideGrant(snapshot({ entry }), over)).value, { outcome: "unchanged" })
  })
})
