/** What is told where an organization has as many notes, or tasks, as it may. */
import { assert, describe, it } from "@effect/vitest"
import { wholeArea } from "@freehold/core/coverage/Territory"
import * as NoteKeeper from "@freehold/core/note/NoteKeeper"
import { Notes } from "@freehold/core/note/Notes"
import * as TaskKeeper from "@freehold/core/task/TaskKeeper"
import { Tasks } from "@freehold/core/task/Tasks"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const full = ({ most }: { readonly most: number }) =>
  most === 200_000 ? Effect.succeedNone : Effect.die(`expected to be asked for at most 200000, not ${most}`)

/** An organization with a property, and 200,000 of either about it. */
const ports = Layer.mergeAll(
  Layer.mock(Notes, { add: full }),
  Layer.mock(Tasks, { add: full }),
  Layer.effectDiscard(Seeder.use((seeder) => seeder.add(ClosedPlace.seed)))
).pipe(Layer.provideMerge(MemoryPorts.layer))

const author = ClosedPlace.members.whole
const perspective = wholeArea(ClosedPlace.organization)
const property = ClosedPlace.nearProperty

describe("an organization with as many as it may have", () => {
  it.effect("writes no more notes", () =>
    Effect.gen(function*() {
      const { write } = yield* NoteKeeper.make
      assert.deepInclude(yield* Effect.flip(write(perspective, author, property, "One more")), {
        _tag: "INVALID_ARGUMENTS",
        issues: [{ field: "content", message: "Expected at most 200000 notes in your organization; delete some first" }]
      })
    }).pipe(Effect.provide(ports)))

  it.effect("makes no more tasks", () =>
    Effect.gen(function*() {
      const { add } = yield* TaskKeeper.make
      const refusal = yield* Effect.flip(add({
        perspective,
        author,
        property,
        title: "One more",
        description: null,
        type: "task",
        due: null,
        assignee: null
      }))
      assert.deepInclude(refusal, {
        _tag: "INVALID_ARGUMENTS",
        issues: [{ field: "title", message: "Expected at most 200000 open tasks in your organization; end some first" }]
      })
    }).pipe(Effect.provide(ports)))
})
