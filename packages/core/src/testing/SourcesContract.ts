/**
 * What every `Sources` must do: a run reads all before it loads anything, and each step is taken once.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer, Option, Redacted } from "effect"
import type { LoadOutcome } from "../import/ImportStore.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { type KeptRow, type ReadStep, type SourceRun, Sources } from "../source/Sources.ts"
import { oneAtATime } from "./OneAtATime.ts"
import { sampleSource } from "./SampleSource.ts"

let made = 0

const documentOf = (more: Partial<SourceDocument> = {}) => sampleSource(`sample-source-${++made}`, more)

const row = (key: string, digest: string | null = `digest of ${key}`, asOf: string | null = null): KeptRow => ({
  key,
  digest,
  row: { key },
  asOf
})

/** A source, the first run of which has begun. */
const beginning = Effect.gen(function*() {
  const sources = yield* Sources
  const document = documentOf()
  const { name } = document
  yield* sources.put(document, null)
  return { sources, name, begun: yield* sources.begin(name, true, []) }
})

const kept = (name: string, run: SourceRun, rows: ReadonlyArray<KeptRow>, more: Partial<ReadStep> = {}) =>
  Sources.use((sources) =>
    sources.keep({
      name,
      run: run.number,
      page: run.page,
      position: { after: run.page + 1 },
      mark: { seen: run.page + 1 },
      unseen: [],
      rows,
      read: rows.length,
      full: true,
      formerCounties: {},
      rejects: [],
      rejected: 0,
      ...more
    })
  )

const outcome = (more: Partial<LoadOutcome> = {}): LoadOutcome => ({
  inserted: 0,
  updated: 0,
  unchanged: 0,
  rejected: [],
  ...more
})

/** A whole sync of the rows. */
const sync = Effect.fnUntraced(function*(name: string, rows: ReadonlyArray<KeptRow>, full = true) {
  const sources = yield* Sources
  const begun = yield* sources.begin(name, full, [])
  const read = yield* kept(name, begun, rows)
  const plan = yield* sources.plan(name, read)
  const loading = yield* sources.turn(name, read, "loading", null)
  const next = yield* sources.next(name, loading, 100)
  const loaded = yield* sources.load(name, loading, next, Effect.succeed(outcome({ inserted: next.length })))
  return { plan, run: yield* sources.finish(name, loaded, plan.same) }
})

const sourceOf = (name: string) => Effect.map(Sources.use((sources) => sources.find(name)), Option.getOrThrow)

const isDue = (name: string) => Effect.map(Sources.use((sources) => sources.due), (names) => names.includes(name))

/** The suite for an adapter of `Sources`. */
export const sourcesContract = <E>(name: string, adapters: Layer.Layer<Sources, E>): void =>
  suite(adapters, { excludeTestServices: true })(`Sources ${name}`, (it) => {
    it.effect("keeps documents with their token, lists them by name, and forgets what is removed", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const document = documentOf({ schedule: "1 day" })
        assert.strictEqual(yield* sources.put(document, Redacted.make("made-up-token")), "added")
        assert.strictEqual(yield* sources.put(document, null), "unchanged")
        assert.strictEqual(yield* sources.put({ ...document, title: "Lots" }, null), "changed")
        const source = yield* sourceOf(document.name)
        assert.strictEqual(source.document.title, "Lots")
        assert.strictEqual(source.token === null ? null : Redacted.value(source.token), "made-up-token")
        assert.deepInclude(source, { paused: false, fullAt: null, mark: null, records: 0, lastRun: null })
        const other = documentOf()
        yield* sources.put(other, null)
        const names = (yield* sources.list).map(({ document: { name } }) => name)
        assert.deepStrictEqual(names, [...names].sort())
        assert.isTrue(yield* sources.remove(other.name))
        assert.isFalse(yield* sources.remove(other.name))
        assert.isTrue(Option.isNone(yield* sources.find(other.name)))
        assert.isFalse(yield* sources.pause(other.name, true))
      }))

    it.effect("what was removed and brought records is nowhere, and added again it knows them", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const document = documentOf({ schedule: "1 day" })
        const { name } = document
        yield* sources.put(document, Redacted.make("made-up-token"))
        yield* sync(name, [row("a", "1")])
        yield* sources.pause(name, true)
        assert.isTrue(yield* sources.remove(name))
        assert.isFalse(yield* sources.remove(name))
        assert.isFalse(yield* sources.pause(name, false))
        assert.isTrue(Option.isNone(yield* sources.find(name)))
        assert.deepStrictEqual(yield* sources.runs(name, 10), [])
        assert.isFalse((yield* sources.list).some((each) => each.document.name === name) || (yield* isDue(name)))
        assert.strictEqual(yield* sources.put(document, null), "added")
        assert.deepInclude(yield* sourceOf(name), { token: null, paused: false, records: 1, lastRun: null })
        assert.isTrue(yield* isDue(name))
        const { plan } = yield* sync(name, [row("a", "1"), row("b", "1")])
        assert.deepStrictEqual(plan, { known: 1, fresh: 1, different: 0, same: 1, gone: 0 })
      }))

    it.effect("is due by its schedule, unless it is paused, asks, or was put off", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const asked = documentOf()
        const { name } = documentOf()
        yield* sources.put(asked, null)
        yield* sources.put(documentOf({ name, schedule: "1 day" }), null)
        assert.deepStrictEqual([yield* isDue(asked.name), yield* isDue(name)], [false, true])
        yield* sources.pause(name, true)
        assert.isFalse(yield* isDue(name))
        yield* sources.pause(name, false)
        const run = yield* sources.begin(name, true, [])
        const asking = yield* sources.turn(name, run, "asks", "too many")
        assert.isFalse(yield* isDue(name))
        yield* sources.turn(name, asking, "loading", null)
        assert.isTrue(yield* isDue(name))
        yield* sources.postpone(name, run, "answered 503")
        assert.isFalse(yield* isDue(name))
        const { dueAt, lastRun } = yield* sourceOf(name)
        assert.isNotNull(dueAt)
        assert.strictEqual(lastRun?.reason, "answered 503")
        const done = yield* sync(name, [])
        assert.isFalse(yield* isDue(name))
        yield* sources.postpone(name, done.run, "made up")
        assert.isNull((yield* sourceOf(name)).lastRun?.reason)
      }))

    it.effect("plans, loads what differs, and marks what vanished where everything was read", () =>
      Effect.gen(function*() {
        const document = documentOf()
        const { name } = document
        yield* Sources.use((sources) => sources.put(document, null))
        const first = yield* sync(name, [row("a"), row("b"), row("c"), row("faulty", null)])
        assert.deepStrictEqual(first.plan, { known: 0, fresh: 3, different: 0, same: 0, gone: 0 })
        assert.deepInclude(first.run, { number: 1, state: "done", read: 4, inserted: 3, retired: 0, full: true })
        assert.deepInclude(yield* sourceOf(name), { records: 3, mark: { seen: 1 } })
        const part = yield* sync(name, [row("b", "another")], false)
        assert.deepStrictEqual(part.plan, { known: 3, fresh: 0, different: 1, same: 0, gone: 0 })
        const again = yield* sync(name, [row("a"), row("b", "another"), row("d")])
        assert.deepStrictEqual(again.plan, { known: 3, fresh: 1, different: 0, same: 2, gone: 1 })
        assert.deepInclude(again.run, { inserted: 1, unchanged: 2, retired: 1 })
        assert.strictEqual((yield* sourceOf(name)).records, 3)
        // What comes back is loaded again, though it is the same.
        const back = yield* sync(name, [row("a"), row("b", "another"), row("c"), row("d")])
        assert.deepInclude(back.plan, { different: 1, same: 3 })
        const runs = yield* Sources.use((sources) => sources.runs(name, 3))
        assert.deepStrictEqual(runs.map(({ number }) => number), [4, 3, 2])
      }))

    it.effect("marks nothing as vanished once a page of it was not full, or where it is ended as not full", () =>
      Effect.gen(function*() {
        const { begun, name, sources } = yield* beginning
        const first = yield* kept(name, begun, [row("a"), row("b")])
        const rows = yield* sources.next(name, first, 9)
        yield* sources.finish(
          name,
          yield* sources.load(name, first, rows, Effect.succeed(outcome({ inserted: 2 }))),
          0
        )
        const { fullAt } = yield* sourceOf(name)
        assert.isNotNull(fullAt)
        const one = yield* kept(name, yield* sources.begin(name, true, []), [row("a")], { full: false })
        const two = yield* kept(name, one, [])
        assert.isFalse(two.full)
        assert.deepInclude(yield* sources.plan(name, two), { known: 2, gone: 0 })
        assert.deepInclude(yield* sources.finish(name, two, 1), { state: "done", retired: 0, unchanged: 1 })
        const again = yield* sources.begin(name, true, [])
        const ended = yield* sources.finish(name, { ...again, full: false, mark: "as before" }, 2)
        assert.deepInclude(ended, { state: "done", retired: 0, unchanged: 2 })
        assert.deepInclude(yield* sourceOf(name), { fullAt, mark: "as before", records: 2 })
      }))

    it.effect("keeps of two rows with one key the later one, then the one read last", () =>
      Effect.gen(function*() {
        const { begun, name, sources } = yield* beginning
        const early = "2026-01-01T00:00:00.000Z"
        const late = "2026-06-01T00:00:00.000Z"
        const one = yield* kept(name, begun, [row("a", "late", late), row("b", "first")])
        const two = yield* kept(name, one, [row("a", "early", early), row("b", "second")])
        assert.deepStrictEqual(
          (yield* sources.next(name, two, 1)).map(({ asOf, digest, key }) => [key, digest, asOf]),
          [["a", "late", late]]
        )
        assert.deepStrictEqual((yield* sources.next(name, two, 9)).map(({ digest }) => digest), ["late", "second"])
      }))

    it.effect("keeps of two rows with one key the one without a fault, on whichever page it is", () =>
      Effect.gen(function*() {
        const { begun, name, sources } = yield* beginning
        const late = "2026-06-01T00:00:00.000Z"
        const first = [row("a", "good", late), row("b", "good"), row("c", null), row("d", null)]
        const one = yield* kept(name, begun, first)
        const two = yield* kept(name, one, [row("a", null), row("b", null, late), row("c", "good"), row("d", null)])
        assert.deepStrictEqual(
          (yield* sources.next(name, two, 9)).map(({ digest, key, row }) => [key, digest, row]),
          ["a", "b", "c"].map((key) => [key, "good", { key }])
        )
        assert.deepInclude(yield* sources.plan(name, two), { fresh: 3, same: 0 })
      }))

    it.effect("adds up how many rows of former counties its pages have, and tells it to its end", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const { name } = documentOf()
        yield* sources.put(documentOf({ name }), null)
        const begun = yield* sources.begin(name, true, [])
        assert.deepStrictEqual(begun.formerCounties, {})
        const one = yield* kept(name, begun, [row("a")], { formerCounties: { "46113": 2, "09001": 1 } })
        const two = yield* kept(name, one, [row("b")], { formerCounties: { "46113": 3 } })
        const three = yield* kept(name, two, [row("c")])
        const formerCounties = { "09001": 1, "46113": 5 }
        assert.deepStrictEqual(three.formerCounties, formerCounties)
        const asking = yield* sources.turn(name, three, "asks", "too many")
        const loading = yield* sources.turn(name, asking, "loading", null)
        assert.deepStrictEqual((yield* sources.finish(name, loading, 3)).formerCounties, formerCounties)
        assert.deepStrictEqual((yield* sourceOf(name)).lastRun?.formerCounties, formerCounties)
      }))

    it.effect("takes each step once, and leaves a run that another takes the place of", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const document = documentOf()
        const { name } = document
        yield* sources.put(document, null)
        const begun = yield* sources.begin(name, true, ["PIN"])
        assert.deepInclude(begun, { number: 1, state: "reading", page: 0, unseen: ["PIN"] })
        const rejects = Array.from({ length: 30 }, (_, n) => ({ place: `row ${n}`, field: null, reason: "made up" }))
        const read = yield* kept(name, begun, [row("a")], { rejects, rejected: 30 })
        assert.deepInclude(read, { page: 1, position: { after: 1 }, read: 1, rejected: 30, unseen: [] })
        assert.deepStrictEqual(read.rejects, rejects.slice(0, 20))
        assert.strictEqual((yield* Effect.flip(kept(name, begun, [row("b")])))._tag, "RunTaken")
        assert.strictEqual((yield* Effect.flip(sources.turn(name, begun, "loading", null)))._tag, "RunTaken")
        const second = yield* sources.begin(name, true, [])
        assert.deepStrictEqual(
          (yield* sources.runs(name, 9)).map(({ number, state }) => [number, state]),
          [[2, "reading"], [1, "left"]]
        )
        assert.strictEqual((yield* Effect.flip(sources.finish(name, read, 0)))._tag, "RunTaken")
        assert.deepStrictEqual(yield* sources.next(name, second, 9), [])
        const failed = yield* sources.turn(name, second, "failed", "a column is gone")
        assert.deepInclude(failed, { state: "failed", reason: "a column is gone" })
        assert.isNotNull(failed.endedAt)
        assert.strictEqual((yield* Effect.flip(kept(name, failed, [])))._tag, "RunTaken")
      }))

    it.effect("counts what a load rejects, and does not know it", () =>
      Effect.gen(function*() {
        const sources = yield* Sources
        const document = documentOf()
        const { name } = document
        yield* sources.put(document, null)
        const read = yield* kept(name, yield* sources.begin(name, true, []), [row("a"), row("b")])
        const loading = yield* sources.turn(name, read, "loading", null)
        const rows = yield* sources.next(name, loading, 9)
        const rejected = [{ index: 1, field: "lat", reason: "made up" }, { index: 1, field: "lon", reason: "made up" }]
        const loaded = yield* sources.load(name, loading, rows, Effect.succeed(outcome({ updated: 1, rejected })))
        assert.deepInclude(loaded, { changed: 1, rejected: 1 })
        assert.deepStrictEqual(loaded.rejects.map(({ field, place }) => [place, field]), [["b", "lat"], ["b", "lon"]])
        assert.deepStrictEqual(yield* sources.next(name, loaded, 9), [])
        yield* sources.finish(name, loaded, 0)
        assert.strictEqual((yield* sourceOf(name)).records, 1)
      }))

    it.effect("lets one sync at a time", () => Sources.use(({ alone }) => oneAtATime(alone)))
  })
