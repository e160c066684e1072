/** How the samples of a probe are judged. */
import { faultsOf, figuresOf, secondsUntilNormal } from "@freehold/cli/testing/availability/Judge"
import type { Sample } from "@freehold/cli/testing/availability/Probe"
import { assert, describe, it } from "vitest"

const sample = (at: number, millis: number, more: Partial<Sample> = {}): Sample => ({
  kind: "me",
  at,
  millis,
  status: 200,
  right: true,
  ...more
})

/** 1 to 100 ms, in no order. */
const hundred = Array.from({ length: 100 }, (_, n) => sample(n, 1 + n * 37 % 100))

describe("the judge of availability", () => {
  it("tells how long half and all but one in a hundred took, each kind for itself", () => {
    const both = [...hundred, sample(0, 5000, { kind: "search" })]
    assert.deepStrictEqual(figuresOf(both, "me"), { count: 100, p50: 50, p99: 99 })
    assert.deepStrictEqual(figuresOf(both, "search"), { count: 1, p50: 5000, p99: 5000 })
  })

  it("counts what was refused, answered otherwise or not answered", () => {
    const faults = [
      sample(0, 1, { status: 503, right: false }),
      sample(0, 1, { status: 503, right: false }),
      sample(0, 1, { status: 0, right: false }),
      sample(0, 1, { right: false })
    ]
    assert.deepStrictEqual(faultsOf([...hundred, ...faults]), { "503": 2, "no answer": 1, "wrong data": 1 })
    assert.deepStrictEqual(faultsOf(hundred), {})
  })

  it("looks for the last request after the end that was too slow or refused", () => {
    const quiet = { me: figuresOf(hundred, "me"), search: figuresOf(hundred, "me") }
    const limit = 4 * 99
    const during = sample(900, 10_000)
    const after = (more: ReadonlyArray<Sample>) =>
      secondsUntilNormal([during, sample(1000, limit), ...more], quiet, 1000)
    assert.strictEqual(after([]), 0)
    assert.strictEqual(after([sample(1500, limit + 1), sample(1700, limit + 1), sample(2000, limit)]), 0.7)
    assert.strictEqual(after([sample(3500, 1, { status: 503, right: false })]), 2.5)
    // One in a hundred is beyond p99 in quiet too.
    const fast = (count: number) => Array.from({ length: count }, (_, n) => sample(1501 + n, 1))
    assert.strictEqual(after([sample(1500, limit + 1), ...fast(99), sample(1700, limit + 1)]), 0)
    assert.strictEqual(after([sample(1500, limit + 1), ...fast(98), sample(1700, limit + 1)]), 0.7)
    assert.strictEqual(after([sample(1500, limit + 1), sample(1700, 5 * limit, { kind: "search" })]), 0)
  })
})
