/**
 * The mixed workload of a search benchmark: bodies of POST /properties/search, 50 compact rows each, all distinct.
 *
 * | share | mode    | what                                                                    |
 * | ----- | ------- | ----------------------------------------------------------------------- |
 * | 60 %  | filters | one or two counties, zips or cities, with ranges, categories and a sort |
 * | 20 %  | bounds  | a map box of a fifth to four fifths of a degree                         |
 * | 20 %  | query   | one to three words of address, city or owner                            |
 */
import { countyFips } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { randomOf, type SeededRandom } from "./SeededRandom.ts"

/** At most so many counties, so that one holds about ten thousand of a hundred thousand properties. */
export const counties = 10

const sorts = [
  undefined,
  "relevance",
  "buildingSqft",
  "lotSqft",
  "yearBuilt",
  "totalUnits",
  "propertyValue",
  "owner",
  "address",
  "lastSaleDate"
] as const
const categories = ["Office", "Retail", "Industrial", "Multifamily", "Hospitality", "Land", "Self Storage"] as const
const states = ["TX", "CA", "FL", "NY", "IL"] as const
const cities = ["Aldermoor", "Briarfield", "Cedar Point", "Dunhollow", "Eastwick", "Fairhaven", "Glenrock"] as const
const streets = [
  "juniper",
  "larkspur",
  "meridian",
  "harbor",
  "quarry",
  "foundry",
  "orchard",
  "summit",
  "willow"
] as const
const kinds = ["street", "avenue", "road", "boulevard", "parkway"] as const
const owners = [
  "alder",
  "bramble",
  "copper",
  "dovetail",
  "ember",
  "falcon",
  "granite",
  "heron",
  "ivory",
  "juno"
] as const
const forms = ["holdings", "partners", "realty trust", "properties inc", "family trust"] as const

type Body = Readonly<Record<string, unknown>>

const place = (random: SeededRandom): Body => {
  const county = random.below(counties)
  switch (random.below(5)) {
    case 0:
      return {
        zipCodes: [String(10_000 + county * 40 + random.below(25)), String(10_000 + county * 40 + random.below(25))]
      }
    case 1:
      return { cities: [`${random.of(cities)}, ${random.of(states)}`] }
    case 2:
      return { countyFips: [countyFips(county), countyFips((county + 1) % counties)] }
    default:
      return { countyFips: [countyFips(county)] }
  }
}

const attributes = (random: SeededRandom): Body => {
  const smallest = 1000 * random.below(100)
  return {
    ...random.sometimes(0.5, () => ({ minBuildingSqft: smallest, maxBuildingSqft: smallest + 100_000 })),
    ...random.sometimes(0.3, () => ({ minYearBuilt: 1900 + random.below(100) })),
    ...random.sometimes(0.5, () => ({ categories: [random.of(categories)] })),
    ...random.sometimes(0.2, () => ({ minLotSqft: 1000 * random.below(200) }))
  }
}

const byFilters = (random: SeededRandom): Body => {
  const sortBy = random.of(sorts)
  return {
    filters: { ...place(random), ...attributes(random) },
    ...(sortBy === undefined ? {} : { sortBy }),
    ...random.sometimes(0.3, () => ({ offset: 50 * (1 + random.below(5)) }))
  }
}

/** Within the square of one county of the made-up properties. */
const byBounds = (random: SeededRandom): Body => {
  const span = random.between(0.2, 0.8, 2)
  const south = 28 + random.below(counties) + random.between(0, 1 - span, 3)
  const west = -118 + random.between(0, 1 - span, 3)
  const rounded = (degrees: number) => Number(degrees.toFixed(3))
  return {
    bounds: { north: rounded(south + span), south: rounded(south), east: rounded(west + span), west: rounded(west) }
  }
}

const words = (random: SeededRandom): string => {
  switch (random.below(4)) {
    case 0:
      return `${random.of(streets)} ${random.of(kinds)}`
    case 1:
      return `${random.of(owners)} ${1 + random.below(999)} ${random.of(forms)}`
    case 2:
      return `${1 + random.below(9999)} ${random.of(streets)}`
    default:
      return `${random.of(streets)} ${random.of(owners)}`
  }
}

const requestOf = (random: SeededRandom): Body => {
  switch (random.below(5)) {
    case 0:
      return byBounds(random)
    case 1:
      return { query: words(random) }
    default:
      return byFilters(random)
  }
}

/** The same count gives the same bodies. */
export const make = (count: number): ReadonlyArray<string> => {
  const random = randomOf(42)
  const bodies = new Set<string>()
  while (bodies.size < count) bodies.add(JSON.stringify({ ...requestOf(random), limit: 50, verbosity: "compact" }))
  return Array.from(bodies)
}
