/** Imports that the operator began in the app, while they are loaded. */
import { assert, layer } from "@effect/vitest"
import { Operator } from "@freehold/core/access/Operator"
import { Importer } from "@freehold/core/import/Importer"
import { ImportRuns, noRows } from "@freehold/core/import/ImportRuns"
import * as ImportRunsMemory from "@freehold/core/memory/import/ImportRunsMemory"
import * as ImportDesk from "@freehold/core/operator/ImportDesk"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

const id = "00000000-0000-4000-8000-000000000001"

const sam = { sessionId: "s", name: "Sam Sample", expiresAt: "2026-01-01T00:00:00Z", requestId: "r" }

const counts = { ...noRows, read: 500, inserted: 500 }

layer(Layer.merge(MemoryPorts.layer, ImportRunsMemory.layer))("an import that is at work", (it) => {
  it.effect("is told as running, however long it has no batch to tell of", () =>
    Effect.gen(function*() {
      const [told, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const importer = Importer.of({
        check: () => Effect.void,
        run: Effect.fnUntraced(function*({ onProgress }) {
          yield* onProgress(counts, 1)
          yield* Deferred.succeed(told, undefined)
          yield* Deferred.await(done)
          return { counts, shown: Effect.succeed([]), note: null }
        })
      })
      const { show, start } = yield* ImportDesk.make.pipe(Effect.provideService(Importer, importer))
      const runs = yield* ImportRuns
      const now = yield* Clock.currentTimeMillis
      const given = { id, kind: "firms", name: "sample.ndjson", strict: false, dryRun: false, by: sam.name } as const
      yield* runs.begin({ ...given, map: null, now })
      yield* runs.addPart({ id, number: 0, bytes: new Uint8Array(1), now })
      yield* start({ id })
      yield* Deferred.await(told)
      yield* TestClock.adjust("20 minutes")
      assert.deepInclude(yield* show({ id }), { ...counts, bytesRead: 1, state: "running" })
      yield* Deferred.succeed(done, undefined)
      const ended = yield* Effect.repeat(Effect.andThen(Effect.yieldNow, show({ id })), {
        until: ({ state }) => state !== "running"
      })
      assert.strictEqual(ended.state, "ended")
    }).pipe(Effect.provideService(Operator, sam)))

  it.effect("keeps other files out by its name; one that was uploaded meanwhile is told as refused", () =>
    Effect.gen(function*() {
      const done = yield* Deferred.make<void>()
      const importer = Importer.of({
        check: () => Effect.void,
        run: () => Effect.as(Deferred.await(done), { counts, shown: Effect.succeed([]), note: null })
      })
      const { addPart, begin, list, show, start } = yield* ImportDesk.make.pipe(
        Effect.provideService(Importer, importer)
      )
      const asked = { kind: "firms", map: null, strict: false, dry_run: false, reason: "a made-up reason" } as const
      const uploaded = Effect.fnUntraced(function*(name: string) {
        const { id } = yield* begin({ ...asked, name })
        yield* addPart({ id, number: 0, bytes: new Uint8Array(1) })
        return id
      })
      const first = yield* uploaded("first.ndjson")
      const second = yield* uploaded("second.ndjson")
      yield* start({ id: first })
      const refused = { _tag: "IMPORT_RUNNING", name: "first.ndjson" } as const
      assert.deepInclude(yield* Effect.flip(start({ id: second })), refused)
      assert.deepInclude(yield* show({ id: second }), {
        state: "failed",
        fault: "refused, since first.ndjson was being loaded; import it again"
      })
      const before = (yield* list({})).items.length
      assert.deepInclude(yield* Effect.flip(begin({ ...asked, name: "third.ndjson" })), refused)
      assert.lengthOf((yield* list({})).items, before)
      yield* Deferred.succeed(done, undefined)
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, show({ id: first })), {
        until: ({ state }) => state === "ended"
      })
      yield* start({ id: yield* uploaded("third.ndjson") })
    }).pipe(Effect.provideService(Operator, sam)))

  it.effect("is not refused for itself where it is asked for twice", () =>
    Effect.gen(function*() {
      const [asked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const runs = yield* ImportRuns
      const importer = Importer.of({ check: () => Effect.void, run: () => Effect.never })
      const { show, start } = yield* ImportDesk.make.pipe(
        Effect.provideService(Importer, importer),
        // The first is on its way to the store for longer than the second.
        Effect.provideService(
          ImportRuns,
          ImportRuns.of({
            ...runs,
            start: (id, now) =>
              Effect.flatMap(Deferred.succeed(asked, undefined), (isFirst) =>
                Effect.andThen(isFirst ? Deferred.await(go) : Effect.void, runs.start(id, now)))
          })
        )
      )
      const [twice, now] = ["00000000-0000-4000-8000-000000000002", yield* Clock.currentTimeMillis]
      const given = { kind: "firms", name: "twice.ndjson", strict: false, dryRun: false, by: sam.name } as const
      yield* runs.begin({ ...given, id: twice, map: null, now })
      yield* runs.addPart({ id: twice, number: 0, bytes: new Uint8Array(1), now })
      const first = yield* Effect.forkChild(start({ id: twice }))
      yield* Deferred.await(asked)
      const again = yield* Effect.flip(start({ id: twice }))
      assert.deepInclude(again, { _tag: "IMPORT_RUNNING", name: "twice.ndjson" })
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual((yield* Fiber.join(first)).state, "running")
      assert.strictEqual((yield* show({ id: twice })).fault, null)
    }).pipe(Effect.provideService(Operator, sam)))
})
