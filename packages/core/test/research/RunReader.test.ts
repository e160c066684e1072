/** How far one call looks for the runs of which a member sees something, among many that are hidden. */
import { assert, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Firms } from "@freehold/core/firm/Firms"
import type { Run } from "@freehold/core/research/ResearchRun"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import * as RunReader from "@freehold/core/research/RunReader"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Effect, Layer } from "effect"

const caller = ClosedPlace.callerOf(ClosedPlace.members.within)

const seenFirm = "00000000-0000-4000-8000-000000000001"
const hiddenFirm = "00000000-0000-4000-8000-000000000002"

/** One every twelve seconds, as many as may be launched within an hour. */
const idOf = (n: number): string => {
  const time = (Date.UTC(2026, 0) + n * 12_000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, "0")}`
}

const run = (n: number, firmId: string): Run => ({
  runId: idOf(n),
  orgId: ClosedPlace.orgId,
  action: "research_organization",
  batch: false,
  wish: null,
  actor: { kind: "member", id: "ana", name: "Ana" },
  createdAt: 0,
  finishedAt: 0,
  items: [{
    jobId: idOf(n),
    subjectId: firmId,
    propertyId: null,
    state: "complete",
    reason: null,
    chargeEntry: n,
    result: null
  }]
})

/** Walks a list of `count` runs to its end; of those with these numbers the member sees something. */
const walk = Effect.fnUntraced(function*(count: number, seen: ReadonlyArray<number>, limit: number) {
  const stored = Array.from({ length: count }, (_, n) => run(n, seen.includes(n) ? seenFirm : hiddenFirm)).toReversed()
  let lists = 0
  let looks = 0
  const ports = Layer.merge(
    Layer.mock(ResearchRuns)({
      list: (_, { before, limit }) => {
        lists += 1
        return Effect.succeed(stored.filter(({ runId }) => before === null || runId < before).slice(0, limit))
      }
    }),
    Layer.mock(Firms)({
      seen: (ids) => {
        looks += 1
        return Effect.succeed(ids.filter((id) => id === seenFirm))
      }
    })
  )
  return yield* Effect.gen(function*() {
    const { list } = yield* RunReader.make
    const pages: Array<{
      readonly runs: ReadonlyArray<string>
      readonly next: string | null
      readonly note: string | undefined
      readonly statements: number
    }> = []
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      lists = looks = 0
      const page: Effect.Success<ReturnType<typeof list>> = yield* list({ limit, ...cursor === null ? {} : { cursor } })
      const runs = page.runs.map(({ run_id }) => run_id)
      pages.push({ runs, next: page.next_cursor, note: page.note, statements: lists + looks })
      cursor = page.next_cursor
    }
    return pages
  }).pipe(
    Effect.provideService(Caller, caller),
    Effect.provide(Layer.merge(MemoryPorts.layer, ports))
  )
})

it.effect("a call looks at so many runs, and the next one goes on where no hidden run is named", () =>
  Effect.gen(function*() {
    // Of the same minute as the last that the first call looks at: the first after it, and the one before.
    const seen = [4990, 2739, 2737, 10]
    const pages = yield* walk(5000, seen, 5)
    assert.deepStrictEqual(pages.flatMap(({ runs }) => runs), seen.map(idOf))
    assert.isAbove(pages.length, 1)
    for (const { statements } of pages) assert.isAtMost(statements, 20)
    const hidden = new Set(Array.from({ length: 5000 }, (_, n) => n).filter((n) => !seen.includes(n)).map(idOf))
    assert.deepStrictEqual(pages.filter(({ next }) => next !== null && hidden.has(next)), [])
  }))

it.effect("an empty page says that it is not the last", () =>
  Effect.gen(function*() {
    const [first, ...others] = yield* walk(3000, [3], 25)
    assert.deepInclude(first, { runs: [], note: "There may be older runs that you see: go on with next_cursor." })
    assert.deepStrictEqual(others.map(({ next, note, runs }) => ({ next, note, runs })), [
      { next: null, note: undefined, runs: [idOf(3)] }
    ])
    const [nothing] = yield* walk(30, [], 25)
    assert.deepInclude(nothing, { runs: [], next: null, note: "Nothing that you see was researched yet." })
  }))
