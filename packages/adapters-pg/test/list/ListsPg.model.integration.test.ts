/** Any sequence of calls about lists is answered by PostgreSQL as in memory, whoever asks. */
import { assert, layer } from "@effect/vitest"
import * as ListsPg from "@freehold/adapters-pg/list/ListsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Lists } from "@freehold/core/list/Lists"
import * as ListsMemory from "@freehold/core/memory/list/ListsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { defaults } from "@freehold/core/organization/Organization"
import { contact, member, property, type Seed, Seeder } from "@freehold/core/testing/Seed"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"

const orgId = "model-org"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const people = [id(901), id(902)]

const seed: Partial<Seed> = {
  organizations: [defaults(orgId)],
  members: people.map((memberId) => ({ orgId, ...member({ memberId }) })),
  properties: [1, 2, 3, 4].map((n) =>
    property({ id: id(n), countyFips: n === 4 ? "06001" : "48113", retiredInto: n === 3 ? id(1) : null })
  ),
  contacts: [contact({ id: id(5) })],
  relationships: [{
    propertyId: id(2),
    contactId: id(5),
    role: null,
    relationshipStatus: "current",
    attributionType: "web"
  }]
}

const reader = fc.constantFrom(null, ...people)
const listId = fc.integer({ min: 11, max: 16 }).map(id)
const keys = [id(1), id(2), id(3), id(6)].map((each) => `48113-${each}`)
const item = fc.oneof(fc.integer({ min: 1, max: 6 }).map(id), fc.constantFrom(...keys))
const itemIds = fc.uniqueArray(item, { minLength: 1, maxLength: 4 })
const visible = fc.constantFrom("48", "06").map((state) => ({
  nationwide: false,
  stateFips: [state],
  countyFips: ["48113"]
}))
const page = {
  after: fc.option(fc.record({
    at: fc.integer({ min: 0, max: 20 }).map((n) => new Date(1_780_000_000_000 + n).toISOString()),
    id: fc.integer({ min: 1, max: 20 }).map(id)
  })),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 4 })
}

const call = fc.oneof(
  fc.record({
    _tag: fc.constant("Create" as const),
    name: fc.constantFrom("North", " NORTH ", "South"),
    type: fc.constantFrom("properties" as const, "contacts" as const),
    visibility: fc.constantFrom("private" as const, "team" as const, "shared" as const),
    sharedWith: fc.subarray(people),
    owner: reader.map((memberId) => ({ memberId, name: "Sample" })),
    onClash: fc.constantFrom("allow" as const, "refuse" as const, "reuse" as const)
  }),
  fc.record({ _tag: fc.constant("Add" as const), reader, listId, itemIds, visible }),
  fc.record({ _tag: fc.constant("Remove" as const), reader, listId, itemIds, visible }),
  fc.record({ _tag: fc.constant("Items" as const), reader, listId, visible, ...page }),
  fc.record({
    _tag: fc.constant("Change" as const),
    reader,
    listId,
    name: fc.constantFrom("North", " NORTH ", "South"),
    visibility: fc.constantFrom("private" as const, "team" as const, "shared" as const),
    sharedWith: fc.subarray(people)
  }),
  fc.record({ _tag: fc.constant("Find" as const), reader, listId }),
  fc.record({ _tag: fc.constant("Delete" as const), reader, listId }),
  fc.record({ _tag: fc.constant("Page" as const), reader, type: fc.constantFrom(null, "properties" as const), ...page })
)
type Call = typeof call extends fc.Arbitrary<infer A> ? A : never

/** Few enough that sequences come up to them. */
const bounds = { lists: 3, itemsOfOne: 4, itemsOfAll: 6 }

/** The n-th call of a sequence, at a time of its own; a new list has the next id. */
const ask = (lists: Lists["Service"], given: Call, n: number) => {
  const now = 1_780_000_000_000 + n
  switch (given._tag) {
    case "Create":
      return lists.create({ ...given, bounds, orgId, id: id(11 + n), now })
    case "Add":
      return lists.add({ ...given, bounds, orgId, now })
    case "Remove":
      return lists.remove({ ...given, orgId })
    case "Items":
      return lists.items({ ...given, orgId })
    case "Change":
      return lists.change({ ...given, orgId })
    case "Find":
      return lists.find({ ...given, orgId })
    case "Delete":
      return lists.delete({ ...given, orgId })
    case "Page":
      return lists.page({ ...given, orgId })
  }
}

class Model extends Context.Service<Model, { readonly lists: Lists["Service"]; readonly seeder: Seeder["Service"] }>()(
  "@freehold/adapters-pg/test/list/ListsPg.model/Model"
) {}

const model = Layer.effect(
  Model,
  Effect.gen(function*() {
    return { lists: yield* Lists, seeder: yield* Seeder }
  })
).pipe(
  Layer.provide(Layer.mergeAll(ListsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer)))
)

const stored = Layer.mergeAll(ListsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))

layer(Layer.merge(model, stored), { excludeTestServices: true })("ListsPg and ListsMemory", (it) => {
  it.effect("answer any sequence of calls alike", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const seeder = yield* Seeder
      const expected = yield* Model
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(call, { minLength: 4, maxLength: 14 }), (calls) =>
            Effect.runPromise(Effect.gen(function*() {
              for (const each of [seeder, expected.seeder]) {
                yield* each.clear
                yield* each.add(seed)
              }
              for (const [n, given] of calls.entries()) {
                assert.deepStrictEqual(
                  yield* ask(lists, given, n),
                  yield* ask(expected.lists, given, n),
                  JSON.stringify(calls.slice(0, n + 1))
                )
              }
            }))),
          { numRuns: 30 }
        )
      )
    }))
})
