import { assert, describe, it } from "@effect/vitest"
import { total } from "@freehold/core/credit/Bucket"
import { charge } from "@freehold/core/credit/Charge"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { decideRefund } from "@freehold/core/credit/Refund"
import { nothing } from "@freehold/core/limit/Usage"
import { Result } from "effect"
import { actor, grant, now, payer, snapshot } from "./Snapshots.ts"

const before = snapshot({ grants: [grant("short", "trial", 4, now + 10), grant("long", "purchased", 9)] })
const entry = numbered(
  before,
  Result.getOrThrow(
    charge(before, { action: "reveal_contact", price: 5, subjectType: "contact", subjectId: "contact_sample" }, payer)
  ),
  now
)[0] ?? null
const after = snapshot({
  version: 8,
  entry,
  grants: [grant("short", "trial", 0, now + 10), grant("long", "purchased", 8)]
})
const request = { actor, requestId: null, now: now + 1 }

describe("decideRefund", () => {
  it("gives the whole charge back to its grants and closes what it opened", () => {
    const decision = Result.getOrThrow(decideRefund(after, request))
    assert.deepStrictEqual(decision.value, { outcome: "created", entry: 9 })
    assert.deepStrictEqual(decision.entries.map(({ buckets, kind, refund_of }) => ({ buckets, kind, refund_of })), [{
      buckets: { trial: 4, included: 0, enterprise_pool: 0, purchased: 1 },
      kind: "refund",
      refund_of: 8
    }])
    assert.deepStrictEqual(decision.entries[0]?.allocations, entry?.allocations)
    assert.deepStrictEqual(decision.access, [
      { _tag: "Remove", kind: "contact", id: "contact_sample", chargeEntry: 8 }
    ])
  })

  it("expires at once what goes back to a grant that is gone", () => {
    const decision = Result.getOrThrow(decideRefund(after, { ...request, now: now + 10 }))
    assert.deepStrictEqual(decision.entries.map(({ buckets, kind, ref }) => [kind, ref, total(buckets)]), [
      ["refund", null, 5],
      ["expiry", "short", -4]
    ])
    assert.deepStrictEqual(numbered(after, decision.entries, now + 10).map((each) => each.balance_after), [13, 9])
  })

  it("changes nothing the second time", () => {
    const decision = Result.getOrThrow(decideRefund({ ...after, refundedBy: 9 }, request))
    assert.deepStrictEqual(decision, {
      value: { outcome: "unchanged", entry: 9 },
      entries: [],
      newGrants: [],
      access: [],
      exports: 0,
      counted: nothing,
      holds: null
    })
  })

  it("refuses what is no charge", () => {
    for (const other of [null, entry === null ? null : { ...entry, kind: "grant" as const }]) {
      assert.deepInclude(Result.merge(decideRefund({ ...after, entry: other }, request)), { _tag: "INVALID_ARGUMENTS" })
    }
  })
})
