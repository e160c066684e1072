import { assert, describe, it } from "vitest"
import { defaults, shareOf } from "../src/ServerBounds.ts"

describe("shareOf", () => {
  it("gives each process a part, so that all together hold no more than one would", () => {
    for (const processes of [1, 2, 3, 64]) {
      const part = shareOf(defaults, processes)
      for (const name of ["connections", "connectionsPerAddress", "heldBytes"] as const) {
        assert.isAtMost(part[name] * processes, defaults[name])
        assert.isAtLeast(part[name], 1)
      }
      assert.strictEqual(part.waitingRequests, defaults.waitingRequests)
    }
  })
})
