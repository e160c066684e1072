/**
 * What every `PlaceMatches` must do: records of two sources are compared, none is merged by itself, and what was decided stays.
 *
 * All data is made up.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import * as PlaceMatcher from "../property/PlaceMatcher.ts"
import { type FoundPair, PlaceMatches } from "../property/PlaceMatches.ts"
import { type Merged, MergeRefused, nothingMoved } from "../property/PropertyMerges.ts"
import { oneAtATime } from "./OneAtATime.ts"
import { property, type Seeder, type SeedProperty, startOver } from "./Seed.ts"

const [here, there] = ["53901", "53902"]
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const record = (n: number, key: string, more: Partial<SeedProperty> = {}) =>
  property({ id: id(n), key, countyFips: here, ...more })

const pair = (one: number, other: number, confidence = 0.9): FoundPair => ({
  oneId: id(one),
  otherId: id(other),
  confidence,
  evidence: ["same_address"]
})

const listed = (
  state: "proposed" | "accepted" | "rejected",
  more: { readonly after?: string; readonly limit?: number } = {}
) => PlaceMatches.use((matches) => matches.list({ state, countyFips: null, after: null, limit: 100, ...more }))

const run = Effect.gen(function*() {
  const matcher = yield* PlaceMatcher.make
  return yield* matcher.run({ all: true, only: null })
})

/** Two records of one place, and two of an assessor that have one address. */
const scene = {
  properties: [
    record(1, "energy:1", { address: "1110 Third Avenue", zip: "98101", commonName: "Nonesuch Building" }),
    record(2, "assessor:1", { address: "1110 3RD AVE", zip: "98101-0001", recordOwner: "PERSON, MADE UP" }),
    record(3, "assessor:2", { address: "820 NONESUCH ST", zip: "98101" }),
    record(4, "assessor:3", { address: "820 NONESUCH ST", zip: "98101" })
  ]
}

const merged: Merged = {
  outcome: "merged",
  from: { id: id(1), key: "energy:1" },
  into: { id: id(2), key: "assessor:1" },
  moved: nothingMoved
}

/** `layer` is a store of its own. */
export const placeMatchesContract = <E>(name: string, layer: Layer.Layer<PlaceMatches | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`PlaceMatches: ${name}`, (it) => {
    it.effect("a record comes with those of other sources that have its parcel, its number in the zip, or lie near", () =>
      Effect.gen(function*() {
        yield* startOver({
          properties: [
            record(1, "a:1", { address: "12 Nonesuch St", zip: "98101", apn: "12-34", lat: 47.6, lon: -122.3 }),
            record(2, "b:2", { address: "12 Other Ave", zip: "98101-0001" }),
            record(3, "b:3", { address: "12 Nonesuch St", zip: "98102" }),
            record(4, "b:4", { apn: "1234" }),
            record(5, "b:5", { apn: "1234", countyFips: there }),
            record(6, "b:6", { lat: 47.6003, lon: -122.3003 }),
            record(7, "b:7", { lat: 47.601, lon: -122.3 }),
            record(8, "a:8", { address: "12 Nonesuch St", zip: "98101" }),
            record(9, "b:9", { apn: "1234", retiredInto: id(4) })
          ]
        })
        const matches = yield* PlaceMatches
        const [first, ...more] = yield* matches.candidates(here, null, 9)
        assert.deepStrictEqual(first?.others.map((other) => other.id).toSorted(), [id(2), id(4), id(6)])
        assert.containSubset(first?.place, { id: id(1), parcels: ["12-34"], lat: 47.6, name: null })
        assert.deepStrictEqual(more.map(({ place }) => place.id), [2, 3, 4, 6, 7, 8].map(id))
        assert.deepStrictEqual(
          (yield* matches.candidates(here, id(3), 2)).map(({ place }) => place.id),
          [id(4), id(6)]
        )
      }))

    it.effect("records of one parcel are a pair, whichever of them has its number among others", () =>
      Effect.gen(function*() {
        yield* startOver({
          properties: [
            record(1, "a:1", { parcelNumbers: ["12-34", "12-35"] }),
            record(2, "b:2", { apn: "1235" }),
            record(3, "b:3", { apn: "5678" }),
            record(4, "a:4", { parcelNumbers: ["56-77", "56-78"] })
          ]
        })
        assert.deepStrictEqual(yield* run, { counties: 1, records: 4, proposed: 2 })
        const found = yield* listed("proposed")
        assert.sameDeepMembers(found.map(({ from, into }) => [from.id, into.id].toSorted()), [
          [id(1), id(2)],
          [id(3), id(4)]
        ])
        assert.deepInclude(yield* run, { proposed: 0 })
        assert.deepStrictEqual(yield* listed("proposed"), found)
      }))

    it.effect("many records of another county that have its parcel number do not hide those of its own", () =>
      Effect.gen(function*() {
        const numbers = Array.from({ length: 2000 }, (_, n) => n + 2)
        const own = numbers.filter((n) => n % 200 === 0)
        yield* startOver({
          properties: [
            record(1, "a:1", { apn: "12-34" }),
            ...numbers.map((n) => record(n, `b:${n}`, { apn: "1234", countyFips: own.includes(n) ? here : there }))
          ]
        })
        const [first] = yield* PlaceMatches.use((matches) => matches.candidates(here, null, 1))
        assert.deepStrictEqual(first?.others.map((other) => other.id).toSorted(), own.map(id))
      }))

    it.effect("many records of one source at an address do not hide those of another one", () =>
      Effect.gen(function*() {
        const line = { address: "12 Nonesuch St", zip: "98101", apn: "1234", lat: 47.6, lon: -122.3 }
        const towers = Array.from({ length: 40 }, (_, n) => record(n + 1, `a:${n}`, line))
        yield* startOver({ properties: [...towers, record(41, "b:1", line)] })
        const matches = yield* PlaceMatches
        const found = yield* matches.candidates(here, null, 41)
        assert.deepStrictEqual(
          found.slice(0, 40).map(({ others }) => others.map((other) => other.id)),
          towers.map(() => [id(41)])
        )
        assert.deepInclude(yield* run, { proposed: 40 })
        assert.deepInclude(yield* run, { proposed: 0 })
        assert.strictEqual((yield* listed("proposed")).length, 40)
      }))

    it.effect("a whole comparison proposes what is of one place, and again nothing new; a dry run leaves nothing", () =>
      Effect.gen(function*() {
        yield* startOver(scene)
        const matches = yield* PlaceMatches
        const told = yield* matches.undone(run)
        assert.deepStrictEqual(told, { counties: 1, records: 4, proposed: 1 })
        assert.deepStrictEqual(yield* listed("proposed"), [])
        assert.deepStrictEqual(yield* run, told)
        const [found, ...more] = yield* listed("proposed")
        assert.deepStrictEqual(more, [])
        // What knows the owner stays.
        assert.containSubset(found, {
          state: "proposed",
          evidence: ["same_address"],
          from: { id: id(1), key: "energy:1", source: null, address: "1110 Third Avenue", name: "Nonesuch Building" },
          into: { id: id(2), key: "assessor:1" }
        })
        assert.deepStrictEqual(yield* matches.find(found?.id ?? ""), Option.fromUndefinedOr(found))
        assert.deepStrictEqual(yield* matches.find("999999999"), Option.none())
        assert.deepStrictEqual(yield* run, { ...told, proposed: 0 })
      }))

    it.effect("counties are to be compared until they were", () =>
      Effect.gen(function*() {
        yield* startOver({ properties: [record(1, "a:1"), record(2, "a:2", { countyFips: there })] })
        const matches = yield* PlaceMatches
        const changed = (all: boolean, only: ReadonlyArray<string> | null) =>
          Effect.map(matches.counties({ all, only }), (counties) => counties.map(({ countyFips }) => countyFips))
        assert.deepStrictEqual(yield* changed(false, null), [here, there])
        for (const county of yield* matches.counties({ all: false, only: [here] })) yield* matches.compared(county)
        assert.deepStrictEqual(yield* changed(false, null), [there])
        assert.deepStrictEqual(yield* changed(true, null), [here, there])
      }))

    it.effect("what is not found again is proposed no more, but what was rejected stays so", () =>
      Effect.gen(function*() {
        yield* startOver({ properties: [1, 2, 3, 4].map((n) => record(n, `${"abcd"[n - 1]}:${n}`)) })
        const matches = yield* PlaceMatches
        assert.strictEqual(yield* matches.keep([id(1)], [pair(1, 2), pair(1, 3, 0.95), pair(1, 4, 0.8)]), 3)
        const [first, second, third] = yield* listed("proposed")
        assert.deepStrictEqual([first, second, third].map((found) => found?.confidence), [0.95, 0.9, 0.8])
        assert.deepStrictEqual(
          (yield* listed("proposed", { after: first?.id ?? "", limit: 1 })).map((found) => found.id),
          [second?.id]
        )
        yield* matches.reject(first?.id ?? "")
        assert.strictEqual(yield* matches.keep([id(1)], [pair(1, 2, 0.85), pair(1, 3, 0.99)]), 0)
        assert.deepStrictEqual((yield* listed("proposed")).map(({ confidence }) => confidence), [0.85])
        assert.deepStrictEqual(
          (yield* listed("rejected")).map(({ confidence, id }) => [confidence, id]),
          [[0.95, first?.id]]
        )
      }))

    it.effect("a pair with a record that went into another one is not proposed", () =>
      Effect.gen(function*() {
        yield* startOver({ properties: [record(1, "a:1"), record(2, "b:2", { retiredInto: id(1) })] })
        yield* PlaceMatches.use((matches) => matches.keep([id(1)], [pair(1, 2)]))
        assert.deepStrictEqual(yield* listed("proposed"), [])
      }))

    it.effect("accepted is what was merged, and nothing else", () =>
      Effect.gen(function*() {
        yield* startOver(scene)
        const matches = yield* PlaceMatches
        yield* run
        const [found] = yield* listed("proposed")
        const refusal = new MergeRefused({ reason: "research_running", named: "energy:1" })
        const refused = yield* Effect.flip(matches.accept(found?.id ?? "", Effect.fail(refusal)))
        assert.deepInclude(refused, { _tag: "MergeRefused", reason: "research_running" })
        assert.strictEqual((yield* listed("proposed")).length, 1)
        assert.deepStrictEqual(yield* matches.accept(found?.id ?? "", Effect.succeed(merged)), merged)
        assert.deepStrictEqual((yield* listed("accepted")).map((each) => each.id), [found?.id])
        assert.deepInclude(yield* run, { proposed: 0 })
      }))

    it.effect("one compares at a time", () => PlaceMatches.use(({ alone }) => oneAtATime(alone)))
  })
}
