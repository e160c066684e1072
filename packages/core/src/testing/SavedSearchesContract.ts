/** What every `SavedSearches` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import type { RecentPlace } from "../list/Lists.ts"
import { defaults } from "../organization/Organization.ts"
import { maximumSavedCharacters, maximumSavedSearches, SavedSearches } from "../search/SavedSearches.ts"
import { member, type Seeder, startOver } from "./Seed.ts"

const orgId = "search-org"
const at = Date.UTC(2026, 0, 2)

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const ana = { memberId: id(901), name: "Ana" }
const ben = { memberId: id(902), name: "Ben" }

const seed = Effect.gen(function*() {
  yield* startOver({
    organizations: [defaults(orgId), defaults("other-org")],
    members: [ana, ben].map((each) => ({ orgId, ...member(each) }))
  })
  return yield* SavedSearches
})

const search = { filters: { countyFips: ["48113"], minBuildingSqft: 5 }, sortBy: "city" }

/** `layer` is a store of its own. */
export const savedSearchesContract = <E>(name: string, layer: Layer.Layer<SavedSearches | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`SavedSearches: ${name}`, (it) => {
    const save = (n: number, called: string, owner = ana) =>
      SavedSearches.use((searches) => searches.save({ orgId, id: id(n), owner, name: called, search, now: at + n }))

    it.effect("a member sees the own ones, newest first, and a key all of them", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        for (const n of [1, 2]) assert.strictEqual(yield* save(n, `Search ${n}`), "saved")
        assert.strictEqual(yield* save(3, "Search 1", ben), "saved")
        const ids = (reader: string | null, organization = orgId) =>
          Effect.map(
            searches.list({ orgId: organization, reader, after: null, limit: 9 }),
            (found) => [found.searches.map((each) => each.id), found.total]
          )
        assert.deepStrictEqual(yield* ids(ana.memberId), [[id(2), id(1)], 2])
        assert.deepStrictEqual(yield* ids(ben.memberId), [[id(3)], 1])
        assert.deepStrictEqual(yield* ids(null), [[id(3), id(2), id(1)], 3])
        assert.deepStrictEqual(yield* ids(null, "other-org"), [[], 0])
        const find = (reader: string | null, n: number) => searches.find({ orgId, reader, id: id(n) })
        assert.deepStrictEqual(
          yield* find(ana.memberId, 1),
          Option.some({ id: id(1), name: "Search 1", ownerName: "Ana", search, createdAt: "2026-01-02T00:00:00.001Z" })
        )
        assert.isTrue(Option.isNone(yield* find(ben.memberId, 1)))
        assert.isTrue(Option.isSome(yield* find(null, 1)))
      }))

    it.effect("are listed page by page after the last one that was shown, those of one moment by id", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        const add = (n: number, now: number, owner: typeof ana) =>
          searches.save({ orgId, id: id(n), owner, name: `Search ${n}`, search, now })
        for (const n of [3, 1, 2]) yield* add(n, at, n === 2 ? ben : ana)
        yield* add(4, at + 1, ben)
        yield* add(5, at - 1, ana)
        const pages = Effect.fnUntraced(function*(reader: string | null) {
          const page = Effect.fnUntraced(function*(after: RecentPlace | null) {
            const found = yield* searches.list({ orgId, reader, after, limit: 2 })
            return found.searches.map(({ createdAt, id }) => ({ at: createdAt, id }))
          })
          const first = yield* page(null)
          const second = yield* page(first.at(-1) ?? null)
          const third = yield* page(second.at(-1) ?? null)
          return [first, second, third].map((each) => each.map(({ id }) => id))
        })
        assert.deepStrictEqual(yield* pages(null), [[id(4), id(1)], [id(2), id(3)], [id(5)]])
        assert.deepStrictEqual(yield* pages(ana.memberId), [[id(1), id(3)], [id(5)], []])
      }))

    it.effect("is given another name by its member, unless another one of theirs has it", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        yield* save(1, "North")
        yield* save(2, "South")
        yield* save(3, "East", ben)
        const rename = (ownerId: string, n: number, to: string, org = orgId) =>
          searches.rename({ orgId: org, ownerId, id: id(n), name: to })
        assert.strictEqual(yield* rename(ana.memberId, 1, " SOUTH "), "in_use")
        assert.strictEqual(yield* rename(ana.memberId, 1, "NORTH"), "renamed")
        assert.strictEqual(yield* rename(ana.memberId, 1, "East"), "renamed")
        assert.strictEqual(yield* rename(ana.memberId, 3, "West"), "no_search")
        assert.strictEqual(yield* rename(ana.memberId, 1, "West", "other-org"), "no_search")
        const { searches: kept } = yield* searches.list({ orgId, reader: null, after: null, limit: 9 })
        assert.deepStrictEqual(kept.map(({ name }) => name), ["East", "South", "East"])
      }))

    it.effect("a name is the member's once, in any case, however many ask for it at once", () =>
      Effect.gen(function*() {
        yield* seed
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 6 }, (_, index) => index),
          (index) => save(20 + index, index % 2 === 0 ? "Süd" : " SÜD "),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), [...Array.from({ length: 5 }, () => "in_use"), "saved"])
      }))

    it.effect("a member keeps a bounded number, also when several are saved at once", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        for (let n = 1; n < maximumSavedSearches; n++) yield* save(n, `Search ${n}`)
        const outcomes = yield* Effect.forEach([501, 502, 503], (n) => save(n, `Search ${n}`), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(outcomes.toSorted(), ["saved", "too_many", "too_many"])
        const kept = yield* searches.list({ orgId, reader: ana.memberId, after: null, limit: 1 })
        assert.strictEqual(kept.total, maximumSavedSearches)
        assert.strictEqual(yield* save(504, "Search 504", ben), "saved")
      }))

    it.effect("a member keeps a bounded number of characters", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        const long = (n: number) =>
          searches.save({
            orgId,
            id: id(n),
            owner: ana,
            name: `Search ${n}`,
            search: { query: "x".repeat(maximumSavedCharacters / 4) },
            now: at + n
          })
        for (const n of [1, 2, 3]) assert.strictEqual(yield* long(n), "saved")
        assert.strictEqual(yield* long(4), "too_many")
        assert.strictEqual(yield* save(5, "A short one"), "saved")
      }))

    it.effect("only its owner deletes it, once", () =>
      Effect.gen(function*() {
        const searches = yield* seed
        yield* save(1, "Search 1")
        const remove = (ownerId: string, organization = orgId) =>
          searches.remove({ orgId: organization, ownerId, id: id(1) })
        assert.isFalse(yield* remove(ben.memberId))
        assert.isFalse(yield* remove(ana.memberId, "other-org"))
        assert.isTrue(yield* remove(ana.memberId))
        assert.isFalse(yield* remove(ana.memberId))
        assert.strictEqual(yield* save(2, "Search 1"), "saved")
      }))
  })
}
