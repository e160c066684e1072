/** Imports that the operator began in the app, while they are loaded. */
import { assert, layer } from "@effect/vitest"
import { Operator } from "@freehold/core/access/Operator"
import { Importer } from "@freehold/core/import/Importer"
import { ImportRuns, noRows } from "@freehold/core/import/ImportRuns"
import * as ImportRunsMemory from "@freehold/core/memory/import/ImportRunsMemory"
import * as ImportDesk from "@freehold/core/operator/ImportDesk"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Clock, Deferred, Effect, Layer } from "effect"
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
          return { counts, shown: [], note: null }
        })
      })
      const { show, start } = yield* ImportDesk.make.pipe(Effect.provideService(Importer, importer))
      const runs = yield* ImportRuns
      const now = yield* Clock.currentTimeMillis
      const given = { id, kind: "firms", name: "sample.ndjson", strict: false, dryRun: false, by: sam.name } as const
      yield* runs.begin({ ...given, map: null, now })
      yield* runs.addPart({ id, number: 0, bytes: new Uint8Array(1) })
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
})
