/**
 * What every `PageViews` must do. Adapters call `pageViewsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { PageViews } from "../viewing/PageViews.ts"
import { member } from "./Seed.ts"

const start = Date.UTC(2026, 2, 30, 12)
const minute = 60_000
const pauseMillis = 30 * minute
const windows = [{ millis: 10 * minute, most: 3 }, { millis: 60 * minute, most: 5 }]

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

/** A new member; answers how they open a page. */
const arrange = Effect.gen(function*() {
  const organizations = yield* Organizations
  const views = yield* PageViews
  const orgId = `org_views_${++made}`
  yield* organizations.save(defaults(orgId))
  const memberId = uuid()
  yield* organizations.saveMember(orgId, member({ memberId, email: `ana-${made}@people.example` }))
  return (propertyId: string, now: number) =>
    Effect.map(
      views.open({ orgId, memberId, propertyId, windows, pauseMillis, now }),
      (outcome) => outcome._tag === "Opened" ? "opened" : outcome.began ? "begins" : outcome.until - now
    )
})

/** The suite for an adapter of `PageViews`. */
export const pageViewsContract = <E>(name: string, adapters: Layer.Layer<PageViews | Organizations, E>): void =>
  suite(adapters, { excludeTestServices: true })(`PageViews ${name}`, (it) => {
    it.effect("distinct pages count in each window, the same one again does not, and one too many begins a pause", () =>
      Effect.gen(function*() {
        const open = yield* arrange
        const [a, b, c, d] = [uuid(), uuid(), uuid(), uuid()]
        for (const id of [a, b, c, a, b, c]) assert.strictEqual(yield* open(id, start), "opened")
        assert.strictEqual(yield* open(d, start + minute), "begins")
        assert.strictEqual(yield* open(d, start + 2 * minute), pauseMillis - minute)
        assert.strictEqual(yield* open(a, start + 2 * minute), pauseMillis - minute, "pages of before too")
        assert.strictEqual(yield* open(d, start + minute + pauseMillis), "opened", "it lifts by the clock")
        assert.strictEqual(yield* open(uuid(), start + minute + pauseMillis), "opened")
        assert.strictEqual(yield* open(uuid(), start + minute + pauseMillis), "begins", "five of the last hour")
      }))

    it.effect("what was opened again counts as of the last time", () =>
      Effect.gen(function*() {
        const open = yield* arrange
        const [a, b, c] = [uuid(), uuid(), uuid()]
        for (const id of [a, b, c]) assert.strictEqual(yield* open(id, start), "opened")
        assert.strictEqual(yield* open(a, start + 9 * minute), "opened")
        assert.strictEqual(yield* open(uuid(), start + 11 * minute), "opened")
        assert.strictEqual(yield* open(uuid(), start + 11 * minute), "opened")
        assert.strictEqual(yield* open(uuid(), start + 11 * minute), "begins")
      }))

    it.effect("however many come at once, no more are opened; another member is untouched", () =>
      Effect.gen(function*() {
        const open = yield* arrange
        const other = yield* arrange
        const outcomes = yield* Effect.all(Array.from({ length: 8 }, () => open(uuid(), start)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter((outcome) => outcome === "opened"), 3)
        assert.lengthOf(outcomes.filter((outcome) => outcome === "begins"), 1)
        assert.strictEqual(yield* other(uuid(), start), "opened")
      }))

    it.effect("a pause of before a clock was set back is over", () =>
      Effect.gen(function*() {
        const open = yield* arrange
        for (const _ of windows) yield* open(uuid(), start)
        yield* open(uuid(), start)
        assert.strictEqual(yield* open(uuid(), start), "begins")
        assert.strictEqual(yield* open(uuid(), start - 2 * 60 * minute), "begins", "what was opened ahead still counts")
        assert.isNumber(yield* open(uuid(), start - 2 * 60 * minute))
      }))
  })
