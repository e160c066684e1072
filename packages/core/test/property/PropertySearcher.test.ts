/** What a page of a search offers to go on with. */
import { assert, layer } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import { defaults } from "@freehold/core/organization/Organization"
import { PropertySearch } from "@freehold/core/property/PropertySearch"
import * as PropertySearcher from "@freehold/core/property/PropertySearcher"
import { type SearchInput, SortKey, SortOrder } from "@freehold/core/property/SearchInput"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { property, type Seed, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"

const county = "53903"
const matches = 30_000
const first = "00000000-0000-4000-8000-000000000001"

const organization = {
  ...defaults("org_pages"),
  plan: "enterprise" as const,
  serviceable_area: { whole_state_abbrs: [], county_fips: [county] }
}

const caller: KeyCaller = {
  kind: "key",
  credentialId: "key_pages",
  keyName: "sample",
  label: "sample",
  scopes: ["data:read"],
  organization,
  territory: null,
  requestId: "request"
}

/** One place, told to be that many. */
const crowded = Layer.effect(
  PropertySearch,
  Effect.map(PropertySearch, (search) => ({
    ...search,
    byLocation: (asked: Parameters<typeof search.byLocation>[0]) =>
      Effect.map(
        search.byLocation({ ...asked, offset: 0, after: null }),
        (page) => ({
          ...page,
          rows: Array.from({ length: asked.limit }, () => page.rows[0]).flatMap((row) => row ?? []),
          next: { value: 0, id: first },
          total: matches
        })
      )
  }))
)

const seeded = (properties: Seed["properties"]) =>
  Layer.effectDiscard(Seeder.use((seeder) => seeder.add({ organizations: [organization], properties })))

const ports = seeded([property({ id: first, countyFips: county })]).pipe(
  Layer.provideMerge(crowded),
  Layer.provideMerge(MemoryPorts.layer)
)

layer(ports)("a page by location", (it) => {
  it.effect("offers no offset that would be refused, and a cursor wherever there is more", () =>
    Effect.gen(function*() {
      const { find } = yield* PropertySearcher.make
      const page = (offset: number) => find({ filters: { countyFips: [county] }, offset, limit: 100 })
      assert.deepInclude(yield* page(9_900), { has_more: true, next_offset: 10_000 })
      for (const offset of [9_901, 10_000]) {
        const { has_more, next_cursor: cursor, next_offset } = yield* page(offset)
        assert.deepStrictEqual({ has_more, next_offset }, { has_more: true, next_offset: null })
        if (cursor === null) assert.fail("there is more, and nothing to go on with")
        else assert.isTrue((yield* find({ filters: { countyFips: [county] }, cursor })).has_more)
      }
    }).pipe(Effect.provideService(Caller, caller)))
})

const categories = ["Office", "Retail", null] as const

/** Many ties, and values that are missing, so that the order is decided by the id alone now and then. */
const places = Array.from({ length: 23 }, (_, index) =>
  property({
    id: `00000000-0000-4000-8000-${String(100 + index).padStart(12, "0")}`,
    countyFips: county,
    city: index % 4 === 0 ? null : ["Aldertown", "Birchtown"][index % 2] ?? null,
    address: `${index % 3} Alder Street`,
    lat: 1,
    lon: 1,
    assetCategory: categories[index % 3] ?? null,
    buildingSqft: index % 5 === 0 ? null : 1000 * (index % 2),
    updatedAt: index % 2 === 0 ? "2026-03-01T00:00:00.000Z" : "2026-04-01T00:00:00.000Z"
  }))

const modes = {
  query: { query: "alder" },
  filters: { filters: { countyFips: [county] } },
  narrow: { filters: { categories: ["Office"], countyFips: [county] } },
  bounds: { bounds: { north: 2, south: 0, east: 2, west: 0 } }
} as const

layer(seeded(places).pipe(Layer.provideMerge(MemoryPorts.layer)))("any search", (it) => {
  const search = (asked: Omit<SearchInput, "cursor" | "offset">, page: Pick<SearchInput, "cursor" | "offset">) =>
    Effect.flatMap(PropertySearcher.make, ({ find }) => find({ ...asked, ...page })).pipe(
      Effect.provideService(Caller, caller)
    )

  it.effect.prop(
    "is read whole, each row once, by following what each answer offers",
    {
      mode: Schema.Literals(["query", "filters", "narrow", "bounds"]),
      sortBy: SortKey,
      sortOrder: SortOrder,
      limit: Schema.Literals([1, 2, 7, 22, 23, 200]),
      // Whether to take the cursor where both are offered.
      choices: Schema.Array(Schema.Boolean)
    },
    ({ choices, limit, mode, sortBy, sortOrder }) =>
      Effect.gen(function*() {
        const asked = { ...modes[mode], sortBy, sortOrder, limit }
        const all = yield* search({ ...asked, limit: 200 }, {})
        const found: Array<string> = []
        let page: Pick<SearchInput, "cursor" | "offset"> | null = {}
        for (let step = 0; page !== null; step++) {
          const answer: Effect.Success<ReturnType<typeof search>> = yield* search(asked, page)
          found.push(...answer.results.map(({ id }) => id))
          const { has_more, next_cursor: cursor, next_offset: offset } = answer
          assert.strictEqual(cursor !== null, has_more)
          assert.isTrue(has_more || (offset ?? null) === null)
          page = cursor !== null && (choices[step] ?? true)
            ? { cursor }
            : typeof offset === "number"
            ? { offset }
            : null
          if (page === null && cursor !== null) page = { cursor }
        }
        assert.deepStrictEqual(found, all.results.map(({ id }) => id))
        assert.strictEqual(new Set(found).size, found.length)
        if (mode !== "query") assert.strictEqual(found.length, all.total_matching)
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("has the same cursor when it is repeated within the hour, good for a day and not for two", () =>
    Effect.gen(function*() {
      const asked = { ...modes.narrow, limit: 1 }
      yield* TestClock.adjust("5 minutes")
      const { next_cursor: cursor } = yield* search(asked, {})
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* search(asked, {})).next_cursor, cursor)
      if (cursor === null) return assert.fail("there is more")
      yield* TestClock.adjust("24 hours")
      assert.lengthOf((yield* search(asked, { cursor })).results, 1)
      yield* TestClock.adjust("1 hours")
      assert.strictEqual((yield* Effect.flip(search(asked, { cursor })))._tag, "INVALID_CURSOR")
    }))

  it.effect("takes a cursor of its own search and order alone, and not beside an offset", () =>
    Effect.gen(function*() {
      const asked = { ...modes.narrow, limit: 1 }
      const { next_cursor: cursor } = yield* search(asked, {})
      if (cursor === null) return assert.fail("there is more")
      const turned = { filters: { countyFips: [county], categories: ["Office"] }, limit: 2 }
      assert.lengthOf((yield* search(turned, { cursor })).results, 2)
      for (const other of [modes.filters, modes.bounds, modes.query]) {
        assert.strictEqual((yield* Effect.flip(search(other, { cursor })))._tag, "INVALID_CURSOR")
      }
      assert.strictEqual(
        (yield* Effect.flip(search({ ...asked, sortBy: "city" }, { cursor })))._tag,
        "CURSOR_SORT_MISMATCH"
      )
      assert.deepInclude(yield* Effect.flip(search(asked, { cursor, offset: 1 })), {
        _tag: "INVALID_ARGUMENTS",
        issues: [{ field: "offset", message: "Expected cursor or offset, not both" }]
      })
    }))
})
