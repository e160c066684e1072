/** What every `PropertyLookup` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type Lookup, PropertyLookup } from "../property/PropertyLookup.ts"
import { property, type Seeder, startOver } from "./Seed.ts"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const area = { nationwide: false, stateFips: [], countyFips: ["48001"] }
const place = { countyFips: "48001", city: "Aldermoor", state: "TX", zip: "75001" }

/** `layer` is a store of its own. */
export const propertyLookupContract = <E>(name: string, layer: Layer.Layer<PropertyLookup | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`PropertyLookup: ${name}`, (it) => {
    it.effect("answers each lookup in its place with what may fit", () =>
      Effect.gen(function*() {
        const lookup = yield* PropertyLookup
        yield* startOver({
          properties: [
            property({ id: id(1), ...place, address: "12 Meridian Street", apn: "12-3.a" }),
            property({ id: id(2), ...place, address: "12 MERIDIAN AVE", city: "Eastwick", zip: "75002" }),
            property({ id: id(3), ...place, address: "112 Meridian Street", commonName: "12 Meridian House" }),
            property({ id: id(4), ...place, address: "12 Meridian Street", countyFips: "48003", apn: "123A" }),
            property({ id: id(5), ...place, address: "12 Meridian Street", retiredInto: id(1), apn: "123A" }),
            property({ id: id(6), ...place, address: "9 100%_Sure Road", recordOwner: "Meridian" }),
            property({ id: id(7), ...place, address: "Meridian Lot" }),
            property({ id: id(8), ...place, address: "(12-B) Larkspur Way", city: "Briarfield", zip: "75009-1234" }),
            property({ id: id(9), ...place, address: null })
          ]
        })
        const asked = (more: Partial<Lookup>): Lookup => ({ probe: null, city: null, zip: null, parcel: null, ...more })
        const meridian = { number: "12", word: "meridian" }
        const found = yield* lookup.candidates(
          [
            asked({ probe: meridian }),
            asked({ probe: meridian, zip: "75002" }),
            asked({ probe: meridian, city: "aldermoor", zip: "99999" }),
            asked({ probe: { number: "", word: "meridian" } }),
            asked({ probe: { number: "", word: "meridian" }, zip: "75001" }),
            asked({ probe: { number: "", word: "meridian" }, city: "aldermoor" }),
            asked({ probe: { number: "12", word: "larkspur" }, zip: "75009" }),
            asked({ probe: { number: "9", word: "100%_sure" } }),
            asked({ parcel: "123A" }),
            asked({}),
            asked({ probe: { number: "12", word: null }, parcel: "123A" })
          ],
          area,
          25
        )
        assert.deepStrictEqual(
          found.map((rows) => rows.map((row) => Number(row.id.slice(-12))).toSorted()),
          [[1, 2], [2], [1], [], [7], [7], [8], [6], [1], [], [1, 2, 8]]
        )
        assert.deepStrictEqual(found[8]?.[0], {
          id: id(1),
          key: `48001-${id(1)}`,
          address: "12 Meridian Street",
          city: "Aldermoor",
          state: "TX",
          zip: "75001",
          apn: "12-3.a",
          countyFips: "48001"
        })
        assert.deepStrictEqual(
          (yield* lookup.candidates([asked({ probe: meridian })], area, 1)).map((rows) => rows.length),
          [1]
        )
        assert.deepStrictEqual(yield* lookup.candidates([], area, 25), [])
      }))
  })
}
