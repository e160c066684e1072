/**
 * One request of each shape that a search or a browse can have, over the made-up data of `national/NationalData`, and the
 * same as one would ask it of the plain tables.
 */
import { SortKey } from "@freehold/core/property/SearchInput"
import * as Counties from "./national/Counties.ts"
import { idOf } from "./national/Rows.ts"

export interface Shape {
  readonly name: string
  readonly path: "/properties/search" | "/contacts/browse" | "/organizations/browse"
  readonly body: Readonly<Record<string, unknown>>
}

/** The seed of the data that the shapes are made for. */
export const seed = 1

const counties = Counties.make(seed)
const fipsOf = (k: number): string => counties[k]?.fips ?? ""
const largest = fipsOf(0)
const usual = fipsOf(250)
const place = counties[0] ?? { south: 0, west: 0, state: "", fips: "", k: 0 }

/** A map box of so many degrees that begins in the largest county. */
const box = (degrees: number) => ({
  south: place.south,
  west: place.west,
  north: place.south + degrees,
  east: place.west + degrees
})

/** The largest counties of the first state: most of what lies in it. */
const ofState = counties.filter(({ state }) => state === place.state).slice(0, 50).map(({ fips }) => fips)

const search = (name: string, body: Shape["body"]): Shape => ({
  name,
  path: "/properties/search",
  body: { limit: 50, ...body }
})
const inLargest = (name: string, filters: Shape["body"] = {}, more: Shape["body"] = {}): Shape =>
  search(name, { filters: { countyFips: [largest], ...filters }, ...more })

/** Results have this order anyway. */
const sorts = SortKey.literals.filter((key) => key !== "relevance")

export const shapes: ReadonlyArray<Shape> = [
  inLargest("largest county"),
  inLargest("+ range of size", { minBuildingSqft: 2000, maxBuildingSqft: 30_000 }),
  inLargest("+ pool and year", { hasPool: true, minYearBuilt: 1950 }),
  inLargest("+ roof, subcategory unknown", { roofCover: ["Metal"], includeUnknown: ["roofCover"] }),
  inLargest("offset 10,000", {}, { offset: 10_000 }),
  inLargest("sorted by address, offset 5,000", {}, { sortBy: "address", offset: 5000 }),
  ...sorts.map((sortBy) => inLargest(`sorted by ${sortBy}`, {}, { sortBy })),
  inLargest("sorted by size, upwards", {}, { sortBy: "buildingSqft", sortOrder: "asc" }),
  inLargest("owner contains a word", { ownerName: "stonemoor" }),
  inLargest("owner contains two letters", { ownerName: "zo" }),
  inLargest("name contains a word", { commonName: "plaza" }),
  inLargest("research locked or none", { researchState: ["locked", "none"] }),
  inLargest("changed within two years", { changedWithinDays: 730 }),
  search("usual county", { filters: { countyFips: [usual] } }),
  search("usual county, sorted by size", { filters: { countyFips: [usual] }, sortBy: "buildingSqft" }),
  search("50 counties of the largest state", { filters: { countyFips: ofState } }),
  search("50 counties, sorted by size", { filters: { countyFips: ofState }, sortBy: "buildingSqft" }),
  search("50 counties, sorted by owner", { filters: { countyFips: ofState }, sortBy: "owner" }),
  search("50 counties, offset 10,000", { filters: { countyFips: ofState }, offset: 10_000 }),
  search("50 counties, changed", { filters: { countyFips: ofState, changedKinds: ["sale"] } }),
  search("city and state", { filters: { cities: ["Albury, CA"] } }),
  search("city and state, sorted by value", { filters: { cities: ["Albury, CA"] }, sortBy: "propertyValue" }),
  search("zip", { filters: { zipCodes: ["10007"] } }),
  search("map box 0.05 degrees", { bounds: box(0.05) }),
  search("map box 0.5 degrees", { bounds: box(0.5) }),
  search("map box 5 degrees", { bounds: box(5) }),
  search("map box 5 degrees, sorted by owner", { bounds: box(5), sortBy: "owner" }),
  search("radius of 5 km", {
    filters: { near: { lat: place.south + 0.3, lon: place.west + 0.3, radiusMeters: 5000 } }
  }),
  search("radius of 32 km", {
    filters: { near: { lat: place.south + 0.3, lon: place.west + 0.3, radiusMeters: 32_000 } }
  }),
  search("polygon of a county", {
    filters: {
      within: {
        type: "Polygon",
        coordinates: [[
          [place.west, place.south],
          [place.west + 0.6, place.south],
          [place.west + 0.3, place.south + 0.6],
          [place.west, place.south]
        ]]
      }
    }
  }),
  search("text, one common word", { query: "street" }),
  search("text, two common words", { query: "alton street" }),
  search("text, common, sorted by value", { query: "alton", sortBy: "propertyValue" }),
  search("text, three words of an owner", { query: "stonemoor capital fund" }),
  search("text, number and street", { query: "8116 alwood" }),
  search("text, common two letters", { query: "st" }),
  search("text, rare two letters", { query: "zq" }),
  search("text, two letters sorted by value", { query: "zo", sortBy: "propertyValue" }),
  { name: "people", path: "/contacts/browse", body: { limit: 50 } },
  { name: "people by properties", path: "/contacts/browse", body: { limit: 50, sort: "propertyCount" } },
  { name: "people, largest county", path: "/contacts/browse", body: { limit: 50, countyFips: [largest] } },
  { name: "people, part of a title", path: "/contacts/browse", body: { limit: 50, titleText: "asset" } },
  { name: "people, part of an employer", path: "/contacts/browse", body: { limit: 50, employerText: "stonemoor" } },
  { name: "people of a role", path: "/contacts/browse", body: { limit: 50, roleType: "leasing_agent" } },
  {
    name: "people of a firm",
    path: "/contacts/browse",
    body: { limit: 50, organizationId: idOf("firm", 1, seed) }
  },
  { name: "firms", path: "/organizations/browse", body: { limit: 50 } },
  { name: "firms by name", path: "/organizations/browse", body: { limit: 50, sort: "name" } },
  { name: "firms, largest county", path: "/organizations/browse", body: { limit: 50, countyFips: [largest] } },
  { name: "firms, part of a name", path: "/organizations/browse", body: { limit: 50, query: "stonemoor" } },
  { name: "firms that own", path: "/organizations/browse", body: { limit: 50, role: "owner" } }
]
