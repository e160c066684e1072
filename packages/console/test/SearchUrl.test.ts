/** A search and its address are the same thing. */
import { assert, describe, it } from "vitest"
import { parse, type SearchState, write } from "../src/search/SearchUrl.ts"

const again = (state: SearchState) => parse(write(state))

describe("the address of a search", () => {
  it("says all of it", () => {
    const state: SearchState = {
      words: "",
      filters: {
        countyFips: ["53901", "53903"],
        minBuildingSqft: 0,
        ownerName: "A & B = C",
        hasPool: false,
        near: { lat: 47.5, lon: -120.25, radiusMeters: 1609 },
        within: { type: "Polygon", coordinates: [[[-1, 1], [0, 0], [1, 1], [-1, 1]]] }
      },
      box: { west: -120.5, south: 47, east: -119.25, north: 48 },
      sortBy: "yearBuilt",
      sortOrder: "asc"
    }
    assert.deepStrictEqual(again(state), state)
    assert.deepStrictEqual(again({ ...state, words: "heron", filters: {}, box: null }).words, "heron")
  })

  it("leaves out what cannot be read", () => {
    const state = parse(
      new URLSearchParams(
        "minLotSqft=many&hasPool=perhaps&within={&box=1,2,3&sortBy=colour&sortOrder=up&colour=red&countyFips=53901"
      )
    )
    assert.deepStrictEqual(state, {
      words: "",
      filters: { countyFips: ["53901"] },
      box: null,
      sortBy: undefined,
      sortOrder: undefined
    })
    for (const box of ["1,2,3,", "a,b,c,d", "0,5,1,4", ""]) {
      assert.isNull(parse(new URLSearchParams({ box })).box, box)
    }
  })
})
