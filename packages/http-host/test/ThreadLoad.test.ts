import { assert, it } from "@effect/vitest"
import * as ThreadLoad from "../src/ThreadLoad.ts"

it("a thread that has worked all the time since it was asked last is busy", () => {
  ThreadLoad.busy()
  const until = performance.now() + 250
  while (performance.now() < until);
  assert.isAbove(ThreadLoad.busy(), 0.5)
})
