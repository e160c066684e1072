/** Whether two records are of one place: by examples, and measured on labelled pairs of real records. */
import { assert, describe, it } from "@effect/vitest"
import { match, type Place, upperThreshold } from "@freehold/core/property/SamePlace"
import { halves, labelled, type LabelledRow, measure } from "../firm/LabelledPairs.ts"

const nowhere: Place = {
  name: null,
  address: null,
  zip: "98101",
  parcels: [],
  countyFips: "53901",
  lat: null,
  lon: null,
  buildingSqft: null,
  yearBuilt: null,
  numFloors: null,
  totalUnits: null
}

const confidence = (one: Partial<Place>, other: Partial<Place>) =>
  match({ ...nowhere, ...one }, { ...nowhere, ...other })?.confidence ?? 0

const at = (address: string, more: Partial<Place> = {}) => ({ address, buildingSqft: 10_000, yearBuilt: 1950, ...more })

describe("two records", () => {
  it.each([
    ["1110 Third Avenue", "1110 3RD AVE"],
    ["One East Nonesuch Drive", "1 E Nonesuch Dr."],
    ["231 S LA SALLE ST", "231 S. LaSalle Street"],
    ["8750-70 West Nonesuch Ave", "8750 W Nonesuch"],
    ["12 Nonesuch St, Suite 400", "12 NONESUCH STREET"]
  ])("are of one place: %s, %s", (one, other) => assert.isAtLeast(confidence(at(one), at(other)), upperThreshold))

  it.each([
    ["60 East Nonesuch", "60 West Nonesuch"],
    ["300 Park Ave", "300 Park Pl"],
    ["1300 N Nonesuch Street", "1301 N Nonesuch Street"],
    ["12 Nonesuch St", "12 Madeup St"]
  ])("are of two: %s, %s", (one, other) => assert.strictEqual(confidence(at(one), at(other)), 0))

  it("of one parcel are one place where the rest fits, and asked about where the sizes differ", () => {
    const parcel = { parcels: ["065900-0030"] }
    const other = { parcels: ["0659000030"] }
    assert.isAtLeast(confidence(at("1 Nonesuch St", parcel), at("1 Nonesuch St", other)), upperThreshold)
    assert.isBelow(confidence({ ...parcel, buildingSqft: 10_000 }, { ...other, buildingSqft: 90_000 }), upperThreshold)
    assert.strictEqual(confidence(parcel, { ...other, countyFips: "53903" }), 0)
  })

  it("of one campus are asked about, not taken for one", () => {
    const told = confidence(at("820 N Nonesuch"), at("820 N Nonesuch", { buildingSqft: 30_000, yearBuilt: 1990 }))
    assert.isBelow(told, upperThreshold)
  })
})

describe("labelled pairs of records", () => {
  const rows = labelled("places.csv")
  const number = (text = "") => text === "" ? null : Number(text)
  const place = (row: LabelledRow, side: "left" | "right"): Place => ({
    ...nowhere,
    name: row[`${side}_name`] || null,
    address: row[`${side}_address`] || null,
    zip: row[`${side}_zip`] || null,
    lat: number(row[`${side}_lat`]),
    lon: number(row[`${side}_lon`]),
    buildingSqft: number(row[`${side}_sqft`]),
    yearBuilt: number(row[`${side}_year`]),
    numFloors: number(row[`${side}_floors`])
  })

  it.each(halves)("are told apart: the %s half", (half) => {
    const figures = measure(
      rows,
      half,
      upperThreshold,
      (row) => match(place(row, "left"), place(row, "right"))?.confidence ?? null
    )
    assert.isAtLeast(figures.pairs, 200)
    assert.isAtLeast(figures.precision, 0.98, JSON.stringify(figures))
    assert.isAtLeast(figures.recall, 0.8, JSON.stringify(figures))
    assert.isAtLeast(figures.found, 0.92, JSON.stringify(figures))
  })
})
