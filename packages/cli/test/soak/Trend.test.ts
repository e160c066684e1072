/** What a soak calls flat. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type Point, slopeOf, trendOf, unexplained } from "../../testing/soak/Trend.ts"

const line = (count: number, valueAt: (second: number) => number): ReadonlyArray<Point> =>
  Array.from({ length: count }, (_, second) => ({ at: second, value: valueAt(second) }))

describe("slopeOf", () => {
  it("is that of a line", () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 60 }), fc.integer({ min: -1000, max: 1000 }), (count, slope) => {
      assert.approximately(slopeOf(line(count, (second) => 7 + slope * second)), slope, 1e-6)
    }))
  })

  it("is not moved by a quarter of the samples, whatever they are", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 5, maxLength: 5 }), (odd) => {
      const points = line(40, (second) => odd[second / 8] ?? 3 * second)
      assert.isBelow(Math.abs(slopeOf(points) - 3), 1.5)
    }))
  })

  it("is none where one sample tells, or none", () => {
    assert.strictEqual(slopeOf([]), 0)
    assert.strictEqual(slopeOf([{ at: 1, value: 2 }]), 0)
  })
})

describe("trendOf", () => {
  const tolerance = { share: 0.1, least: 5 }

  it("calls flat what grows by less than its share, and what shrinks", () => {
    assert.isTrue(trendOf(line(11, (second) => 1000 + 9 * second), tolerance).flat)
    assert.isTrue(trendOf(line(11, (second) => 1000 - 90 * second), tolerance).flat)
    assert.isTrue(trendOf(line(11, (second) => 1 + 0.4 * second), tolerance).flat)
  })

  it("finds a leak below the noise", () => {
    const leak = trendOf(line(60, (second) => 1000 + 5 * second + (second % 2 === 0 ? 60 : -60)), tolerance)
    assert.isFalse(leak.flat)
    assert.approximately(leak.growth, 295, 20)
  })
})

describe("unexplained", () => {
  it("leaves nothing of a history that grows with its rows", () => {
    const samples = Array.from(
      { length: 10 },
      (_, at) => ({ at, rows: 2000 + 100 * at, bytes: 2000 * (2000 + 100 * at) })
    )
    assert.strictEqual(slopeOf(unexplained(samples)), 0)
  })

  it("leaves all of a queue that grows without rows", () => {
    const samples = Array.from({ length: 10 }, (_, at) => ({ at, rows: at % 3, bytes: 8192 + 50_000 * at }))
    assert.approximately(slopeOf(unexplained(samples)), 50_000, 2000)
  })
})
