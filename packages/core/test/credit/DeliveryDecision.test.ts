/** Whether a webhook may be sent now, and what it is booked for: pure. */
import { assert, describe, it } from "@effect/vitest"
import { decideAttempt, decideBooking } from "@freehold/core/credit/DeliveryDecision"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { limitsOf } from "@freehold/core/limit/Limits"
import { none, type RecordRef } from "@freehold/core/limit/Usage"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Result } from "effect"
import { actor, grant, now, snapshot } from "./Snapshots.ts"

const free = { export_allowance: { max_exports_per_month: 10, max_rows_per_month: 0 } }
const limitsWith = (settings: Partial<Organization>) => limitsOf({ ...defaults("org_sample"), ...settings }, null, now)

const attempt = (
  given: Parameters<typeof snapshot>[0],
  settings: Partial<Organization>,
  records: ReadonlyArray<RecordRef> = []
) => {
  const limits = limitsWith(settings)
  const { holds, value } = Result.getOrThrow(
    decideAttempt(snapshot(given, settings), { deliveryId: "delivery_sample", claim: 3, records, limits })
  )
  return { verdict: value._tag, limited: value._tag === "Later" && value.limited, holds }
}

const used = (lead_export: number, exports = 0) => ({
  usage: {
    ...none,
    today: { ...none.today, lead_export: { organization: lead_export, key: 0 } },
    underWay: { exports, records: 0 }
  }
})

describe("decideAttempt", () => {
  it("admits and counts as under way", () => {
    assert.deepStrictEqual(attempt({}, free), {
      verdict: "Admitted",
      limited: false,
      holds: { deliveryId: "delivery_sample", claim: 3, records: 0 }
    })
  })

  it("waits for midnight when the cap is used, and a moment when only others under way stand against it", () => {
    const capped = { ...free, daily_limits: { lead_export: { organization: 2 } } }
    assert.deepInclude(attempt(used(2), capped), { verdict: "Later", limited: true, holds: null })
    assert.deepInclude(attempt(used(1, 1), capped), { verdict: "Later", limited: false, holds: null })
    assert.deepInclude(attempt(used(1), capped), { verdict: "Admitted" })
  })

  it("needs a credit past the free exports, one for each under way", () => {
    const one = { grants: [grant("a", "trial", 1)] }
    assert.deepInclude(attempt({ exportsUsed: 10 }, free), { verdict: "Refused" })
    assert.deepInclude(attempt({ exportsUsed: 10, ...one }, free), { verdict: "Admitted" })
    assert.deepInclude(attempt({ exportsUsed: 10, ...one, ...used(0, 1) }, free), { verdict: "Later", limited: false })
    assert.deepInclude(attempt({ exportsUsed: 9, ...used(0, 1) }, free), { verdict: "Later", limited: false })
    assert.deepInclude(attempt({ exportsUsed: 10, ...one }, { ...free, payment_status: "failed" }), {
      verdict: "Refused"
    })
    assert.deepInclude(attempt({ exportsUsed: 10, ...one }, { ...free, credits_dormant: true }), { verdict: "Refused" })
  })

  it("is not refused for want of a credit while a cap makes it wait anyway", () => {
    const capped = { daily_limits: { lead_export: { organization: 0 } } }
    assert.deepInclude(attempt({}, capped), { verdict: "Later", limited: true })
  })
})

describe("decideBooking", () => {
  const arrived = ["a", "b", "c", "d"].map((id) => ({ deliveryId: id, propertyId: id, records: [] }))

  it("books each as an export, charges those past the free ones, and leaves what cannot be paid", () => {
    const given = snapshot({ exportsUsed: 9, grants: [grant("x", "trial", 1), grant("y", "purchased", 1)] }, free)
    const { counted, entries, exports, value } = Result.getOrThrow(
      decideBooking(given, { arrived, limits: limitsWith(free), actor })
    )
    assert.deepStrictEqual([exports, value.uncharged, counted.kinds], [4, 1, { lead_export: 4 }])
    assert.deepStrictEqual(entries.map(({ credits, request_id, subject_id }) => [credits, request_id, subject_id]), [
      [-1, "b", "b"],
      [-1, "c", "c"]
    ])
    assert.deepStrictEqual(entries.map(({ allocations }) => allocations[0]?.grantRef), ["x", "y"])
    assert.deepStrictEqual(numbered(given, entries, now).map((entry) => entry.balance_after), [1, 0])
  })
})
