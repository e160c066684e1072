/** What every `Properties` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { Properties } from "../property/Properties.ts"
import { id, orgId, other, otherOrgId, plain, principal, rich, sample } from "./SampleSeed.ts"
import { type Seeder, startOver } from "./Seed.ts"

const byId = (n: number) => ({ _tag: "Id", id: id(n) } as const)
const byKey = (key: string) => ({ _tag: "Key", key } as const)

/** `layer` is a store of its own. */
export const propertiesContract = <E>(name: string, layer: Layer.Layer<Properties | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Properties: ${name}`, (it) => {
    const seeded = Effect.gen(function*() {
      yield* startOver(sample)
      return yield* Properties
    })

    it.effect("standing tells research, retirement and how the organization holds it", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        const standing = (n: number, org: string) => Effect.map(properties.standing(byId(n), org), Option.getOrNull)
        assert.deepStrictEqual(yield* standing(1, orgId), {
          id: id(1),
          key: "48001-RICH",
          address: rich.address,
          countyFips: "48001",
          retiredInto: null,
          researched: true,
          access: "covered"
        })
        assert.deepStrictEqual(yield* standing(2, orgId), {
          id: id(2),
          key: plain.key,
          address: plain.address,
          countyFips: "48003",
          retiredInto: id(1),
          researched: false,
          access: null
        })
        assert.strictEqual((yield* standing(3, orgId))?.access, "paid")
        assert.strictEqual((yield* standing(3, otherOrgId))?.access, null)
        assert.isNull(yield* standing(4, orgId))
      }))

    it.effect("a key names a property like its id", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        assert.deepStrictEqual(
          yield* properties.read(byKey("48001-RICH"), orgId),
          yield* properties.read(byId(1), orgId)
        )
        assert.deepStrictEqual(
          Option.map(yield* properties.standing(byKey("48001-RICH"), orgId), (standing) => standing.id),
          Option.some(id(1))
        )
        assert.isTrue(Option.isNone(yield* properties.read(byKey("48001-rich"), orgId)))
        assert.isTrue(Option.isNone(yield* properties.read(byKey("\0"), orgId)))
      }))

    it.effect("every stored value comes back, and what is unknown is null", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        assert.deepStrictEqual(
          yield* properties.read(byId(1), orgId),
          Option.some({
            ...rich,
            researchedAt: "2026-01-02T03:04:05.678Z",
            lastEnrichedAt: "2026-01-02T03:04:05.678Z",
            hasBeneficialOwner: true,
            hasManagementCompany: false,
            primaryOrganizationId: id(102),
            managementOrganizationId: id(101),
            source: null,
            contactCounts: {
              contacts: 4,
              withEmail: 2,
              withPhone: 1,
              withLinkedin: 1,
              roleTypes: ["executive", "property_manager"]
            },
            unlocked: false,
            ownerWithheld: false,
            beneficialOwnerWithheld: false
          })
        )
        const unknown = {
          researchedAt: null,
          lastEnrichedAt: null,
          hasBeneficialOwner: false,
          hasManagementCompany: false,
          primaryOrganizationId: null,
          managementOrganizationId: null,
          source: null,
          ownerWithheld: false,
          beneficialOwnerWithheld: false
        }
        const one = { contacts: 1, withEmail: 1, withPhone: 0, withLinkedin: 1, roleTypes: ["executive"] }
        assert.deepStrictEqual(
          yield* properties.read(byId(2), orgId),
          Option.some({ ...plain, ...unknown, contactCounts: one, unlocked: false })
        )
        assert.deepStrictEqual(
          yield* properties.read(byId(3), orgId),
          Option.some({ ...other, ...unknown, contactCounts: one, unlocked: true })
        )
      }))

    it.effect("contacts come by seniority, then id, open when paid for or by another unlocked property", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        const people = (n: number, org: string) =>
          Effect.map(
            properties.readWithContacts(byId(n), org),
            (found) => Option.getOrThrow(found).contacts.map((person) => [person.id, person.role, person.opened])
          )
        assert.deepStrictEqual(yield* people(1, orgId), [
          [id(202), "legal", false],
          [id(201), null, true],
          [id(204), null, false],
          [id(203), "other", true]
        ])
        // Its own unlock opens them through the property, which is the caller's to see.
        assert.deepStrictEqual(yield* people(3, orgId), [[id(203), "legal", false]])
        assert.deepStrictEqual((yield* people(1, otherOrgId)).map(([, , opened]) => opened), [
          false,
          false,
          false,
          false
        ])
      }))

    it.effect("people of several properties are told once, in order, and whether they are paid for", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        const people = (numbers: ReadonlyArray<number>, org = orgId) =>
          Effect.map(
            properties.people(numbers.map(id), org),
            (found) => found.map((person) => [person.id, person.opened])
          )
        // By the property itself, which is unlocked.
        assert.deepStrictEqual(yield* people([3]), [[id(203), true]])
        const both = [id(201), id(202), id(203), id(204)]
        assert.deepStrictEqual(
          yield* people([3, 1]),
          both.map((each) => [each, each === id(201) || each === id(203)])
        )
        assert.deepStrictEqual(yield* people([1, 3], otherOrgId), both.map((each) => [each, false]))
        assert.deepStrictEqual(yield* people([4]), [])
      }))

    it.effect("nobody is paid for by a property that is retired: what it opened is its survivor's", () =>
      Effect.gen(function*() {
        yield* startOver({ ...sample, accesses: [{ orgId: otherOrgId, kind: "property", id: id(2), source: "paid" }] })
        const properties = yield* Properties
        const { contacts } = Option.getOrThrow(yield* properties.readWithContacts(byId(1), otherOrgId))
        assert.deepStrictEqual(contacts.map((person) => [person.id, person.opened]), [
          [id(202), false],
          [id(201), false],
          [id(204), false],
          [id(203), false]
        ])
        assert.deepStrictEqual(
          (yield* properties.people([id(1)], otherOrgId)).map((person) => [person.id, person.opened]),
          [201, 202, 203, 204].map((n) => [id(n), false])
        )
        assert.deepStrictEqual(yield* properties.people([id(2)], otherOrgId), [{ id: id(203), opened: false }])
      }))

    it.effect("a person comes back whole, with the name of the firm", () =>
      Effect.gen(function*() {
        const properties = yield* seeded
        const { contacts, property } = Option.getOrThrow(yield* properties.readWithContacts(byId(1), orgId))
        assert.deepStrictEqual(Option.some(property), yield* properties.read(byId(1), orgId))
        assert.deepStrictEqual(contacts[0], {
          ...principal,
          firmName: null,
          role: "legal",
          relationshipStatus: "unverified",
          opened: false
        })
        assert.strictEqual(contacts[1]?.firmName, "Sample Owner")
      }))
  })
}
