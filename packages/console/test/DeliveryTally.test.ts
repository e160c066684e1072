import { assert, describe, it } from "vitest"
import { tallyOf } from "../src/admin/DeliveryTally.ts"

const soon = "2026-01-31T00:00:00.000Z"

describe("the tally of deliveries", () => {
  it("takes what is under way for no failure, whatever it waited for before", () => {
    assert.strictEqual(
      tallyOf([
        { state: "delivered", next_attempt_at: null },
        { state: "delivering", next_attempt_at: null },
        { state: "delivering", next_attempt_at: soon },
        { state: "retry_wait", next_attempt_at: soon },
        { state: "failed", next_attempt_at: null }
      ]),
      "1 arrived, 2 under way, 1 wait, 1 failed for good or were cancelled."
    )
    assert.strictEqual(tallyOf([]), "0 arrived, 0 wait, 0 failed for good or were cancelled.")
  })
})
