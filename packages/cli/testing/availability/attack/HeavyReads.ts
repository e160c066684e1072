/** Reads that make the database work hardest, by the ten keys of one organization. */
import type { Attack, Order } from "../Attack.ts"
import { flood, post, read, type Request, tool } from "../Request.ts"
import { everyCounty } from "../Scene.ts"

/** An area of all states of the made-up properties. */
export const everywhere = { serviceable_area: { whole_state_abbrs: ["TX", "CA", "FL", "NY", "IL"], county_fips: [] } }

const heavy = (
  name: string,
  requestOf: (order: Order, n: number) => Request,
  organization: Attack["organization"] = everywhere
): Attack => ({
  name,
  by: "organization",
  meets: "200",
  organization,
  run: (force) => flood(force, (n) => requestOf(force, n))
})

const search = (body: object) => post("/properties/search", { limit: 200, verbosity: "full", ...body })

/** A star of a thousand points, wide as a state. */
const star = (n: number) => {
  const corners = Array.from({ length: 999 }, (_, corner) => {
    const angle = corner / 999 * 2 * Math.PI
    const radius = corner % 2 === 0 ? 4 : 3 + n % 7 / 10
    return [-115 + radius * Math.cos(angle), 35 + radius * Math.sin(angle)]
  })
  return { type: "Polygon", coordinates: [[...corners, corners[0]]] }
}

/** A search whose conditions are as many as its points. */
export const polygonSearch = (n: number): Request => search({ filters: { within: star(n), customerStatus: "none" } })

const streets = ["Juniper", "Larkspur", "Meridian", "Harbor", "Quarry", "Foundry", "Orchard", "Summit", "Willow"]
const kinds = ["Street", "Avenue", "Road", "Boulevard", "Parkway"]
const streetOf = (n: number) => `${streets[n % streets.length]} ${kinds[n % kinds.length]}`

const hundred = Array.from({ length: 100 }, (_, row) => row)

export const attacks: ReadonlyArray<Attack> = [
  heavy("changes of ten years, most of them elsewhere", () => read("/changes?days=3650&limit=200"), {}),
  heavy("access of 500 contacts", ({ world }) => post("/access/check", { contact_ids: world.contacts }), {}),
  heavy("access of 500 properties", ({ world }) => post("/access/check", { property_ids: world.properties }), {}),
  heavy(
    "100 addresses without house numbers",
    (_, n) => post("/properties/resolve", { rows: hundred.map((row) => ({ address: streetOf(n + row) })) })
  ),
  heavy(
    "100 addresses that are nowhere",
    (_, n) =>
      post("/properties/resolve", {
        rows: hundred.map((row) => ({ address: `${row} Nonesuch ${n}`, city: "Nowhere" }))
      })
  ),
  heavy("polygon of 1,000 points", (_, n) => polygonSearch(n)),
  heavy("properties that changed", () =>
    search({
      filters: {
        countyFips: everyCounty,
        changedKinds: ["ownership_transfer", "sale", "manager_change"],
        changedWithinDays: 3650
      },
      sortBy: "propertyValue",
      offset: 9_800
    })),
  heavy("two letters that match nothing", () => search({ query: "zq" })),
  heavy("words that match much", (_, n) => search({ query: streetOf(n).slice(0, 4) })),
  heavy("part of a name, sorted by another field", (_, n) =>
    search({
      filters: { countyFips: everyCounty, ownerName: "in", commonName: "an" },
      sortBy: n % 2 === 0 ? "lastSaleDate" : "owner"
    })),
  heavy(
    "the last page of a map box",
    () => search({ bounds: { north: 33, south: 28.1, west: -118, east: -113.1 }, offset: 9_800, sortBy: "address" })
  ),
  heavy("people browsed", () => post("/contacts/browse", { sort: "propertyCount", limit: 200, titleText: "an" })),
  heavy("people by name", () => read("/contacts/search?query=Sample%20Person&limit=50")),
  heavy("firms browsed", () => post("/organizations/browse", { limit: 200 })),
  heavy(
    "a search by an assistant",
    (_, n) => tool("service_search_properties", { query: streetOf(n), limit: 200, verbosity: "full" })
  )
]
