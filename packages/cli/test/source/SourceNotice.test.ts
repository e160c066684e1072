/** What the operator is told of the sync of a source. */
import { noticeOf } from "@freehold/cli/source/SourceWorker"
import type { RunState, SourceRun } from "@freehold/core/source/Sources"
import { assert, test } from "vitest"

const run = (state: RunState, reason: string | null): SourceRun => ({
  number: 1,
  state,
  full: true,
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: null,
  page: 1,
  position: null,
  mark: null,
  unseen: [],
  reason,
  formerCounties: {},
  rejects: [],
  read: 0,
  inserted: 0,
  changed: 0,
  unchanged: 0,
  rejected: 0,
  retired: 0
})

test("a run that asks or fails is told, once a day by its name; one that is done or put off is not", () => {
  const told = (state: RunState, reason: string | null) =>
    noticeOf("parcels", { _tag: "Ended", run: run(state, reason) })
  assert.deepStrictEqual(told("asks", "6 of 19 records would be retired"), {
    orgId: null,
    kind: "source_asks",
    cause: "parcels",
    text: "The source parcels stopped, and asks: 6 of 19 records would be retired"
  })
  assert.deepStrictEqual(told("failed", null), {
    orgId: null,
    kind: "source_failed",
    cause: "parcels",
    text: "The source parcels could not be synced"
  })
  assert.isNull(told("done", null))
  assert.isNull(noticeOf("parcels", { _tag: "Postponed", run: run("reading", null), reason: "no answer" }))
})
