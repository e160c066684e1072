/** What every `Standings` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Standings } from "../coverage/Standings.ts"
import { covered, id, open, orgId, outside, world } from "./PeopleWorld.ts"
import { type Seeder, startOver } from "./Seed.ts"

/** `layer` is a store of its own. */
export const standingsContract = <E>(name: string, layer: Layer.Layer<Standings | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Standings: ${name}`, (it) => {
    const read = Effect.fnUntraced(
      function*(org: string, properties: ReadonlyArray<number>, contacts: ReadonlyArray<number>) {
        const standings = yield* Standings
        yield* startOver(world)
        const found = yield* standings.read({ orgId: org, properties: properties.map(id), contacts: contacts.map(id) })
        const byId = <A extends { readonly id: string }>(items: ReadonlyArray<A>) =>
          items.toSorted((left, right) => left.id < right.id ? -1 : 1)
        return { properties: byId(found.properties), contacts: byId(found.contacts) }
      }
    )

    it.effect("tells of each that exists where it lies and how the organization holds it", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* read(orgId, [5, 2, 6, 999], [201, 205, 206, 207, 999]), {
          properties: [
            { id: id(2), countyFips: open, retiredInto: null, researched: true, access: "paid" },
            { id: id(5), countyFips: open, retiredInto: id(1), researched: true, access: null },
            { id: id(6), countyFips: open, retiredInto: null, researched: false, access: null }
          ],
          contacts: [
            { id: id(201), counties: [outside, open], openedByProperty: true, access: null },
            { id: id(205), counties: [], openedByProperty: false, access: null },
            { id: id(206), counties: [open, covered], openedByProperty: false, access: null },
            { id: id(207), counties: [open], openedByProperty: false, access: "free" }
          ]
        })
      }))

    it.effect("tells another organization nothing of it, and of nothing nothing", () =>
      Effect.gen(function*() {
        const { contacts, properties } = yield* read("another-org", [2], [201, 207])
        assert.deepStrictEqual(properties.map(({ access }) => access), [null])
        assert.deepStrictEqual(contacts.map(({ access, openedByProperty }) => [access, openedByProperty]), [
          [null, false],
          [null, false]
        ])
        assert.deepStrictEqual(yield* read(orgId, [], []), { properties: [], contacts: [] })
      }))
  })
}
