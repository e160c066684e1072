import { assert, describe, it } from "@effect/vitest"
import { ofStatus, SendOutcome, toAttempt } from "@freehold/webhook-worker/SendOutcome"

describe("a response status", () => {
  it.each([200, 201, 204, 299])("%d is delivered", (status) => {
    assert.deepStrictEqual(ofStatus(status), { _tag: "Delivered", status })
  })

  it("410 is gone", () => {
    assert.deepStrictEqual(ofStatus(410), { _tag: "Gone" })
  })

  it.each([0, 101, 199, 300, 301, 304, 308, 400, 404, 409, 411, 429, 500, 503, 599])("%d is rejected", (status) => {
    assert.deepStrictEqual(ofStatus(status), { _tag: "Rejected", status })
  })
})

describe("an outcome in the delivery's log", () => {
  it("keeps the status of an answer and says why there was none", () => {
    const { Blocked, Delivered, Failed, Gone, Rejected } = SendOutcome.cases
    assert.deepStrictEqual(
      [
        Delivered.make({ status: 204 }),
        Gone.make({}),
        Rejected.make({ status: 503 }),
        Rejected.make({ status: 502, answer: "upstream is away" }),
        Failed.make({ reason: "connect", detail: "ECONNREFUSED" }),
        Blocked.make({ rule: "scheme", detail: "The URL must use https." })
      ].map(toAttempt),
      [
        { _tag: "Delivered", status: 204 },
        { _tag: "Gone" },
        { _tag: "Failed", status: 503, reason: "answered 503" },
        { _tag: "Failed", status: 502, reason: "answered 502", answer: "upstream is away" },
        { _tag: "Failed", status: null, reason: "connect: ECONNREFUSED" },
        { _tag: "Blocked", reason: "The URL must use https." }
      ]
    )
  })
})
