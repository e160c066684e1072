/** The worker that syncs what is due. */
import { assert, it } from "@effect/vitest"
import * as SourceWorker from "@freehold/cli/source/SourceWorker"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import * as SourcesMemory from "@freehold/core/memory/source/SourcesMemory"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { type SourcePage, SourceReader } from "@freehold/core/source/SourceReader"
import { Sources } from "@freehold/core/source/Sources"
import { sampleSource } from "@freehold/core/testing/SampleSource"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"

it.effect("a fault of the program with one source puts that one off, and the next one is synced", () =>
  Effect.gen(function*() {
    const reached = yield* Deferred.make<void>()
    const reader = SourceReader.of({
      tellsChanges: () => false,
      read: ({ document: { name } }) =>
        name === "a-broken-one"
          ? Stream.die(new Error("made up"))
          : Stream.fromEffectDrain(Deferred.succeed(reached, undefined))
    })
    yield* Effect.gen(function*() {
      const sources = yield* Sources
      for (const name of ["a-broken-one", "b-good-one"]) {
        yield* sources.put(sampleSource(name, { schedule: "1 day" }), null)
      }
      const working = yield* Effect.forkChild(SourceWorker.run())
      yield* Deferred.await(reached)
      const { lastRun } = Option.getOrThrow(yield* sources.find("a-broken-one"))
      assert.strictEqual(lastRun?.reason, "a fault of the program, which its log tells of")
      assert.notInclude(yield* sources.due, "a-broken-one")
      yield* Fiber.interrupt(working)
    }).pipe(Effect.provide(Layer.mergeAll(
      Layer.provideMerge(Layer.merge(SourcesMemory.layer, NoticesMemory.layer), MemoryState.layer),
      Layer.succeed(SourceReader, reader),
      Layer.mock(ImportStore, {}),
      SecureRandom.layerWebCrypto
    )))
  }))

it.effect("a source with a step that the database does not do is put off, and the next one is synced", () =>
  Effect.gen(function*() {
    const reached = yield* Deferred.make<void>()
    const page: SourcePage = {
      records: [{ _tag: "Read", place: "row 1", cells: new Map([["id", "1"], ["address", "1 Nonesuch Avenue"]]) }],
      columns: ["id", "address"],
      position: { after: 1 },
      mark: null
    }
    const reader = SourceReader.of({
      tellsChanges: () => false,
      read: ({ document: { name } }) =>
        name === "a-large-one"
          ? Stream.succeed(page)
          : Stream.fromEffectDrain(Deferred.succeed(reached, undefined))
    })
    yield* Effect.gen(function*() {
      const sources = yield* Sources
      for (const name of ["a-large-one", "b-good-one"]) {
        yield* sources.put(sampleSource(name, { schedule: "1 day" }), null)
      }
      const working = yield* Effect.forkChild(SourceWorker.run())
      yield* Deferred.await(reached)
      const { lastRun } = Option.getOrThrow(yield* sources.find("a-large-one"))
      assert.deepInclude(lastRun, { state: "loading", reason: "the database did not do a step of it" })
      assert.notInclude(yield* sources.due, "a-large-one")
      yield* Fiber.interrupt(working)
    }).pipe(Effect.provide(Layer.mergeAll(
      Layer.provideMerge(Layer.merge(SourcesMemory.layer, NoticesMemory.layer), MemoryState.layer),
      Layer.succeed(SourceReader, reader),
      Layer.mock(ImportStore, {
        load: () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 })),
        settle: () => Effect.void
      }),
      SecureRandom.layerWebCrypto
    )))
  }))

it.effect("rows of former counties are told in the log beside what a sync came to", () =>
  Effect.gen(function*() {
    const told = yield* Deferred.make<unknown>()
    const log = Logger.make(({ message }) => {
      if (String(message).includes("former counties")) Deferred.doneUnsafe(told, Effect.succeed(message))
    })
    const reader = SourceReader.of({
      tellsChanges: () => false,
      read: () =>
        Stream.succeed({
          records: [{ _tag: "Read", place: "row 1", cells: new Map([["id", "1"], ["address", "1 Nonesuch Avenue"]]) }],
          columns: ["id", "address"],
          position: { after: 1 },
          mark: null
        })
    })
    yield* Effect.gen(function*() {
      const sources = yield* Sources
      const map = { key: "{id}", fields: { countyFips: { const: "46113" }, address: "address" } }
      yield* sources.put(sampleSource("badlands", { schedule: "1 day", map }), null)
      const working = yield* Effect.forkChild(SourceWorker.run())
      assert.match(
        String(yield* Deferred.await(told)),
        /^source badlands: of former counties: 46113 \(1 row; now 46102\)\./
      )
      yield* Fiber.interrupt(working)
    }).pipe(Effect.provide(Layer.mergeAll(
      Layer.provideMerge(Layer.merge(SourcesMemory.layer, NoticesMemory.layer), MemoryState.layer),
      Layer.succeed(SourceReader, reader),
      Layer.mock(ImportStore, {
        load: () => Effect.succeed({ inserted: 1, updated: 0, unchanged: 0, rejected: [] }),
        settle: () => Effect.void
      }),
      SecureRandom.layerWebCrypto,
      Logger.layer([log])
    )))
  }))
