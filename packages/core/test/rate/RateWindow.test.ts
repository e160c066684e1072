import { assert, describe, it } from "@effect/vitest"
import { nextMidnight } from "@freehold/core/operation/UtcTime"
import { count, type RateWindow, secondsUntil, windowMillis } from "@freehold/core/rate/RateWindow"
import * as fc from "fast-check"

/** Runs requests at the given gaps and answers what the counter said of each. */
const run = (limit: number, gaps: ReadonlyArray<number>) => {
  let now = 1_000_000
  let window: RateWindow | undefined
  return gaps.map((gap) => {
    now += gap
    const result = count(window, limit, now)
    window = result.window
    return { now, ...result.counted, startedAt: result.window.startedAt }
  })
}

const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })), { maxLength: 60 })

describe("RateWindow", () => {
  it("admits exactly the first `limit` requests of a window (R1)", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 20 }), gaps, (limit, requests) => {
      const byWindow = new Map<number, Array<boolean>>()
      for (const { admitted, startedAt } of run(limit, requests)) {
        byWindow.set(startedAt, [...byWindow.get(startedAt) ?? [], admitted])
      }
      for (const admissions of byWindow.values()) {
        assert.deepStrictEqual(admissions, admissions.map((_, index) => index < limit))
      }
    }))
  })

  it("starts a window at its first request and keeps it for 60 seconds whatever is refused (R5)", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 5 }), gaps, (limit, requests) => {
      let previous: { startedAt: number; now: number } | undefined
      for (const each of run(limit, requests)) {
        assert.strictEqual(each.resetsAt, each.startedAt + windowMillis)
        assert.isBelow(each.now, each.resetsAt)
        const running = previous !== undefined && each.now < previous.startedAt + windowMillis
        assert.strictEqual(each.startedAt, running && previous !== undefined ? previous.startedAt : each.now)
        previous = each
      }
    }))
  })

  it("tells a wait that always suffices, from 1 to 60 seconds (R4)", () => {
    fc.assert(fc.property(gaps, (requests) => {
      for (const { now, resetsAt } of run(1, requests)) {
        const wait = secondsUntil(resetsAt, now)
        assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 60)
        assert.isAtLeast(now + wait * 1000, resetsAt)
      }
    }))
  })

  it("begins anew after a clock was set back, and waits no longer than twice its length (R10)", () => {
    fc.assert(fc.property(fc.nat({ max: 10_000_000 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }), (ahead, used, limit) => {
      const now = 20_000_000
      const { counted, window } = count({ startedAt: now + ahead, count: used }, limit, now)
      assert.isAtMost(counted.resetsAt, now + 2 * windowMillis)
      // Clocks that differ a little count in the same window, so that asking them in turn gains nothing.
      assert.strictEqual(window.startedAt, ahead <= windowMillis ? now + ahead : now)
      assert.strictEqual(counted.admitted, ahead <= windowMillis ? used < limit : limit > 0)
    }))
  })

  it("keeps the count when the limit changes (R3)", () => {
    const first = count(undefined, 300, 0)
    const second = count({ ...first.window, count: 150 }, 120, 10)
    assert.deepStrictEqual(second.counted, { admitted: false, limit: 120, used: 150, resetsAt: 60_000 })
    assert.isTrue(count({ startedAt: 0, count: 150 }, 300, 10).counted.admitted)
  })

  it("ends the day at the next midnight UTC", () => {
    const day = Date.parse("2026-03-08T00:00:00Z")
    assert.strictEqual(nextMidnight(day - 1), day)
    assert.strictEqual(nextMidnight(day), day + 86_400_000)
  })
})
