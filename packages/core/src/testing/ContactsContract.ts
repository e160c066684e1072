/** What every `Contacts` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import { everywhere, id, orgId, otherOrgId, sample } from "./SampleSeed.ts"
import { type Seeder, startOver } from "./Seed.ts"

/** `layer` is a store of its own. */
export const contactsContract = <E>(name: string, layer: Layer.Layer<Contacts | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Contacts: ${name}`, (it) => {
    const seeded = Effect.gen(function*() {
      yield* startOver(sample)
      return yield* Contacts
    })

    it.effect("a person comes with every property that is not retired", () =>
      Effect.gen(function*() {
        const contacts = yield* seeded
        assert.deepStrictEqual(
          yield* contacts.read(id(203), orgId),
          Option.some({
            contact: { ...everywhere, firmName: null },
            relationships: [
              {
                propertyId: id(1),
                countyFips: "48001",
                address: "1 Oak",
                city: "Aldermoor",
                state: "TX",
                role: "other",
                relationshipStatus: "current",
                attributionType: "web",
                researched: true,
                unlocked: false
              },
              {
                propertyId: id(3),
                countyFips: "06001",
                address: "3 Elm",
                city: "Briarfield",
                state: "CA",
                role: "legal",
                relationshipStatus: "former",
                attributionType: "county_record",
                researched: false,
                unlocked: true
              }
            ],
            access: null
          })
        )
        assert.isTrue(Option.isNone(yield* contacts.read(id(999), orgId)))
      }))

    it.effect("a recorded reveal is told with its source, to its organization alone", () =>
      Effect.gen(function*() {
        const contacts = yield* seeded
        const access = (n: number, org: string) =>
          Effect.map(contacts.read(id(n), org), (found) => Option.getOrThrow(found).access)
        assert.deepStrictEqual(
          yield* Effect.all([access(201, orgId), access(202, orgId), access(203, orgId), access(201, otherOrgId)]),
          ["paid", "free", null, null]
        )
        const { relationships } = Option.getOrThrow(yield* contacts.read(id(203), otherOrgId))
        assert.deepStrictEqual(relationships.map(({ unlocked }) => unlocked), [false, false])
      }))
  })
}
