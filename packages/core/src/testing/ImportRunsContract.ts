/**
 * What every `ImportRuns` must do. Adapters call `importRunsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { DateTime, Duration, Effect, type Layer, Option } from "effect"
import { ImportRuns, mostRejects, noRows, silence, uploadTime } from "../import/ImportRuns.ts"

const noon = Date.UTC(2026, 2, 30, 12)

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

const isoOf = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** An upload with so many parts. */
const uploaded = Effect.fnUntraced(function*(parts: ReadonlyArray<string> = ["one", "two"], now = noon + ++made) {
  const runs = yield* ImportRuns
  const id = uuid()
  const given = { id, kind: "firms" as const, name: "sample.ndjson", strict: true, dryRun: false, by: "Sam" }
  yield* runs.begin({ ...given, map: "{}", now })
  for (const [number, text] of parts.entries()) {
    assert.isTrue(yield* runs.addPart({ id, number, bytes: bytesOf(text), now }))
  }
  return { id, given, now }
})

const counts = { read: 5, inserted: 1, updated: 1, unchanged: 1, rejected: 2 }

/** The suite for an adapter of `ImportRuns`. */
export const importRunsContract = <E>(name: string, adapters: Layer.Layer<ImportRuns, E>): void =>
  suite(adapters, { excludeTestServices: true })(`ImportRuns ${name}`, (it) => {
    it.effect("a file arrives in parts, in order, each once; and is loaded once, when it is whole", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const { given, id, now } = yield* uploaded(["one", "three"])
        assert.isFalse(yield* runs.addPart({ id, number: 3, bytes: bytesOf("x"), now }))
        assert.isTrue(yield* runs.addPart({ id, number: 0, bytes: bytesOf("another"), now }))
        assert.deepStrictEqual(Option.getOrThrow(yield* runs.find(id, now)), {
          ...given,
          ...noRows,
          state: "uploading",
          bytes: 8,
          bytesRead: 0,
          shown: [],
          note: null,
          fault: null,
          begunAt: isoOf(now),
          endedAt: null
        })
        const started = Option.getOrThrow(yield* runs.start(id, now))
        assert.deepInclude(started, { map: "{}", parts: 2 })
        assert.strictEqual(started.run.state, "running")
        assert.isTrue(Option.isNone(yield* runs.start(id, now)))
        assert.isFalse(yield* runs.addPart({ id, number: 2, bytes: bytesOf("late"), now }))
        const parts = yield* Effect.forEach([0, 1, 2], (number) => runs.part(id, number))
        assert.deepStrictEqual(parts.map(Option.map((bytes) => String.fromCharCode(...bytes))), [
          Option.some("one"),
          Option.some("three"),
          Option.none()
        ])
        const empty = yield* uploaded([])
        assert.isTrue(Option.isNone(yield* runs.start(empty.id, now)))
        assert.isFalse(yield* runs.addPart({ id: uuid(), number: 0, bytes: bytesOf("x"), now }))
      }))

    it.effect("tells how far it is and how it ended; its parts are gone then", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const { id, now } = yield* uploaded()
        yield* runs.start(id, now)
        yield* runs.progress(id, { counts, bytesRead: 4, now: now + 1 })
        assert.deepInclude(Option.getOrThrow(yield* runs.find(id, now + 1)), { ...counts, bytesRead: 4 })
        for (const text of ["a\n", "b\n"]) yield* runs.reject(id, text)
        const shown = [
          { line: 1, row: { name: "Sample", key: "1", "Year Built": 1987, city: null } },
          { line: 2, row: { name: "Sam\u0000ple", key: "\uD800" } },
          { line: 3, row: null }
        ]
        const note = "Rows of a former county."
        yield* runs.end(id, { counts, shown, note, fault: null, now: now + 2 })
        const ended = Option.getOrThrow(yield* runs.find(id, now + 2))
        assert.deepInclude(ended, { state: "ended", shown, note, bytesRead: 6, endedAt: isoOf(now + 2) })
        // In the order in which the file has its columns.
        assert.strictEqual(JSON.stringify(ended.shown), JSON.stringify(shown))
        assert.isTrue(Option.isNone(yield* runs.part(id, 0)))
        assert.deepStrictEqual(yield* runs.rejects(id, 0), ["a\n", "b\n"])
        assert.deepStrictEqual(yield* runs.rejects(id, 1), ["b\n"])
        assert.deepStrictEqual(yield* runs.rejects(id, 2), [])

        const failing = yield* uploaded()
        yield* runs.start(failing.id, now)
        yield* runs.end(failing.id, { counts: noRows, shown: [], note: null, fault: "is no file", now })
        const failed = Option.getOrThrow(yield* runs.find(failing.id, now))
        assert.deepInclude(failed, { state: "failed", fault: "is no file" })
        yield* runs.end(failing.id, { counts, shown: [], note: null, fault: null, now })
        assert.deepStrictEqual(Option.getOrThrow(yield* runs.find(failing.id, now)), failed)

        const odd = yield* uploaded()
        yield* runs.start(odd.id, now)
        yield* runs.end(odd.id, { counts: noRows, shown: [], note: null, fault: "has no column \u0000", now })
        assert.strictEqual(Option.getOrThrow(yield* runs.find(odd.id, now)).state, "failed")
      }))

    it.effect("counts as interrupted when it tells nothing any more, until it does", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const { id, now } = yield* uploaded()
        yield* runs.start(id, now)
        const state = (at: number) => Effect.map(runs.find(id, at), Option.map((run) => run.state))
        const late = now + Duration.toMillis(silence)
        assert.deepStrictEqual(yield* state(late - 1), Option.some("running"))
        assert.deepStrictEqual(yield* state(late), Option.some("interrupted"))
        yield* runs.progress(id, { counts, bytesRead: 1, now: late })
        assert.deepStrictEqual(yield* state(late), Option.some("running"))
      }))

    it.effect("an upload of which no part comes counts as interrupted, until one does", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const { id, now } = yield* uploaded()
        const state = (at: number) => Effect.map(runs.find(id, at), Option.map((run) => run.state))
        const late = now + Duration.toMillis(silence)
        assert.deepStrictEqual(yield* state(late - 1), Option.some("uploading"))
        assert.deepStrictEqual(yield* state(late), Option.some("interrupted"))
        assert.isTrue(yield* runs.addPart({ id, number: 2, bytes: bytesOf("x"), now: late }))
        assert.deepStrictEqual(yield* state(late), Option.some("uploading"))
        assert.isTrue(Option.isSome(yield* runs.start(id, late + Duration.toMillis(silence))))
      }))

    it.effect("keeps rejects within their bound", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const { id, now } = yield* uploaded()
        yield* runs.start(id, now)
        const half = "x".repeat(mostRejects / 2)
        for (const text of [half, half, "y"]) yield* runs.reject(id, text)
        assert.deepStrictEqual((yield* runs.rejects(id, 0)).map(({ length }) => length), [half.length, half.length])
      }))

    it.effect("lists the newest first, and forgets an upload that nobody finished", () =>
      Effect.gen(function*() {
        const runs = yield* ImportRuns
        const day = noon + Duration.toMillis("1 day")
        const abandoned = yield* uploaded(["x"], day)
        const later = day + Duration.toMillis(uploadTime)
        const one = yield* uploaded(["x"], later)
        const other = yield* uploaded(["x"], later + 1)
        const ids = (yield* runs.list(2, later + 1)).map(({ id }) => id)
        assert.deepStrictEqual(ids, [other.id, one.id])
        assert.isTrue(Option.isNone(yield* runs.find(abandoned.id, later)))
      }))
  })
