/**
 * What every `Firms` must do: above all, not to tell what research alone knows of a locked property.
 *
 * `firmsContract` states the rules by example. `browsesFirmsAsInMemory` compares an adapter with the one in memory, which
 * is the definition, over worlds and questions drawn at random.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import type { Viewer } from "../coverage/Viewer.ts"
import { FirmRole } from "../firm/Firm.ts"
import { type FirmBrowse, Firms, type FirmSummary, type FirmTie, positionOf, type TiePage } from "../firm/Firms.ts"
import * as FirmsMemory from "../memory/firm/FirmsMemory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as World from "./PeopleWorld.ts"
import { firm, type Seeder, startOver } from "./Seed.ts"
import * as SeederMemory from "./SeederMemory.ts"

const all: FirmBrowse = {
  viewer: World.viewer,
  role: null,
  countyFips: null,
  text: null,
  anyAccents: false,
  minProperties: 0,
  sort: "name",
  after: null,
  offset: 0,
  limit: 200
}

const browse = (given: Partial<FirmBrowse> = {}) =>
  Effect.gen(function*() {
    const firms = yield* Firms
    return yield* firms.browse({ ...all, ...given })
  })

const numbers = (given: Partial<FirmBrowse> = {}) =>
  Effect.map(browse(given), ({ rows, total }) => {
    assert.strictEqual(total, rows.length)
    return rows.map((row) => World.numberOf(row.id))
  })

const read = (firmId: number, viewer = World.viewer) =>
  Effect.gen(function*() {
    const firms = yield* Firms
    return yield* firms.read(World.id(firmId), viewer)
  })

/** All rows, page after page. */
const walked = Effect.fnUntraced(function*(given: Partial<FirmBrowse>) {
  const asked: FirmBrowse = { ...all, ...given, offset: 0 }
  const rows: Array<FirmSummary> = []
  for (;;) {
    const last = rows.at(-1)
    const page = yield* browse({ ...asked, after: last === undefined ? null : positionOf(asked.sort)(last) })
    rows.push(...page.rows)
    if (page.rows.length < asked.limit) return rows
  }
})

/** Those of the first firms, by their numbers, that the viewer sees. */
const seenFirms = (viewer = World.viewer) =>
  Effect.gen(function*() {
    const firms = yield* Firms
    const found = yield* firms.seen([100, 101, 102, 103, 104, 105, 999].map(World.id), viewer)
    return found.map(World.numberOf).toSorted((left, right) => left - right)
  })

const ties = (firmId: number, viewer = World.viewer, page: TiePage = { after: null, limit: 200 }) =>
  Effect.gen(function*() {
    const firms = yield* Firms
    return yield* firms.ties(World.id(firmId), viewer, page)
  })

/** All ties, page after page. */
const tiesWalked = Effect.fnUntraced(function*(firmId: number, viewer: Viewer, limit: number) {
  const found: Array<FirmTie> = []
  for (;;) {
    const page = yield* ties(firmId, viewer, { after: found.at(-1) ?? null, limit })
    if (Option.isNone(page)) return null
    found.push(...page.value.ties)
    if (page.value.ties.length < limit) return found
  }
})

/** `layer` is a store of its own. */
export const firmsContract = <E>(name: string, layer: Layer.Layer<Firms | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Firms: ${name}`, (it) => {
    it.effect("browses firms with a tie in the area that may be told", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(yield* browse(), {
          total: 3,
          rows: [
            {
              id: World.id(101),
              name: "Acme Holdings",
              domain: "acme.example",
              roles: ["owner", "property_manager", "operator"],
              properties: 2,
              researched: true
            },
            {
              id: World.id(105),
              name: "acme tenants",
              domain: null,
              roles: ["tenant"],
              properties: 1,
              researched: false
            },
            {
              id: World.id(102),
              name: "Birch Management",
              domain: null,
              roles: ["property_manager"],
              properties: 1,
              researched: true
            }
          ]
        })
      }))

    it.effect("narrows by role and county together, name and number, and pages", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(yield* numbers({ role: "property_manager" }), [101, 102])
        assert.deepStrictEqual(yield* numbers({ role: "property_manager", countyFips: [World.covered] }), [102])
        assert.deepStrictEqual(yield* numbers({ role: "owner", countyFips: [World.covered] }), [])
        assert.deepStrictEqual(yield* numbers({ countyFips: [] }), [])
        assert.deepStrictEqual(yield* numbers({ text: "acme" }), [101, 105])
        assert.deepStrictEqual(yield* numbers({ text: "cedar" }), [])
        assert.deepStrictEqual(yield* numbers({ minProperties: 2 }), [101])
        assert.deepStrictEqual(yield* numbers({ sort: "propertyCount" }), [101, 102, 105])
        const page = yield* browse({ offset: 1, limit: 1 })
        assert.deepStrictEqual([page.total, page.rows.map((row) => World.numberOf(row.id))], [3, [105]])
        assert.deepStrictEqual(yield* browse({ offset: 3 }), { rows: [], total: 3 })
      }))

    it.effect("finds the few of a role among many others, by name and by number, page by page", () =>
      Effect.gen(function*() {
        const many = Array.from({ length: 200 }, (_, n) => World.id(1001 + n))
        const few = [World.id(302), World.id(301), World.id(303)]
        yield* startOver({
          ...World.world,
          contacts: [],
          relationships: [],
          accesses: [],
          changes: [],
          firms: [...many, ...few].map((id) => firm({ id, name: `Firm ${id === World.id(302) ? "-" : id}` })),
          propertyFirms: [
            ...many.map((firmId) => ({ firmId, role: "owner" as const, propertyId: World.id(1) })),
            ...few.map((firmId) => ({ firmId, role: "tenant" as const, propertyId: World.id(1) })),
            { firmId: World.id(303), role: "tenant" as const, propertyId: World.id(2) }
          ].map((tie) => ({ ...tie, attributionType: "county_record" }))
        })
        const asked = { role: "tenant", viewer: World.viewerOf("state", "nothing") } as const
        for (const [sort, ...order] of [["name", 302, 301, 303], ["propertyCount", 303, 301, 302]] as const) {
          assert.deepStrictEqual(yield* numbers({ ...asked, sort }), order)
          assert.deepStrictEqual(yield* numbers({ ...asked, sort, text: "firm" }), order)
          const rows = yield* walked({ ...asked, sort, limit: 1 })
          assert.deepStrictEqual(rows.map(({ id }) => World.numberOf(id)), order)
        }
      }))

    it.effect("counts firms that research alone knows of, where a subscription covers the country", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        const viewer = World.viewerOf("country", "country")
        assert.deepStrictEqual(yield* numbers({ viewer }), [101, 105, 102, 103])
        assert.deepStrictEqual(yield* numbers({ viewer, sort: "propertyCount" }), [102, 101, 103, 105])
        assert.deepStrictEqual(yield* numbers({ viewer, text: "cedar" }), [103])
      }))

    it.effect("goes on after a firm that is gone, with firms before it that are gone, too", () =>
      Effect.gen(function*() {
        for (const [sort, order] of [["name", [101, 105, 102]], ["propertyCount", [101, 102, 105]]] as const) {
          yield* startOver(World.world)
          const { rows: [, last] } = yield* browse({ sort, limit: 2 })
          if (last === undefined) return assert.fail("there are two firms")
          const gone = new Set(order.slice(0, 2).map(World.id))
          yield* startOver({
            ...World.world,
            propertyFirms: (World.world.propertyFirms ?? []).filter(({ firmId }) => !gone.has(firmId))
          })
          const { rows, total } = yield* browse({ sort, after: positionOf(sort)(last) })
          assert.deepStrictEqual([total, rows.map(({ id }) => World.numberOf(id))], [1, order.slice(2)], sort)
        }
      }))

    it.effect("reads a firm by what is in the area", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(Option.getOrNull(yield* read(101)), {
          firm: {
            id: World.id(101),
            name: "Acme Holdings",
            domain: "acme.example",
            linkedinUrl: "https://example.com/acme",
            twitterUrl: null,
            facebookUrl: null,
            crunchbaseUrl: "https://example.com/acme-funds"
          },
          roles: ["owner", "property_manager", "operator"],
          properties: 2,
          researchedProperties: 2,
          revealedProperties: 1,
          first: [
            { propertyId: World.id(1), address: "1 Oak", city: "Aldermoor", state: "TX", role: "owner" },
            { propertyId: World.id(2), address: "1 Oak", city: "Aldermoor", state: "TX", role: "property_manager" }
          ],
          people: [
            { roleType: "asset_manager", count: 1 },
            { roleType: "chief_engineer", count: 1 },
            { roleType: null, count: 1 }
          ]
        })
        for (const hidden of [103, 104, 999]) assert.isTrue(Option.isNone(yield* read(hidden)))
      }))

    it.effect("tells the ties of research only where it is revealed, also outside the area", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        const told = (n: number) =>
          Effect.map(ties(n), (found) =>
            Option.getOrNull(
              Option.map(
                found,
                (firm) => firm.ties.map((tie) => [World.numberOf(tie.propertyId), tie.countyFips, tie.role])
              )
            ))
        assert.deepStrictEqual(yield* told(101), [
          [1, World.open, "owner"],
          [1, World.open, "operator"],
          [2, World.open, "property_manager"],
          [4, World.outside, "owner"]
        ])
        assert.deepStrictEqual(yield* told(102), [
          [3, World.covered, "property_manager"],
          [7, World.outside, "property_manager"]
        ])
        for (const hidden of [103, 104, 999]) assert.isNull(yield* told(hidden))
        for (const limit of [1, 2, 3]) {
          const pages = yield* tiesWalked(101, World.viewer, limit)
          assert.deepStrictEqual(pages?.map(({ propertyId, role }) => [World.numberOf(propertyId), role]), [
            [1, "owner"],
            [1, "operator"],
            [2, "property_manager"],
            [4, "owner"]
          ])
        }
        const inside = { countyFips: World.open, attributionType: "web", role: "tenant" } as const
        const gone = yield* ties(101, World.viewer, { after: { ...inside, propertyId: World.id(3) }, limit: 9 })
        assert.deepStrictEqual(Option.getOrThrow(gone).ties.map(({ propertyId }) => World.numberOf(propertyId)), [4])
        // Nothing of a firm is told where nothing of it lies in the area.
        const elsewhere = { ...World.viewer, visible: { nationwide: false, stateFips: [], countyFips: ["48999"] } }
        assert.isTrue(Option.isNone(yield* ties(101, elsewhere)))
        assert.deepStrictEqual(yield* seenFirms(), [101, 102, 105])
        assert.deepStrictEqual(yield* seenFirms(elsewhere), [])
      }))
  })
}

const Question = Schema.Struct({
  role: Schema.NullOr(FirmRole),
  countyFips: World.AskedCounties,
  text: Schema.NullOr(Schema.Literals(["a", "an", "ann", "%", "_", "zoë", "zoe"])),
  anyAccents: Schema.Boolean,
  minProperties: Schema.Literals([0, 1, 2]),
  sort: Schema.Literals(["propertyCount", "name"]),
  offset: Schema.Literals([0, 1]),
  limit: Schema.Literals([1, 200, 30_000]),
  seen: World.SeenArea,
  covered: World.CoveredArea
})

const memory = Layer.merge(FirmsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))

/** `layer` is a store of its own. */
export const browsesFirmsAsInMemory = <E>(
  name: string,
  layer: Layer.Layer<Firms | Seeder, E>,
  options: { readonly runs: number }
): void => {
  withLayer(layer, { excludeTestServices: true })(`Firms: ${name}`, (it) => {
    it.effect.prop(
      "answers what the adapter in memory answers",
      { drawn: World.DrawnWorld, questions: Schema.Array(Question).check(Schema.isMaxLength(8)) },
      ({ drawn, questions }) =>
        Effect.gen(function*() {
          const model = yield* Layer.build(Layer.fresh(memory))
          const seed = World.seedOf(drawn)
          yield* startOver(seed)
          yield* startOver(seed).pipe(Effect.provideContext(model))
          for (const [n, { covered, seen, ...drawnQuestion }] of questions.entries()) {
            const viewer = World.viewerOf(seen, covered)
            const question = { ...drawnQuestion, countyFips: World.askedOf(drawnQuestion.countyFips, viewer) }
            const answers = Effect.gen(function*() {
              const page = yield* browse({ ...question, viewer })
              const details = yield* Effect.forEach([100, 101, 102, 103], (n) =>
                Effect.all([read(n, viewer), ties(n, viewer)]))
              return { page, details, seen: yield* seenFirms(viewer) }
            })
            const answer = yield* answers
            assert.deepStrictEqual(answer, yield* Effect.provideContext(answers, model))
            if (n > 0) {
              continue
            }
            const whole = yield* browse({ ...question, viewer, offset: 0, limit: 200 })
            assert.deepStrictEqual(yield* walked({ ...question, viewer, limit: 2 }), whole.rows)
            const first = Option.getOrNull(answer.details[0]?.[1] ?? Option.none())
            assert.deepStrictEqual(yield* tiesWalked(100, viewer, 2), first === null ? null : first.ties)
          }
        }),
      { timeout: 120_000, arbitrary: { runs: options.runs } }
    )
  })
}
