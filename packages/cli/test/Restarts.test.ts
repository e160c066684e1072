/** When a process that died is started again. */
import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Restarts from "../src/Restarts.ts"

const waits = (moments: ReadonlyArray<number>): ReadonlyArray<number | null> => {
  let ends: Restarts.Ends = []
  return moments.map((now) => {
    const next = Restarts.after(ends, now)
    ends = next.ends
    return next.wait === null ? null : Duration.toMillis(next.wait)
  })
}

describe("Restarts", () => {
  it("waits longer each time, and gives up when it has become the rule", () => {
    assert.deepStrictEqual(waits([0, 1000, 2000, 3000, 4000]), [250, 500, 1000, 2000, null])
  })

  it("forgets what is a minute ago", () => {
    assert.deepStrictEqual(waits([0, 60_000, 120_000, 180_000, 240_000, 300_000]), [250, 250, 250, 250, 250, 250])
    assert.deepStrictEqual(waits([0, 1000, 59_000, 61_000]), [250, 500, 1000, 500])
  })
})
