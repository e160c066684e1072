/** What every `Standings` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Standings } from "../coverage/Standings.ts"
import { covered, id, open, orgId, outside, world } from "./PeopleWorld.ts"
import { contact, type Seeder, startOver } from "./Seed.ts"

const lead = (n: number) => ({
  orgId,
  propertyId: id(n),
  dealValue: 1000,
  qualifiedAt: "2026-01-02T00:00:00.000Z",
  qualifiedBy: { kind: "agent", id: "key", name: "sample key" } as const,
  statusChangedAt: "2026-01-02T00:00:00.000Z",
  version: 1
})

const keyOf = (n: number): string => world.properties?.find((each) => each.id === id(n))?.key ?? ""

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
        const doNotContact = { email: false, phone: false }
        assert.deepStrictEqual(yield* read(orgId, [5, 2, 6, 999], [201, 205, 206, 207, 999]), {
          properties: [
            {
              id: id(2),
              key: keyOf(2),
              address: "1 Oak",
              countyFips: open,
              retiredInto: null,
              researched: true,
              access: "paid",
              withholdsOwner: false
            },
            {
              id: id(5),
              key: keyOf(5),
              address: null,
              countyFips: open,
              retiredInto: id(1),
              researched: true,
              access: null,
              withholdsOwner: false
            },
            {
              id: id(6),
              key: keyOf(6),
              address: null,
              countyFips: open,
              retiredInto: null,
              researched: false,
              access: null,
              withholdsOwner: false
            }
          ],
          contacts: [
            { id: id(201), counties: [outside, open], openedByProperty: true, access: null, doNotContact },
            { id: id(205), counties: [], openedByProperty: false, access: null, doNotContact },
            { id: id(206), counties: [open, covered], openedByProperty: false, access: null, doNotContact },
            { id: id(207), counties: [open], openedByProperty: false, access: "free", doNotContact }
          ]
        })
      }))

    it.effect("tells what a person asked not to be reached by, of an address whichever record of it says so", () =>
      Effect.gen(function*() {
        yield* startOver({
          contacts: [
            contact({ id: id(1), doNotContact: { email: false, phone: true } }),
            contact({ id: id(2), email: "jo@sample.example" }),
            contact({ id: id(3), email: "JO@sample.example", doNotContact: { email: true, phone: false } })
          ]
        })
        const { contacts } = yield* Standings.use((standings) =>
          standings.read({ orgId, properties: [], contacts: [id(1), id(2)] })
        )
        assert.sameDeepMembers(contacts.map(({ doNotContact, id }) => [id, doNotContact]), [
          [id(1), { email: false, phone: true }],
          [id(2), { email: true, phone: false }]
        ])
      }))

    it.effect("finds a property by its key, and one that is named by both once", () =>
      Effect.gen(function*() {
        const standings = yield* Standings
        yield* startOver(world)
        const properties = [keyOf(2), id(5), keyOf(5), "no such key", "a key that \u0000 ends"]
        const found = yield* standings.read({ orgId, properties, contacts: [] })
        assert.deepStrictEqual(found.properties.map((each) => each.key).toSorted(), [keyOf(2), keyOf(5)].toSorted())
      }))

    it.effect("tells of each that exists what it is called, and what else it is to the organization", () =>
      Effect.gen(function*() {
        const standings = yield* Standings
        yield* startOver({
          ...world,
          leads: [{ ...lead(2), status: "lost", lossReasonCode: "other" }, { ...lead(3), status: "qualified" }],
          customers: [{ orgId, propertyId: id(6), status: "active" }, { orgId, propertyId: id(2), status: "churned" }]
        })
        const asked = { properties: [2, 3, 6, 999].map(id), contacts: [201, 999].map(id) }
        const { contacts, properties } = yield* standings.named({ orgId, ...asked })
        const told = (found: typeof properties) =>
          found.map((each) => [each.id, each.key !== "", each.access, each.lead, each.customer]).toSorted()
        assert.deepStrictEqual<unknown>(told(properties), [
          [id(2), true, "paid", false, false],
          [id(3), true, null, true, false],
          [id(6), true, null, false, true]
        ])
        const [person] = world.contacts?.filter((each) => each.id === id(201)) ?? []
        assert.deepStrictEqual<unknown>(contacts, [{
          id: id(201),
          counties: [outside, open],
          openedByProperty: true,
          access: null,
          fullName: person?.fullName,
          title: person?.title,
          employerName: person?.employerName
        }])
        const theirs = yield* standings.named({ orgId: "another-org", ...asked })
        assert.deepStrictEqual(told(theirs.properties).map(([, , ...more]) => more), [
          [null, false, false],
          [null, false, false],
          [null, false, false]
        ])
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
