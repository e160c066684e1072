/** What every `BundleSource` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { BundleSource } from "../lead/BundleSource.ts"
import { Properties } from "../property/Properties.ts"
import { id, orgId, otherOrgId, owner, sample } from "./SampleSeed.ts"
import { freshLead, type Seeder, startOver } from "./Seed.ts"

const byId = (n: number) => ({ _tag: "Id", id: id(n) } as const)

/** `layer` is a store of its own. */
export const bundleSourceContract = <E>(
  name: string,
  layer: Layer.Layer<BundleSource | Properties | Seeder, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`BundleSource: ${name}`, (it) => {
    const seeded = Effect.gen(function*() {
      yield* startOver(sample)
      return yield* BundleSource
    })

    it.effect("property and contacts are those of the property's own page", () =>
      Effect.gen(function*() {
        const source = yield* seeded
        const properties = yield* Properties
        const { contacts, property } = Option.getOrThrow(yield* source.read(byId(1), orgId))
        assert.deepStrictEqual(Option.some({ contacts, property }), yield* properties.readWithContacts(byId(1), orgId))
        assert.deepStrictEqual(
          yield* source.read({ _tag: "Key", key: "48001-RICH" }, orgId),
          yield* source.read(byId(1), orgId)
        )
        assert.isTrue(Option.isNone(yield* source.read(byId(999), orgId)))
      }))

    it.effect("firms come owners first, each with its tie to the property", () =>
      Effect.gen(function*() {
        const source = yield* seeded
        const { firms } = Option.getOrThrow(yield* source.read(byId(1), orgId))
        assert.deepStrictEqual(firms.map((firm) => [firm.id, firm.role, firm.attributionType]), [
          [id(101), "owner", "web"],
          [id(102), "owner", "county_record"],
          [id(101), "property_manager", "management_research"]
        ])
        const { crunchbaseUrl: _, facebookUrl: __, twitterUrl: ___, ...shown } = owner
        assert.deepStrictEqual(firms[1], { ...shown, role: "owner", attributionType: "county_record" })
      }))

    it.effect("what the organization keeps comes newest first, at most 50 notes, and of tasks the open ones first", () =>
      Effect.gen(function*() {
        const source = yield* seeded
        const facts = Option.getOrThrow(yield* source.read(byId(1), orgId))
        const [newest] = facts.notes
        assert.deepStrictEqual(newest, {
          id: id(1051),
          content: "Note 51",
          author: "Sample Member",
          createdAt: "2026-01-01T00:00:51.000Z"
        })
        assert.deepStrictEqual(
          facts.notes.map((note) => note.id),
          Array.from({ length: 50 }, (_, index) => id(1051 - index))
        )
        assert.deepStrictEqual(facts.tasks.map((task) => task.id), [id(302), id(301), id(303)])
        assert.deepStrictEqual(facts.tasks[0], {
          id: id(302),
          title: "Call",
          description: null,
          type: "call",
          status: "open",
          dueAt: "2026-02-01T00:00:00.000Z",
          assigneeName: null,
          createdAt: "2026-01-02T00:00:00.000Z",
          completedAt: null
        })
        assert.deepStrictEqual(facts.lead, {
          ...freshLead,
          propertyId: id(1),
          status: "qualified",
          dealValue: 1234.5,
          qualifiedAt: "2026-01-04T00:00:00.000Z",
          qualifiedBy: { kind: "member", id: "m-1", name: "Sample Member" },
          statusChangedAt: "2026-01-05T00:00:00.000Z",
          version: 3
        })
        assert.strictEqual(facts.customerAccountStatus, "churned")
      }))

    it.effect("another organization sees none of that", () =>
      Effect.gen(function*() {
        const source = yield* seeded
        const facts = Option.getOrThrow(yield* source.read(byId(1), otherOrgId))
        const { customerAccountStatus, lead, notes, tasks } = facts
        assert.deepStrictEqual({ customerAccountStatus, lead, notes, tasks }, {
          customerAccountStatus: null,
          lead: null,
          notes: [],
          tasks: []
        })
      }))
  })
}
