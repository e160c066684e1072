/** What every `Contacts` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import { everywhere, id, orgId, otherOrgId, sample } from "./SampleSeed.ts"
import { contact, Seeder, startOver } from "./Seed.ts"

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

    it.effect("who asks not to be mailed is not to be mailed by another record of the same address, and may be called by it", () =>
      Effect.gen(function*() {
        const contacts = yield* seeded
        const person = (n: number, email: string | null, asked: boolean) =>
          contact({ id: id(n), email, doNotContact: { email: asked, phone: asked } })
        yield* Seeder.use((seeder) =>
          seeder.add({
            contacts: [
              person(281, "ann@example.com", true),
              person(282, "Ann@Example.com", false),
              person(283, "bo@example.com", false),
              person(284, null, false)
            ]
          })
        )
        const asked = yield* Effect.forEach(
          [281, 282, 283, 284],
          (n) => Effect.map(contacts.read(id(n), orgId), (found) => Option.getOrThrow(found).contact.doNotContact)
        )
        const none = { email: false, phone: false }
        assert.deepStrictEqual(asked, [{ email: true, phone: true }, { email: true, phone: false }, none, none])
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
