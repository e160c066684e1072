/** The worst requests that are permitted: each the most of something that an operation's input allows. */
import { countyFips } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { maximumOffset } from "@freehold/core/operation/BrowsePage"
import * as Customers from "./Customers.ts"
import { randomOf } from "./SeededRandom.ts"
import { busyPerson, firmId, listId } from "./WorstData.ts"

export interface WorstRequest {
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body: unknown
  readonly customer: Customers.Customer
}

const fifty = Array.from({ length: 50 }, (_, county) => countyFips(county))

type Place = readonly [number, number]

/** So far to the side and up from the middle of the properties, at an angle. */
const around = (angle: number, across: number, up = across): Place => [
  -98 + across * Math.cos(angle),
  35 + up * Math.sin(angle)
]

/** A closed ring of so many points, the first again at its end; `cornerOf` is told its number and how many there are. */
const ring = (points: number, cornerOf: (n: number, corners: number) => Place): ReadonlyArray<Place> => {
  const open = Array.from({ length: points - 1 }, (_, n) => cornerOf(n, points - 1))
  return [...open, ...open.slice(0, 1)]
}

/** Around most of the properties, in and out. */
const spikes = ring(1000, (n, corners) => around(2 * Math.PI * n / corners, n % 2 === 0 ? 30 : 21))

/** Across all of the properties, each line nearly to the other side, and so through most of the others. */
const scribble = ring(
  1000,
  (n, corners) => around(2 * Math.PI * (n * Math.trunc(corners / 2) % corners) / corners, 30, 20)
)

/** Places all over the properties, in no order. */
const { between } = randomOf(7)
const jumble = ring(1000, () => [between(-118, -78, 6), between(28, 42, 6)])

/** Up and down, askew, from one corner to the other. */
const askew = ring(1000, (n, corners) => {
  const [along, side] = [n / corners, n % 2 === 0 ? 0.5 : -0.5]
  return [-118 + 40 * (along + side), 28 + 14 * (1 - along + side)]
})

/** To and fro, at an angle, over all of the properties. */
const comb = (angle: number) =>
  ring(500, (n, corners) => {
    const [along, side] = [50 * n / corners - 25, n % 2 === 0 ? 25 : -25]
    return [
      -98 + along * Math.cos(angle) - side * Math.sin(angle),
      35 + 0.5 * (along * Math.sin(angle) + side * Math.cos(angle))
    ]
  })

const twoCombs = [[comb(Math.PI / 4)], [comb(-Math.PI / 4)]]

/** A rectangle around all of the properties. */
const aroundAll = ring(5, (n, corners) => around(2 * Math.PI * (n + 0.5) / corners, 30, 11.5))

/** Six corners around all of the properties, whose sides lie along no axis. */
const sixCorners = ring(7, (n, corners) => around(2 * Math.PI * n / corners, 45, 20))

/** Twenty squares far from each other, in most counties and of few of their properties. */
const squares = Array.from({ length: 20 }, (_, n) => {
  const [west, south] = [-117.5 + 8 * (n % 5), 28.5 + 4 * Math.trunc(n / 5)]
  return [[[west, south], [west + 1, south], [west + 1, south + 1], [west, south + 1], [west, south]]]
})

const get = (name: string, path: string): WorstRequest => ({
  name,
  method: "GET",
  path,
  body: null,
  customer: Customers.searcher
})
const post = (path: string, customer = Customers.searcher) => (name: string, body: unknown): WorstRequest => ({
  name,
  method: "POST",
  path,
  body,
  customer
})
const search = post("/properties/search")
const searchCovered = post("/properties/search", Customers.covering)
const resolve = (name: string, row: (n: number) => unknown) =>
  post("/properties/resolve")(name, { rows: Array.from({ length: 100 }, (_, n) => row(n)) })
const people = post("/contacts/browse")
const peopleCovered = post("/contacts/browse", Customers.covering)
const firms = post("/organizations/browse")
const firmsCovered = post("/organizations/browse", Customers.covering)

/** What all others stand beside. */
export const usual: WorstRequest = search("a search of one county", {
  filters: { countyFips: [countyFips(3)] },
  limit: 50
})

/** What most of all properties match, within an area around all of them. */
const ofMost = (
  named: string,
  ...polygons: ReadonlyArray<ReadonlyArray<ReadonlyArray<Place>>>
): ReadonlyArray<WorstRequest> => {
  const within = { type: "MultiPolygon", coordinates: polygons }
  return [
    ...(["relevance", "commonName"] as const).map((sortBy) =>
      searchCovered(`filters: within ${named}, where all is covered, locked or nothing researched, by ${sortBy}`, {
        filters: { within, researchState: ["locked", "none"] },
        limit: 200,
        sortBy
      })
    ),
    search(`filters: within ${named}, but for a list, what is in the pipeline and what is open, by name, far`, {
      filters: { within, notInListId: listId, pipelineStatus: ["none"], researchState: ["locked", "none"] },
      limit: 200,
      offset: 9000,
      sortBy: "commonName"
    }),
    ...(["relevance", "city"] as const).flatMap((sortBy) => [
      search(`filters: within ${named}, but for a list, what is in the pipeline and what is open, by ${sortBy}`, {
        filters: { within, notInListId: listId, pipelineStatus: ["none"], researchState: ["locked", "none"] },
        limit: 200,
        sortBy
      }),
      search(`filters: within ${named}, built since 1900, by ${sortBy}`, {
        filters: { within, minYearBuilt: 1900 },
        limit: 200,
        sortBy
      })
    ]),
    search(`filters: within ${named}, but for what is in the pipeline, by address, far`, {
      filters: { within, pipelineStatus: ["none"] },
      limit: 200,
      offset: 9000,
      sortBy: "address"
    }),
    search(`filters: within ${named}, changed ever`, {
      filters: { within, changedWithinDays: 3650, minBuildingSqft: 5000, customerStatus: "none" },
      limit: 200,
      sortBy: "lastEnrichedAt"
    }),
    search(`filters: within ${named}, nothing researched`, {
      filters: { within, researchState: ["none"] },
      limit: 200
    }),
    search(`filters: within ${named}, of two constructions, nothing researched, not in a list`, {
      filters: {
        within,
        primaryConstructionType: ["Wood Frame", "Concrete"],
        researchState: ["none"],
        notInListId: listId
      },
      limit: 200
    })
  ]
}

export const worst: ReadonlyArray<WorstRequest> = [
  resolve("resolve: 100 addresses without a number", () => ({ address: "Holdings Partners Larkspur" })),
  resolve(
    "resolve: 100 addresses without a number, in a city",
    () => ({ address: "Holdings Larkspur", city: "Eastwick" })
  ),
  resolve("resolve: 100 addresses of one number", (n) => ({ address: `100 Nowhere${n} Street` })),
  search("query: a rare word of two letters", { query: "zq", limit: 200 }),
  search("query: three letters beyond ASCII", { query: "жжж", limit: 200 }),
  search("query: punctuation", { query: "%% __", limit: 200 }),
  search("query: common words that never meet", { query: "avenue road", limit: 200 }),
  search("query: a rare word, sorted", { query: "zq", limit: 200, sortBy: "buildingSqft" }),
  search("query: a common word, sorted", { query: "st", limit: 200, sortBy: "buildingSqft" }),
  search("query: a common word, by name", { query: "st", limit: 200, sortBy: "commonName" }),
  search("query: ten letters, by name", { query: "a e i o r s t l n d", limit: 200, sortBy: "commonName" }),
  search("query: ten letters, by address", { query: "a e i o r s t l n d", limit: 200, sortBy: "address" }),
  search("query: ten letters, by year", { query: "a e i o r s t l n d", limit: 200, sortBy: "yearBuilt" }),
  search("query: common words that never meet, by size", { query: "avenue road", limit: 200, sortBy: "buildingSqft" }),
  search("query: an abbreviation that is not there, and common words", { query: "north o family trust", limit: 200 }),
  search("filters: within 1,000 points", {
    filters: { within: { type: "Polygon", coordinates: [spikes] } },
    limit: 200
  }),
  search("filters: within 1,000 points that cross themselves", {
    filters: { within: { type: "Polygon", coordinates: [scribble] } },
    limit: 200
  }),
  search("filters: within 1,000 points in no order", {
    filters: { within: { type: "Polygon", coordinates: [jumble] } },
    limit: 200
  }),
  search("filters: within 1,000 points askew", {
    filters: { within: { type: "Polygon", coordinates: [askew] } },
    limit: 200
  }),
  search("filters: within two combs that cross", {
    filters: { within: { type: "MultiPolygon", coordinates: twoCombs } },
    limit: 200
  }),
  ...ofMost("a rectangle", [aroundAll]),
  ...ofMost("six corners", [sixCorners]),
  ...ofMost("1,000 points askew", [askew]),
  ...ofMost("two combs that cross", ...twoCombs),
  search("filters: within twenty squares, but for a list, by address, the second page", {
    filters: { within: { type: "MultiPolygon", coordinates: squares }, notInListId: listId },
    limit: 200,
    offset: 200,
    sortBy: "address"
  }),
  search("filters: within a rectangle, an owner that nothing else fits", {
    filters: {
      within: { type: "Polygon", coordinates: [aroundAll] },
      ownerName: "er",
      minBuildingSqft: 5000,
      hasEmailContact: true,
      categories: ["Office"],
      researchState: ["none"]
    },
    limit: 200
  }),
  search("filters: within a rectangle, an owner with an email address, locked or unknown, by update", {
    filters: {
      within: { type: "Polygon", coordinates: [aroundAll] },
      ownerName: "holdings",
      hasEmailContact: true,
      researchState: ["locked", "none"]
    },
    limit: 200,
    sortBy: "updatedAt"
  }),
  search("filters: near, 32 km", { filters: { near: { lat: 28.5, lon: -117.5, radiusMeters: 32_000 } }, limit: 200 }),
  search("bounds: 5 degrees", { bounds: { north: 33, south: 28, west: -118, east: -113 }, limit: 200, offset: 10_000 }),
  search("bounds: 5 degrees, by owner", {
    bounds: { north: 33, south: 28, west: -118, east: -113 },
    limit: 200,
    offset: 10_000,
    sortBy: "owner"
  }),
  search("filters: 50 counties", { filters: { countyFips: fifty }, limit: 200, offset: 10_000 }),
  search("filters: 50 counties, by owner", {
    filters: { countyFips: fifty },
    limit: 200,
    offset: 10_000,
    sortBy: "owner"
  }),
  search("filters: 50 counties, by city", {
    filters: { countyFips: fifty },
    limit: 200,
    offset: 10_000,
    sortBy: "city"
  }),
  search("filters: 50 counties, changed ever", { filters: { countyFips: fifty, changedWithinDays: 3650 }, limit: 200 }),
  search("filters: 50 counties and all the rest", {
    filters: {
      countyFips: fifty,
      ownerName: "er",
      minRoofAreaSqft: 0,
      hasPool: false,
      roofCover: ["Metal"],
      researchState: ["locked", "none"],
      notInListId: listId,
      pipelineStatus: ["none"],
      customerStatus: "none",
      includeUnknown: ["roofAreaSqft", "hasPool", "roofCover", "ownerName"]
    },
    limit: 200,
    offset: 10_000,
    sortBy: "lastEnrichedAt"
  }),
  search("filters: 200 zips, by address", {
    filters: { zipCodes: Array.from({ length: 200 }, (_, n) => String(10_000 + Math.trunc(n / 25) * 40 + n % 25)) },
    limit: 200,
    sortBy: "address"
  }),
  people("contacts/browse", { limit: 200 }),
  people("contacts/browse: far", { limit: 200, offset: maximumOffset, sort: "propertyCount" }),
  people("contacts/browse: far, by employer", { limit: 200, offset: maximumOffset }),
  people("contacts/browse: a letter of the title", { limit: 200, titleText: "m" }),
  people("contacts/browse: locked", { limit: 200, revealedState: "locked" }),
  people("contacts/browse: locked, 50 counties", { limit: 200, revealedState: "locked", countyFips: fifty }),
  people("contacts/browse: locked, a letter of the title, 50 counties", {
    limit: 200,
    revealedState: "locked",
    titleText: "m",
    countyFips: fifty
  }),
  peopleCovered("contacts/browse: locked, where all is covered", { limit: 200, revealedState: "locked" }),
  peopleCovered("contacts/browse: locked, where all is covered, two letters of the employer", {
    limit: 200,
    revealedState: "locked",
    employerText: "er"
  }),
  people("contacts/browse: a rare pair of the employer", { limit: 200, employerText: "zq" }),
  people("contacts/browse: three letters beyond ASCII of the title", { limit: 200, titleText: "жжж" }),
  people("contacts/browse: two letters of title and employer", { limit: 200, titleText: "er", employerText: "er" }),
  people("contacts/browse: changed ever", { limit: 200, changedWithinDays: 3650 }),
  people("contacts/browse: two letters of the title, changed ever, 50 counties", {
    limit: 200,
    titleText: "e r",
    changedKinds: ["contact_departure"],
    countyFips: fifty
  }),
  people("contacts/browse: a firm's people, by market", {
    limit: 200,
    organizationId: firmId(1),
    marketCountyFips: countyFips(0),
    sort: "marketRank"
  }),
  get("contacts/search: two letters", "/contacts/search?query=zq&limit=50"),
  get("contacts/search: two letters of titles alone", "/contacts/search?query=an&limit=50"),
  get(
    "contacts/search: three letters beyond ASCII",
    `/contacts/search?query=${encodeURIComponent("жжж")}&limit=50`
  ),
  firms("organizations/browse", { limit: 200 }),
  firms("organizations/browse: 50 counties", { limit: 200, countyFips: fifty }),
  firms("organizations/browse: 50 counties, two letters", { limit: 200, countyFips: fifty, query: "er" }),
  firms("organizations/browse: a role in 50 counties", { limit: 200, countyFips: fifty, role: "owner" }),
  firms("organizations/browse: a role that none has, two letters", { limit: 200, role: "tenant", query: "er" }),
  firms("organizations/browse: far", { limit: 200, offset: maximumOffset }),
  firmsCovered("organizations/browse: all covered", { limit: 200 }),
  firmsCovered("organizations/browse: all covered, by number", { limit: 200, sort: "propertyCount" }),
  firmsCovered("organizations/browse: all covered, 50 counties, two letters", {
    limit: 200,
    countyFips: fifty,
    query: "er"
  }),
  firmsCovered("organizations/browse: all covered, 50 counties, two letters, of many", {
    limit: 200,
    countyFips: fifty,
    query: "er",
    minProperties: 3
  }),
  firmsCovered("organizations/browse: all covered, 50 counties, two letters, by number", {
    limit: 200,
    countyFips: fifty,
    query: "er",
    sort: "propertyCount"
  }),
  firmsCovered("organizations/browse: all covered, six counties, two letters, by name, far", {
    limit: 200,
    countyFips: [0, 60, 120, 180, 240, 299].map((county) => countyFips(county)),
    query: "er",
    offset: 10_000
  }),
  firmsCovered("organizations/browse: all covered, a role in 50 counties, by number", {
    limit: 200,
    countyFips: fifty,
    role: "property_manager",
    sort: "propertyCount"
  }),
  firmsCovered("organizations/browse: all covered, owners in 50 counties all over, by number", {
    limit: 200,
    countyFips: Array.from({ length: 50 }, (_, county) => countyFips(county * 6)),
    role: "owner",
    sort: "propertyCount"
  }),
  get("organizations/{id}: the largest", `/organizations/${firmId(1)}`),
  get("organizations/{id}/properties: the largest", `/organizations/${firmId(1)}/properties`),
  get("changes: ten years", "/changes?days=3650&limit=200"),
  post("/access/check")("access/check: 500 people of a thousand properties", {
    contact_ids: Array.from({ length: 500 }, (_, n) => busyPerson(n + 1))
  })
]
