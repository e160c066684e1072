import { assert, it } from "@effect/vitest"
import { OwnAction } from "@freehold/core/credit/OwnAction"

it("a name that no ledger could tell apart, and a price that is no number of credits, are refused at once", () => {
  for (const name of ["", "Report", "a b", "unlock_property", "lead_delivery", "x".repeat(65)]) {
    assert.throws(() => new OwnAction({ name, price: 3 }))
  }
  for (const price of [0, -1, 0.5, Number.NaN, 1_000_001]) assert.throws(() => new OwnAction({ name: "report", price }))
})

it("any other name is fine", () => {
  for (const name of ["r", "valuation_report", "constructor", "x".repeat(64)]) {
    assert.strictEqual(new OwnAction({ name, price: 1 }).name, name)
  }
})
