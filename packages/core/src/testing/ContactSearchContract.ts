/**
 * What every `ContactSearch` must do.
 *
 * `contactSearchContract` states the rules by example. `browsesContactsAsInMemory` compares an adapter with the one in
 * memory, which is the definition, over worlds and questions drawn at random.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { RoleType } from "../contact/Contact.ts"
import {
  type BrowsedContact,
  type ContactBrowse,
  type ContactFind,
  ContactSearch,
  positionOf
} from "../contact/ContactSearch.ts"
import type { Viewer } from "../coverage/Viewer.ts"
import * as ContactSearchMemory from "../memory/contact/ContactSearchMemory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as World from "./PeopleWorld.ts"
import { contact, type Seed, type Seeder, startOver } from "./Seed.ts"
import * as SeederMemory from "./SeederMemory.ts"

const everyone: ContactBrowse = {
  viewer: World.viewer,
  roleType: null,
  titleText: null,
  employerText: null,
  countyFips: null,
  revealed: null,
  firmId: null,
  market: null,
  changed: null,
  sort: "employerName",
  after: null,
  offset: 0,
  limit: 200
}

const browse = (given: Partial<ContactBrowse> = {}) =>
  Effect.gen(function*() {
    const search = yield* ContactSearch
    return yield* search.browse({ ...everyone, ...given })
  })

const numbers = (given: Partial<ContactBrowse> = {}) =>
  Effect.map(browse(given), ({ rows, total }) => {
    assert.strictEqual(total, rows.length)
    return rows.map((row) => World.numberOf(row.id))
  })

/** All rows, page after page. */
const walked = Effect.fnUntraced(function*(given: Partial<ContactBrowse>) {
  const asked: ContactBrowse = { ...everyone, ...given, offset: 0 }
  const rows: Array<BrowsedContact> = []
  for (;;) {
    const last = rows.at(-1)
    const page = yield* browse({ ...asked, after: last === undefined ? null : positionOf(asked.sort)(last) })
    rows.push(...page.rows)
    if (page.rows.length < asked.limit) return rows
  }
})

/** The world with these people alone, all at the first property. */
const peopledBy = (people: ReadonlyArray<ReturnType<typeof contact>>): Partial<Seed> => ({
  ...World.world,
  contacts: people,
  relationships: people.map(({ id }) => ({
    propertyId: World.id(1),
    contactId: id,
    role: null,
    relationshipStatus: "current",
    attributionType: "web"
  })),
  accesses: [],
  changes: []
})

const find = (given: Partial<ContactFind> & Pick<ContactFind, "text">) =>
  Effect.gen(function*() {
    const search = yield* ContactSearch
    return yield* search.find({ viewer: World.viewer, anyAccents: false, limit: 10, tooMany: 1000, ...given })
  })

const found = (text: string, anyAccents = false) =>
  Effect.map(
    find({ text, anyAccents }),
    (answer) => answer._tag === "Found" ? answer.rows.map((row) => World.numberOf(row.id)) : answer._tag
  )

/** `layer` is a store of its own. */
export const contactSearchContract = <E>(name: string, layer: Layer.Layer<ContactSearch | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`ContactSearch: ${name}`, (it) => {
    it.effect("finds by a fragment of name or employer, without regard to case, whom the viewer sees", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(yield* found("sample"), [201, 202, 206])
        assert.deepStrictEqual(yield* found("me hold"), [201, 202])
        assert.deepStrictEqual(yield* found("100%_s"), [207])
        assert.deepStrictEqual(yield* found("0%s"), "Nobody")
        assert.deepStrictEqual(yield* find({ text: "ada", limit: 1 }), {
          _tag: "Found",
          rows: [{
            id: World.id(201),
            fullName: "Ada Sample",
            title: "Asset Manager",
            employerName: "Acme Holdings",
            location: "Aldermoor, TX"
          }]
        })
      }))

    it.effect("finds two letters wherever they stand in a name or an employer, whatever follows them", () =>
      Effect.gen(function*() {
        const named = ["Ozq", "Zq Sample", "Al-Zq-Bo", "Zqé Sample", "Éva Nozqb", "Z Q Sample"]
        const people = [
          ...named.map((fullName, n) => contact({ id: World.id(221 + n), fullName })),
          contact({ id: World.id(231), fullName: "Ida Sample", employerName: "ZQ日 Holdings" }),
          contact({ id: World.id(232), fullName: "Jo Sample", employerName: "Buzq" })
        ]
        yield* startOver(peopledBy(people))
        assert.deepStrictEqual(yield* found("zq"), [221, 222, 223, 224, 225, 231, 232])
        assert.strictEqual(yield* found("qz"), "Nobody")
        assert.deepStrictEqual(yield* numbers({ employerText: "zq" }), [232, 231])
      }))

    it.effect("finds letters for those with accents, and those for letters, where that is asked", () =>
      Effect.gen(function*() {
        const named = ["Jürgen Müller", "Jo Muller", "René Françoise-Ångström", "Zoë Łódź", "Ida Weiß"]
        const people = [
          ...named.map((fullName, n) => contact({ id: World.id(221 + n), fullName })),
          contact({ id: World.id(231), fullName: "Al Sample", employerName: "SOCIÉTÉ GÉNÉRALE" }),
          // The mark stands behind its letter.
          contact({ id: World.id(232), fullName: "Bo Mu\u0308ller" })
        ]
        yield* startOver(peopledBy(people))
        assert.deepStrictEqual(yield* found("muller"), [222])
        for (const text of ["muller", "müller"]) {
          assert.deepStrictEqual(yield* found(text, true), [221, 222, 232])
        }
        assert.deepStrictEqual(yield* found("angstrom", true), [223])
        assert.deepStrictEqual(yield* found("lodz", true), [224])
        assert.deepStrictEqual(yield* found("oe l", true), [224])
        assert.deepStrictEqual(yield* found("ge", true), [221, 231])
        assert.deepStrictEqual(yield* found("societe gen", true), [231])
        // No accent, but a letter of its own.
        assert.strictEqual(yield* found("weiss", true), "Nobody")
      }))

    it.effect("says why it finds nobody: no match, only outside, too many", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.strictEqual(yield* found("elsewhere"), "Outside")
        assert.strictEqual(yield* found("nowhere"), "Nobody")
        assert.strictEqual(yield* found("retired"), "Nobody")
        assert.strictEqual((yield* find({ text: "sample", tooMany: 3 }))._tag, "TooMany")
        assert.strictEqual((yield* find({ text: "sample", tooMany: 4 }))._tag, "Found")
      }))

    it.effect("a row counts visible properties alone and tells which details exist", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        const { rows, total } = yield* browse()
        assert.strictEqual(total, 4)
        assert.deepStrictEqual(rows[0], {
          id: World.id(201),
          title: "Asset Manager",
          roleType: "asset_manager",
          seniority: "manager",
          employerName: "Acme Holdings",
          properties: 2,
          revealed: true,
          emailValidated: true,
          hasPhone: true,
          market: null
        })
        assert.deepInclude(rows[1], { id: World.id(202), revealed: true, emailValidated: false, hasPhone: false })
        assert.deepInclude(rows[2], { id: World.id(207), properties: 1, revealed: false })
        assert.deepInclude(rows[3], { id: World.id(206), properties: 3, revealed: true })
      }))

    it.effect("an email that is gone is not validated, whatever was found of it", () =>
      Effect.gen(function*() {
        yield* startOver({
          ...World.world,
          contacts: (World.world.contacts ?? []).map((each) => ({
            ...each,
            email: null,
            emailValidationStatus: "valid"
          }))
        })
        const { rows } = yield* browse()
        assert.deepStrictEqual(rows.map(({ emailValidated }) => emailValidated), [false, false, false, false])
      }))

    it.effect("browses a title and an employer in any accents, where that is asked", () =>
      Effect.gen(function*() {
        const people = [
          contact({ id: World.id(221), title: "INGÉNIEUR en chef", employerName: "Société Ordinaire" }),
          contact({ id: World.id(222), title: "Ingenieur", employerName: "SOCIETE Ordinaire" }),
          contact({ id: World.id(223), title: "Engineer", employerName: null }),
          contact({ id: World.id(224), title: null, employerName: "Societe\u0301 (sample)" })
        ]
        yield* startOver(peopledBy(people))
        assert.deepStrictEqual(yield* numbers({ titleText: "ingénieur" }), [221])
        for (const text of ["ingenieur", "ingénieur"]) {
          assert.deepStrictEqual(yield* numbers({ titleText: text, anyAccents: true }), [222, 221])
        }
        for (const text of ["societe", "société"]) {
          assert.deepStrictEqual(yield* numbers({ employerText: text, anyAccents: true }), [222, 224, 221])
        }
        const both = { titleText: "ingenieur", employerText: "société", anyAccents: true, sort: "title" } as const
        assert.deepStrictEqual(yield* numbers(both), [222, 221])
        assert.deepStrictEqual(yield* numbers({ titleText: "é", anyAccents: true }), [222, 221, 223])
      }))

    it.effect("narrows by each condition and by all together", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(yield* numbers({ roleType: "asset_manager" }), [201, 207])
        assert.deepStrictEqual(yield* numbers({ titleText: "engin" }), [202])
        assert.deepStrictEqual(yield* numbers({ employerText: "acme" }), [201, 202])
        assert.deepStrictEqual(yield* numbers({ countyFips: [World.covered] }), [202, 206])
        assert.deepStrictEqual(yield* numbers({ countyFips: [] }), [])
        assert.deepStrictEqual(yield* numbers({ revealed: false }), [207])
        assert.deepStrictEqual(yield* numbers({ revealed: true, firmId: World.id(101) }), [201, 202, 206])
        assert.deepStrictEqual(yield* numbers({ firmId: World.id(999) }), [])
        assert.deepStrictEqual(yield* numbers({ roleType: "asset_manager", revealed: false }), [207])
      }))

    it.effect("finds the few of a role, and the few who are locked, among many others, page by page", () =>
      Effect.gen(function*() {
        const many = Array.from(
          { length: 200 },
          (_, n) => contact({ id: World.id(1001 + n), roleType: "asset_manager" })
        )
        const few = [["B", "Y"], ["A", "Z"], ["C", "X"]].map(([title = "", employerName = ""], n) =>
          contact({ id: World.id(301 + n), roleType: "chief_engineer", title, employerName })
        )
        const tie = { role: null, relationshipStatus: "current", attributionType: "web" } as const
        const [covered, uncovered] = [World.id(3), World.id(1)]
        yield* startOver({
          ...peopledBy([...many, ...few]),
          relationships: [
            ...many.map(({ id }) => ({ ...tie, contactId: id, propertyId: covered })),
            ...few.map(({ id }) => ({ ...tie, contactId: id, propertyId: uncovered })),
            { ...tie, contactId: World.id(303), propertyId: World.id(2) }
          ]
        })
        const orders = [
          ["title", 302, 301, 303],
          ["employerName", 303, 301, 302],
          ["propertyCount", 303, 301, 302]
        ] as const
        const viewer = World.viewerOf("state", "county")
        for (const asked of [{ roleType: "chief_engineer" }, { revealed: false }] as const) {
          for (const [sort, ...order] of orders) {
            assert.deepStrictEqual(yield* numbers({ ...asked, sort, viewer }), order)
            const rows = yield* walked({ ...asked, sort, viewer, limit: 1 })
            assert.deepStrictEqual(rows.map(({ id }) => World.numberOf(id)), order)
          }
        }
        assert.deepStrictEqual(yield* numbers({ revealed: false, viewer: World.viewerOf("state", "country") }), [])
      }))

    it.effect("finds who changed, unless the change was withdrawn or is older", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        const kinds = ["contact_departure", "contact_title_change"]
        assert.deepStrictEqual(yield* numbers({ changed: { kinds, since: null } }), [201, 202])
        assert.deepStrictEqual(yield* numbers({ changed: { kinds, since: 1001 } }), [202])
        assert.deepStrictEqual(yield* numbers({ changed: { kinds: ["contact_title_change"], since: 1000 } }), [201])
      }))

    it.effect("orders by properties, title, employer or market, and pages", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        assert.deepStrictEqual(yield* numbers({ sort: "propertyCount" }), [206, 201, 202, 207])
        assert.deepStrictEqual(yield* numbers({ sort: "title" }), [201, 202, 206, 207])
        const page = yield* browse({ sort: "propertyCount", offset: 1, limit: 2 })
        assert.deepStrictEqual([page.total, page.rows.map((row) => World.numberOf(row.id))], [4, [201, 202]])
        const past = yield* browse({ offset: 4 })
        assert.deepStrictEqual(past, { rows: [], total: 4 })
      }))

    it.effect("goes on after a row that is gone, with rows before it that are gone, too", () =>
      Effect.gen(function*() {
        const others: ReadonlyArray<readonly [ContactBrowse["sort"], ReadonlyArray<number>]> = [
          ["propertyCount", [206, 201, 202, 207]],
          ["title", [201, 202, 206, 207]],
          ["employerName", [201, 202, 207, 206]]
        ]
        for (const [sort, order] of others) {
          yield* startOver(World.world)
          const { rows: [, last] } = yield* browse({ sort, limit: 2 })
          if (last === undefined) return assert.fail("there are two people")
          const gone = new Set(order.slice(0, 2).map(World.id))
          yield* startOver({
            ...World.world,
            contacts: (World.world.contacts ?? []).filter(({ id }) => !gone.has(id)),
            relationships: (World.world.relationships ?? []).filter(({ contactId }) => !gone.has(contactId)),
            changes: []
          })
          const { rows, total } = yield* browse({ sort, after: positionOf(sort)(last) })
          assert.deepStrictEqual([total, rows.map(({ id }) => World.numberOf(id))], [2, order.slice(2)], sort)
        }
      }))

    it.effect("marks and ranks the firm's people in a market, before any other condition", () =>
      Effect.gen(function*() {
        yield* startOver(World.world)
        const asked = { firmId: World.id(101), market: World.open, sort: "marketRank" } as const
        const marked = (given: Partial<ContactBrowse>) =>
          Effect.map(
            browse({ ...asked, ...given }),
            ({ rows }) => rows.map(({ id, market }) => [World.numberOf(id), market?.properties, market?.rank])
          )
        assert.deepStrictEqual(yield* marked({}), [[206, 2, 1], [201, 2, 2], [202, 0, 3]])
        assert.deepStrictEqual(yield* marked({ titleText: "engineer" }), [[202, 0, 3]])
        assert.deepStrictEqual(yield* marked({ market: World.outside }), [[206, 0, 1], [201, 0, 2], [202, 0, 3]])
      }))
  })
}

const Question = Schema.Struct({
  roleType: Schema.NullOr(RoleType),
  titleText: Schema.NullOr(Schema.Literals(["a", "an", "ann", "%", "_", "zoë"])),
  employerText: Schema.NullOr(Schema.Literals(["a", "an", "bob"])),
  anyAccents: Schema.Boolean,
  countyFips: World.AskedCounties,
  revealed: Schema.NullOr(Schema.Boolean),
  inFirm: Schema.NullOr(Schema.Literals([100, 101, 102, 103])),
  market: Schema.NullOr(Schema.Literals([World.open, World.covered, World.outside])),
  changedSince: Schema.NullOr(Schema.Literals([0, 500])),
  sort: Schema.Literals(["propertyCount", "title", "employerName", "marketRank"]),
  offset: Schema.Literals([0, 1, 3]),
  limit: Schema.Literals([1, 3, 200, 30_000]),
  seen: World.SeenArea,
  covered: World.CoveredArea
})

const memory = Layer.merge(ContactSearchMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))

const asked = (question: typeof Question.Type): ContactBrowse => {
  const { changedSince, countyFips, covered, inFirm, market, seen, sort, ...conditions } = question
  const viewer = World.viewerOf(seen, covered)
  const inMarket = inFirm === null ? null : market
  return {
    ...conditions,
    after: null,
    viewer,
    countyFips: World.askedOf(countyFips, viewer),
    firmId: inFirm === null ? null : World.id(inFirm),
    market: inMarket,
    changed: changedSince === null ? null : { kinds: ["contact_departure"], since: changedSince },
    sort: sort === "marketRank" && inMarket === null ? "title" : sort
  }
}

/** Sees a state as a whole. */
const ofState: Viewer = { ...World.viewer, visible: { nationwide: false, stateFips: ["48"], countyFips: [] } }

/** `layer` is a store of its own. */
export const browsesContactsAsInMemory = <E>(
  name: string,
  layer: Layer.Layer<ContactSearch | Seeder, E>,
  options: { readonly runs: number }
): void => {
  withLayer(layer, { excludeTestServices: true })(`ContactSearch: ${name}`, (it) => {
    it.effect.prop(
      "answers what the adapter in memory answers",
      { drawn: World.DrawnWorld, questions: Schema.Array(Question).check(Schema.isMaxLength(12)) },
      ({ drawn, questions }) =>
        Effect.gen(function*() {
          const model = yield* Layer.build(Layer.fresh(memory))
          const seed = World.seedOf(drawn)
          yield* startOver(seed)
          yield* startOver(seed).pipe(Effect.provideContext(model))
          for (const [n, question] of questions.entries()) {
            const answer = browse(asked(question))
            assert.deepStrictEqual(yield* answer, yield* Effect.provideContext(answer, model))
            for (const anyAccents of [false, true]) {
              const text = question.titleText ?? "zoe"
              const finding = find({ text, anyAccents, limit: question.limit, tooMany: 4 })
              assert.deepStrictEqual(yield* finding, yield* Effect.provideContext(finding, model))
            }
            // By a title alone they are counted, and listed title by title where most of them are seen.
            for (const viewer of [asked(question).viewer, ofState]) {
              const ofTitle = {
                viewer,
                titleText: question.titleText ?? "a",
                countyFips: World.askedOf(question.countyFips, viewer),
                sort: question.sort === "marketRank" ? "title" as const : question.sort
              }
              const titled = browse({ ...ofTitle, offset: question.offset, limit: question.limit })
              assert.deepStrictEqual(yield* titled, yield* Effect.provideContext(titled, model))
              assert.deepStrictEqual(yield* walked({ ...ofTitle, limit: 2 }), (yield* browse(ofTitle)).rows)
            }
            // Who is open, and who is not, is counted by the reach of all of them.
            for (const revealed of [true, false]) {
              const { countyFips, roleType, sort, viewer } = asked(question)
              const opened = {
                viewer,
                countyFips,
                roleType,
                sort: sort === "marketRank" ? "title" as const : sort,
                revealed
              }
              const page = browse(opened)
              assert.deepStrictEqual(yield* page, yield* Effect.provideContext(page, model))
              assert.deepStrictEqual(yield* walked({ ...opened, limit: 2 }), (yield* page).rows)
            }
            if (n > 0) continue
            const whole = yield* browse({ ...asked(question), offset: 0, limit: 200 })
            assert.deepStrictEqual(yield* walked({ ...asked(question), limit: 2 }), whole.rows)
          }
        }),
      { timeout: 120_000, arbitrary: { runs: options.runs } }
    )
  })
}
