/**
 * What every `OwnerMatches` must do: owners are kept by name, what was decided stays, and a match takes back only what it tied.
 *
 * All data is made up.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Exit, type Layer, Option } from "effect"
import * as OwnerMatcher from "../firm/OwnerMatcher.ts"
import { type KeptOwner, type MatchState, OwnerMatches } from "../firm/OwnerMatches.ts"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import { oneAtATime } from "./OneAtATime.ts"
import { contact, firm, property, type Seed, type Seeder, startOver } from "./Seed.ts"

const [here, there] = ["53901", "53902"]
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const owned = (n: number, countyFips: string, recordOwner: string | null) =>
  property({ id: id(n), countyFips, recordOwner })

const kept = (name: string, more: Partial<KeptOwner> = {}): KeptOwner => ({
  name,
  key: name,
  blocks: [`words ${name}`],
  properties: 1,
  mailing: [],
  agents: [],
  isFounding: false,
  isCut: false,
  ...more
})

const form = (n: number, name: string) => ({ firmId: id(n), name, key: name, blocks: [`words ${name}`] })

const listed = (state: MatchState, more: { readonly after?: string; readonly limit?: number } = {}) =>
  OwnerMatches.use((matches) => matches.list({ state, countyFips: null, after: null, limit: 100, ...more }))

const run = Effect.gen(function*() {
  const matcher = yield* OwnerMatcher.make
  return yield* matcher.run({ all: true, only: null })
})

/** Owners of which one is a firm by its name, one may be it, and one is somebody else. */
const scene: Partial<Seed> = {
  properties: [
    owned(1, here, "MADEUP HARBOR HOLDINGS LLC"),
    owned(2, here, "Madeup Harbor Holdings LLC"),
    owned(3, here, "MADEUP HARBRO HOLDINGS LLC"),
    owned(4, here, "NONESUCH REALTY LLC"),
    owned(5, there, "NONESUCH RLTY, L.L.C."),
    owned(6, here, "PERSON, MADE UP"),
    owned(7, here, null)
  ],
  firms: [firm({ id: id(101), name: "Madeup Harbor Holdings, LLC" })],
  propertyFirms: [{ propertyId: id(1), firmId: id(101), role: "owner", attributionType: "operator" }]
}

/** Ties the first owner of the county to the firm by a match, whose id is answered. */
const tied = Effect.fnUntraced(function*(countyFips: string, name: string, n: number) {
  const matches = yield* OwnerMatches
  yield* matches.keepOwners(countyFips, [kept(name)])
  const [owner] = yield* matches.undecided(countyFips, null, 1)
  const ownerId = owner?.ownerId ?? ""
  yield* matches.keepMatches([ownerId], [
    { ownerId, firmId: id(n), confidence: 0.97, evidence: ["same_name"], state: "tied" }
  ])
  return (yield* listed("tied")).find(({ owner }) => owner.name === name)?.id ?? ""
})

const merged = (from: number, into: number) =>
  PropertyMerges.use(({ merge }) => merge({ from: id(from), into: id(into), dryRun: false }))

const rejected = (match: string) =>
  OwnerMatches.use(({ decide }) =>
    Effect.map(decide(match, "rejected"), (decided) => Option.getOrThrow(decided).settled)
  )

/** `layer` is a store of its own. */
export const ownerMatchesContract = <E>(
  name: string,
  layer: Layer.Layer<OwnerMatches | PropertyMerges | Seeder, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`OwnerMatches: ${name}`, (it) => {
    it.effect("names of a county come in their order, page by page, with where they get mail and who is their agent", () =>
      Effect.gen(function*() {
        const mailing = { line1: "1 Nonesuch Street", city: null, state: null, zip: "98101" }
        yield* startOver({
          properties: [
            { ...owned(1, here, "Sample B LLC"), ownerMailingAddress: mailing },
            { ...owned(2, here, "SAMPLE B LLC"), ownerMailingAddress: mailing },
            owned(3, here, "SAMPLE A LLC"),
            owned(4, there, "SAMPLE C LLC"),
            { ...owned(5, here, "SAMPLE D LLC"), retiredInto: id(1) },
            owned(6, here, null)
          ],
          contacts: [contact({ id: id(201), fullName: "Made-Up Agents, Inc." })],
          relationships: [{
            propertyId: id(2),
            contactId: id(201),
            role: "registered_agent",
            relationshipStatus: "current",
            attributionType: "web"
          }]
        })
        const matches = yield* OwnerMatches
        const [first, ...none] = yield* matches.names(here, null, 1)
        assert.deepStrictEqual(none, [])
        assert.deepInclude(first, { name: "SAMPLE A LLC", properties: 1, mailing: [], agents: [] })
        const [second, ...more] = yield* matches.names(here, first?.folded ?? null, 9)
        assert.deepStrictEqual(more, [])
        assert.containSubset(second, { name: "SAMPLE B LLC", properties: 2, agents: ["Made-Up Agents, Inc."] })
        assert.deepStrictEqual(second?.mailing, [mailing])
      }))

    it.effect("a source that cuts names off has many of its greatest length", () =>
      Effect.gen(function*() {
        const matches = yield* OwnerMatches
        const cut = ["SAMPLE HARBOR HOLDIN", "NONESUCH REALTY COMP", "MADEUP DEVELOPMENT C"]
        yield* startOver({
          properties: [
            ...cut.map((name, n) => owned(n + 1, here, name)),
            ...cut.slice(1).map((name, n) => owned(n + 11, there, name)),
            owned(21, there, "SHORT")
          ]
        })
        assert.deepStrictEqual(yield* matches.cutAt(here), Option.some(20))
        assert.deepStrictEqual(yield* matches.cutAt(there), Option.none())
        assert.deepStrictEqual(yield* matches.cutAt("53903"), Option.none())
      }))

    it.effect("counties are stale until they are matched, and again when a firm comes that an owner of theirs may be", () =>
      Effect.gen(function*() {
        yield* startOver({ properties: [owned(1, here, "A"), owned(2, there, "B")], firms: [firm({ id: id(101) })] })
        const matches = yield* OwnerMatches
        const stale = (all = false, only: ReadonlyArray<string> | null = null) =>
          Effect.map(matches.counties({ all, only }), (counties) => counties.map(({ countyFips }) => countyFips))
        assert.deepStrictEqual(yield* stale(), [here, there])
        for (const county of yield* matches.counties({ all: false, only: null })) yield* matches.matched(county)
        assert.deepStrictEqual(yield* stale(), [])
        assert.deepStrictEqual(yield* stale(true), [here, there])
        assert.deepStrictEqual(yield* stale(true, [there]), [there])
        yield* matches.keepOwners(there, [kept("SAMPLE")])
        assert.deepStrictEqual((yield* matches.renamedFirms(9)).map(({ firmId }) => firmId), [id(101)])
        yield* matches.keepFirms([form(101, "OTHER")])
        assert.deepStrictEqual(yield* stale(), [])
        yield* matches.keepFirms([{ ...form(101, "SAMPLE"), name: `Sample Firm ${id(101)}` }])
        assert.deepStrictEqual(yield* stale(), [there])
        assert.deepStrictEqual(yield* matches.renamedFirms(9), [])
      }))

    it.effect("an owner is undecided until it is tied; what is not found again is proposed no more", () =>
      Effect.gen(function*() {
        yield* startOver({
          properties: [owned(1, here, "ONE"), owned(2, here, "TWO"), owned(3, there, "ELSEWHERE")],
          firms: [firm({ id: id(101) }), firm({ id: id(102) })],
          propertyFirms: [{ propertyId: id(3), firmId: id(101), role: "owner", attributionType: "operator" }]
        })
        const matches = yield* OwnerMatches
        yield* matches.keepOwners(here, [kept("ONE"), kept("TWO"), kept("GONE", { properties: 0 })])
        yield* matches.keepOwners(here, [kept("one", { key: "ONE", blocks: ["words ONE"], agents: ["AGENT"] })])
        yield* matches.keepFirms([form(101, "ONE"), form(102, "ONE")])
        const undecided = matches.undecided(here, null, 9)
        const [one, two, ...more] = yield* undecided
        assert.deepStrictEqual(more, [])
        assert.deepInclude(one, { countyFips: here, agents: ["AGENT"] })
        assert.deepStrictEqual(one?.firms.map(({ firmId }) => firmId).toSorted(), [id(101), id(102)])
        assert.deepInclude(one?.firms.find(({ firmId }) => firmId === id(101)), { counties: [there] })
        assert.deepStrictEqual(two?.firms, [])
        const first = one?.ownerId ?? ""
        assert.deepStrictEqual(
          (yield* matches.undecided(here, first, 9)).map(({ ownerId }) => ownerId),
          [two?.ownerId]
        )

        const found = (n: number, confidence: number, state: "tied" | "proposed" = "proposed") => ({
          ownerId: first,
          firmId: id(n),
          confidence,
          evidence: ["same_name" as const],
          state
        })
        assert.strictEqual(yield* matches.keepMatches([first], [found(101, 0.8), found(102, 0.9)]), 2)
        assert.strictEqual(yield* matches.keepMatches([first], [found(101, 0.85), found(102, 0.9)]), 0)
        const [surest, other] = yield* listed("proposed")
        assert.deepStrictEqual([surest?.firm.id, other?.firm.id], [id(102), id(101)])
        assert.deepInclude(other, { confidence: 0.85, evidence: ["same_name"] })
        assert.deepStrictEqual(
          yield* listed("proposed", { after: surest?.id ?? "" }),
          other === undefined ? [] : [other]
        )
        assert.deepStrictEqual((yield* listed("proposed", { limit: 1 })).map((match) => match.id), [surest?.id])
        assert.strictEqual(yield* matches.keepMatches([first], [found(101, 0.97, "tied")]), 0)
        assert.deepStrictEqual(yield* listed("proposed"), [])
        assert.deepStrictEqual((yield* undecided).map(({ ownerId }) => ownerId), [two?.ownerId])
      }))

    it.effect("a whole matching ties, proposes and makes firms over counties; again, it does nothing", () =>
      Effect.gen(function*() {
        yield* startOver(scene)
        const counts = yield* run
        // The first was tied by the operator already.
        assert.deepInclude(counts, { counties: 2, names: 5, owners: 4, proposed: 1, firms: 1, tied: 3, untied: 0 })
        const tied = yield* listed("tied")
        assert.sameDeepMembers(tied.map(({ evidence, firm, owner }) => [owner.countyFips, firm.key, evidence[0]]), [
          [here, id(101), "same_name"],
          [here, "owner:53:NONESUCH REALTY LLC", "founds_firm"],
          [there, "owner:53:NONESUCH REALTY LLC", "founds_firm"]
        ])
        assert.isFalse([...tied, ...yield* listed("proposed")].some(({ owner }) => owner.name.includes("PERSON")))
        assert.deepInclude(yield* run, { proposed: 0, firms: 0, tied: 0, untied: 0 })
      }))

    it.effect("a matching that was stopped after a county goes on with the others, to the same end", () =>
      Effect.gen(function*() {
        const matches = yield* OwnerMatches
        const told = Effect.map(
          listed("tied"),
          (all) => all.map(({ firm, owner }) => `${owner.countyFips} ${owner.name} ${firm.key}`).toSorted()
        )
        yield* startOver(scene)
        yield* run
        const undisturbed = yield* told
        yield* startOver(scene)
        const matcher = yield* OwnerMatcher.make
        const stopped = yield* Effect.exit(
          matcher.run({ all: true, only: null, onProgress: () => Effect.interrupt })
        )
        assert.isTrue(Exit.hasInterrupts(stopped))
        const left = yield* matches.counties({ all: false, only: null })
        assert.deepStrictEqual(left.map(({ countyFips }) => countyFips), [there])
        assert.deepInclude(yield* matcher.run({ all: false, only: null }), { firms: 1, tied: 2, proposed: 0 })
        assert.deepStrictEqual(yield* told, undisturbed)
      }))

    it.effect("a dry run tells the same, and leaves nothing", () =>
      Effect.gen(function*() {
        yield* startOver(scene)
        const matches = yield* OwnerMatches
        const told = yield* matches.undone(run)
        assert.deepStrictEqual(yield* listed("tied"), [])
        assert.strictEqual((yield* matches.renamedFirms(9)).length, 1)
        assert.deepStrictEqual(yield* run, told)
      }))

    it.effect("what is accepted is tied, what is rejected is untied and never comes back, and an import's tie stays", () =>
      Effect.gen(function*() {
        yield* startOver(scene)
        const matches = yield* OwnerMatches
        yield* run
        const [proposed] = yield* listed("proposed")
        const decide = (match: string, state: "accepted" | "rejected") =>
          Effect.map(matches.decide(match, state), Option.getOrThrow)
        const accepted = yield* decide(proposed?.id ?? "", "accepted")
        assert.deepStrictEqual(accepted.settled, { tied: 1, untied: 0 })
        assert.deepStrictEqual(accepted.match, { ...proposed, state: "accepted" })
        assert.deepStrictEqual((yield* decide(proposed?.id ?? "", "rejected")).settled, { tied: 0, untied: 1 })
        const own = (yield* listed("tied")).find(({ firm }) => firm.id === id(101))
        assert.deepStrictEqual((yield* decide(own?.id ?? "", "rejected")).settled, { tied: 0, untied: 1 })
        const again = yield* run
        assert.deepInclude(again, { proposed: 0, untied: 0 })
        assert.sameMembers((yield* listed("rejected")).map((match) => match.id), [proposed?.id, own?.id])
        assert.deepStrictEqual(yield* matches.decide("999999999", "accepted"), Option.none())
      }))

    it.effect("what was tied of a record that went into another one is taken back from that one", () =>
      Effect.gen(function*() {
        const matches = yield* OwnerMatches
        const scene = {
          properties: [owned(1, here, "SAMPLE A LLC"), owned(2, here, "SAMPLE B LLC")],
          firms: [firm({ id: id(101) })]
        }
        yield* startOver(scene)
        const match = yield* tied(here, "SAMPLE A LLC", 101)
        yield* matches.settle(here)
        yield* merged(1, 2)
        assert.deepStrictEqual(yield* rejected(match), { tied: 0, untied: 1 })

        yield* startOver(scene)
        yield* tied(here, "SAMPLE A LLC", 101)
        yield* matches.settle(here)
        yield* merged(1, 2)
        assert.deepStrictEqual(yield* matches.settle(here), { tied: 0, untied: 1 })
      }))

    it.effect("what an import tied stays, whichever record of a merge had it", () =>
      Effect.forEach([1, 2], (n) =>
        Effect.gen(function*() {
          const matches = yield* OwnerMatches
          yield* startOver({
            properties: [owned(1, here, "SAMPLE A LLC"), owned(2, here, "SAMPLE A LLC")],
            firms: [firm({ id: id(101) })],
            propertyFirms: [{ propertyId: id(n), firmId: id(101), role: "owner", attributionType: "operator" }]
          })
          const match = yield* tied(here, "SAMPLE A LLC", 101)
          assert.deepStrictEqual(yield* matches.settle(here), { tied: 1, untied: 0 })
          yield* merged(1, 2)
          assert.deepStrictEqual(yield* rejected(match), { tied: 0, untied: 0 })
        })))

    it.effect("a tie stays where the owner of record is another one, whom a match says to be the same firm", () =>
      Effect.gen(function*() {
        const matches = yield* OwnerMatches
        yield* startOver({
          properties: [owned(1, here, "SAMPLE A LLC"), owned(2, there, "SAMPLE A, L.L.C.")],
          firms: [firm({ id: id(101) })]
        })
        yield* tied(here, "SAMPLE A LLC", 101)
        yield* matches.settle(here)
        yield* merged(1, 2)
        const match = yield* tied(there, "SAMPLE A, L.L.C.", 101)
        const nothing = { tied: 0, untied: 0 }
        assert.deepStrictEqual([yield* matches.settle(there), yield* matches.settle(here)], [nothing, nothing])
        assert.deepStrictEqual(yield* rejected(match), { tied: 0, untied: 1 })
      }))

    it.effect("one matches at a time", () => OwnerMatches.use(({ alone }) => oneAtATime(alone)))
  })
}
