/** What a page of a search offers to go on with. */
import { assert, layer } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import { defaults } from "@freehold/core/access/Organization"
import { PropertySearch } from "@freehold/core/property/PropertySearch"
import * as PropertySearcher from "@freehold/core/property/PropertySearcher"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const county = "53903"
const matches = 30_000

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
        search.byLocation({ ...asked, offset: 0 }),
        (page) => ({
          ...page,
          rows: Array.from({ length: asked.limit }, () => page.rows[0]).flatMap((row) => row ?? []),
          total: matches
        })
      )
  }))
)

const ports = Layer.effectDiscard(
  Seeder.use((seeder) =>
    seeder.add({
      organizations: [organization],
      properties: [property({ id: "00000000-0000-4000-8000-000000000001", countyFips: county })]
    })
  )
).pipe(Layer.provideMerge(crowded), Layer.provideMerge(MemoryPorts.layer))

layer(ports)("a page by location", (it) => {
  it.effect("offers no offset that would be refused", () =>
    Effect.gen(function*() {
      const { find } = yield* PropertySearcher.make
      const page = (offset: number) => find({ filters: { countyFips: [county] }, offset, limit: 100 })
      assert.deepInclude(yield* page(9_900), { has_more: true, next_offset: 10_000 })
      assert.deepInclude(yield* page(10_000), { has_more: true, next_offset: null })
      assert.deepInclude(yield* page(9_901), { has_more: true, next_offset: null })
    }).pipe(Effect.provideService(Caller, caller)))
})
