/** What an address is taken for, and the first map for what is there. */
import { assert, describe, it } from "@effect/vitest"
import { leftOut, otherStates, propose } from "@freehold/core/source/MapProposal"
import { objection } from "@freehold/core/source/RunVerdict"
import { recognize } from "@freehold/core/source/SourceAddress"
import { shortcoming, type SourceDocument } from "@freehold/core/source/SourceDocument"

const document: SourceDocument = {
  name: "sample",
  title: "Sample (made up)",
  publisher: "nobody",
  licence: "public domain",
  attribution: "made up",
  kind: "soda",
  address: "https://data.example.gov/resource/abcd-1234",
  map: { key: "sample:{id}", fields: {} }
}

describe("an address", () => {
  it("is recognized by what it looks like", () => {
    const kinds = [
      "https://data.example.gov/resource/abcd-1234.json",
      "https://data.example.gov/Housing/Parcels/abcd-1234",
      "https://data.example.gov/d/abcd-1234",
      "https://gis.example.gov/arcgis/rest/services/Parcels/FeatureServer/0/query",
      "https://data.example.gov/api/3/action/datastore_search?resource_id=r-1",
      "https://data.example.gov/parcels.csv",
      "parcels"
    ].map((address) => recognize(address))
    assert.deepStrictEqual(kinds.map((each) => each?.kind), [
      "soda",
      "soda",
      "soda",
      "feature_server",
      "ckan",
      "file",
      undefined
    ])
    assert.strictEqual(kinds[1]?.address, "https://data.example.gov/resource/abcd-1234")
    assert.strictEqual(kinds[3]?.address, "https://gis.example.gov/arcgis/rest/services/Parcels/FeatureServer/0")
    assert.deepStrictEqual(kinds[4]?.query, { resource_id: "r-1" })
  })

  it("has to be that of its kind", () => {
    assert.isUndefined(shortcoming(document))
    assert.include(shortcoming({ ...document, address: "https://data.example.gov/parcels" }) ?? "", "address")
    assert.include(shortcoming({ ...document, kind: "ckan" }) ?? "", "query.resource_id")
  })
})

describe("a first map", () => {
  it("takes columns by their names, with what is in them, and the column that tells rows apart", () => {
    const sample = new Map([
      ["OBJECTID", ["1", "2"]],
      ["Parcel_ID", ["A-1", "A-2"]],
      ["SITE_ADDRESS", ["1 Nonesuch Avenue", "2 Nonesuch Avenue"]],
      ["Owner Name", ["A LLC", ""]],
      ["Bldg_Area", ["0", "1200.5"]],
      ["Sale_Date", ["2020-01-02T00:00:00.000Z", ""]],
      ["Zip", ["10001-1234", "10002"]],
      ["Fancy", ["x", "y"]]
    ])
    assert.deepStrictEqual(propose(sample, 2, "sample", "36061"), {
      key: "sample:{Parcel_ID}",
      fields: {
        countyFips: { const: "36061" },
        state: { const: "NY" },
        address: "SITE_ADDRESS",
        zip: { column: "Zip", match: "^(\\d{5})", otherwise: null },
        apn: "Parcel_ID",
        recordOwner: "Owner Name",
        ownerName: "Owner Name",
        buildingSqft: { column: "Bldg_Area", type: "integer", round: true, zeroIs: null },
        lastSaleDate: { column: "Sale_Date", match: "^(\\d{4}-\\d{2}-\\d{2})" }
      }
    })
  })

  it("takes what federal lists and benchmarking call their columns, and what they write for nothing", () => {
    const sample = new Map([
      ["Lease Number", ["L1", "L2"]],
      ["Real Property Asset Name", ["SAMPLE BLDG", "NA"]],
      ["Building Rentable Square Feet", ["54743", "NA"]],
      ["State", ["TX", "Ohio"]],
      ["FIPS", ["48113", "39049"]]
    ])
    assert.deepStrictEqual(propose(sample, 2, "leases", "48113"), {
      key: "leases:{Lease Number}",
      null: ["NA"],
      fields: {
        countyFips: "FIPS",
        state: "State",
        commonName: "Real Property Asset Name",
        buildingSqft: { column: "Building Rentable Square Feet", type: "integer" }
      }
    })
    assert.deepStrictEqual(otherStates(sample, "48113"), ["OH"])
    sample.set("FIPS", ["48113", "113"]).set("Gross Floor Area - Buildings (sq ft)", ["319,900", "1,000"])
    sample.delete("Building Rentable Square Feet")
    assert.deepInclude(propose(sample, 2, "leases", "48113").fields, {
      countyFips: { const: "48113" },
      buildingSqft: { column: "Gross Floor Area - Buildings (sq ft)", type: "integer" }
    })
  })

  it("reads amounts, areas and days as US sources write them, and proposes nothing that no cell fits", () => {
    const sample = new Map([
      ["Parcel ID", ["A-1", "A-2"]],
      ["SqFt", ["52,000", "1,800"]],
      ["Sale Price", ["$4,200,000", ""]],
      ["Last Sale", ["03/14/2019", "1/2/2020"]],
      ["Year Built", ["old", "older"]],
      ["Y", ["5812345.1", "5812346.2"]],
      ["Use", ["Office", "Retail"]]
    ])
    const map = propose(sample, 2, "own", "48113")
    assert.deepStrictEqual(map.fields, {
      countyFips: { const: "48113" },
      state: { const: "TX" },
      apn: "Parcel ID",
      buildingSqft: { column: "SqFt", type: "integer" },
      lastSaleDate: { column: "Last Sale", dateFormat: "MM/DD/YYYY" },
      lastSalePrice: { column: "Sale Price", match: "^\\$? ?(.*)$", type: "integer" }
    })
    assert.deepStrictEqual(leftOut(sample, map), ["Year Built", "Y", "Use"])
    sample.delete("Sale Price")
    assert.notProperty(propose(sample, 2, "own", "48113").fields, "lastSalePrice")
    sample.set("Last Sale", ["3/14/2019 12:00:00 AM"])
    assert.deepStrictEqual(propose(sample, 2, "own", "48113").fields["lastSaleDate"], {
      column: "Last Sale",
      match: "^(\\d{1,2}/\\d{1,2}/\\d{4})",
      dateFormat: "MM/DD/YYYY"
    })
  })

  it("takes an area in acres for what it is, unless there is one in square feet", () => {
    const acres = ["CALC_ACRES", ["0.25", "0"]] as const
    const lotOf = (sample: ReadonlyArray<readonly [string, ReadonlyArray<string>]>) =>
      propose(new Map(sample), 2, "sample", "36061").fields["lotSqft"]
    assert.deepStrictEqual(lotOf([acres]), {
      column: "CALC_ACRES",
      type: "integer",
      times: 43_560,
      round: true,
      zeroIs: null
    })
    assert.deepStrictEqual(lotOf([acres, ["LotArea", ["10890", "5"]]]), { column: "LotArea", type: "integer" })
  })
})

describe("a run", () => {
  it("asks where it would retire or change more than its share, and never at first", () => {
    const plan = { known: 100, fresh: 0, different: 50, same: 40, gone: 10 }
    assert.isUndefined(objection(document, plan))
    assert.include(objection(document, { ...plan, gone: 11 }) ?? "", "11 of 100 records would be retired (11 %)")
    assert.include(objection(document, { ...plan, different: 51 }) ?? "", "51 of 100 records would change")
    assert.include(objection({ ...document, limits: { changed: 0.2 } }, plan) ?? "", "more than 20 %")
    assert.isUndefined(objection(document, { known: 0, fresh: 9, different: 0, same: 0, gone: 0 }))
  })
})
