import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { assert, it } from "vitest"

it("a wait of one second is not told in the plural", () => {
  const told = (retryAfterSeconds: number) => new TemporarilyUnavailable({ retryAfterSeconds }).message
  assert.match(told(1), /Retry after 1 second\.$/)
  assert.match(told(60), /Retry after 60 seconds\.$/)
})
