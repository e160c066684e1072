/**
 * `PropertySearch` in memory: every property is looked at, so this is also the definition of what a search finds.
 *
 * Times are kept in milliseconds here, and a cursor holds the time as the API shows it.
 */
import { DateTime, Effect, Layer } from "effect"
import type { Area } from "../../coverage/Territory.ts"
import * as Territory from "../../coverage/Territory.ts"
import { stateOfCounty } from "../../coverage/UsState.ts"
import type { Viewer } from "../../coverage/Viewer.ts"
import { compareText, folded } from "../../operation/TextOrder.ts"
import { greatCircleMeters, inBox, inPolygons, type Place } from "../../property/Geography.ts"
import type { Property } from "../../property/Property.ts"
import {
  type After,
  type Condition,
  type County,
  type LocationSearch,
  PropertySearch,
  type RangeField,
  type Sort,
  type SortColumn,
  type TextSearch
} from "../../property/PropertySearch.ts"
import { reveal } from "../../property/Research.ts"
import { nullsFirst, rangeKinds, sortKinds } from "../../property/SearchOrder.ts"
import { listedFirms } from "../Listed.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { compareBy, readingOf } from "./PropertyReading.ts"

/** The value of a column that a search compares. */
const valueOf = (property: Property, column: SortColumn | RangeField): string | number | null =>
  column === "contactCount" ? property.contactCounts.contacts : property[column]

const millisOf = (time: string | number): number => DateTime.makeUnsafe(time).epochMilliseconds

const within = (area: Area, { countyFips }: Property): boolean => Territory.contains(area, countyFips)

const placeOf = ({ lat, lon }: Property): Place | null => lat === null || lon === null ? null : { lat, lon }

const revealTo = (viewer: Viewer, property: Property) =>
  reveal({
    researched: property.research !== null,
    unlocked: property.unlocked,
    covered: within(viewer.covered, property)
  })

const inRange = (
  field: RangeField,
  value: number | string,
  min: number | string | null,
  max: number | string | null
) => {
  const comparable = rangeKinds[field] === "time" ? millisOf : (bound: number | string) => bound
  return (min === null || comparable(value) >= comparable(min)) &&
    (max === null || comparable(value) <= comparable(max))
}

const equalsIgnoringCase = (text: string) => (other: string): boolean => other.toLowerCase() === text.toLowerCase()

/** Whether a property meets a condition, as the viewer sees it. */
const meets = (state: State, viewer: Viewer, condition: Condition) => (property: Property): boolean => {
  const kept = `${viewer.orgId} ${property.id}`
  switch (condition._tag) {
    case "Counties":
      return condition.countyFips.includes(property.countyFips)
    case "Zips":
      return property.zip !== null && condition.zipCodes.includes(property.zip)
    case "Cities":
      return condition.cities.some(({ city, state: abbr }) =>
        property.city?.toLowerCase() === city && (abbr === null || abbr === property.state)
      )
    case "Box": {
      const place = placeOf(property)
      return place !== null && inBox(condition, place)
    }
    case "Within": {
      const place = placeOf(property)
      return place !== null && inPolygons(condition.polygons, place)
    }
    case "Near": {
      const place = placeOf(property)
      return place !== null && greatCircleMeters(condition, place) <= condition.radiusMeters
    }
    case "Range": {
      const value = valueOf(property, condition.field)
      return value === null ? condition.orUnknown : inRange(condition.field, value, condition.min, condition.max)
    }
    case "OneOf": {
      const value = property[condition.field]
      return value === null ? condition.orUnknown : condition.values.some(equalsIgnoringCase(value))
    }
    case "Contains": {
      const value = property[condition.field]
      return value === null ? condition.orUnknown : value.toLowerCase().includes(condition.text.toLowerCase())
    }
    case "Is": {
      const value = property[condition.field]
      return value === null ? condition.orUnknown : value === condition.value
    }
    case "HasContact": {
      const { contacts, withEmail, withPhone } = property.contactCounts
      const count = { any: contacts, email: withEmail, phone: withPhone }[condition.which]
      return count > 0 === condition.value
    }
    case "ResearchStates":
      return condition.states.includes(revealTo(viewer, property).researchState)
    case "Firm":
      return listedFirms(state, property.id).some((firm) =>
        firm.id === condition.firmId && (condition.role === null || firm.role === condition.role) &&
        (firm.role === "owner" && firm.attributionType === "county_record" ||
          revealTo(viewer, property).researchRevealed)
      )
    case "PipelineStatuses":
      return condition.statuses.includes(state.leads.get(kept)?.status ?? "none")
    case "CustomerStatuses":
      return condition.statuses.includes(state.customerAccounts.get(kept) ?? "none")
    case "List":
      return (state.lists.get(`${viewer.orgId} ${condition.listId}`)?.items.has(property.id) ?? false) ===
        condition.member
    case "Changed":
      return state.changes.some((change) =>
        change.propertyId === property.id && condition.kinds.includes(change.kind) &&
        (condition.since === null || change.detectedAt !== null && change.detectedAt >= condition.since) &&
        !state.changes.some((other) => other.withdraws === change.id)
      )
  }
}

/** Whether every word is a substring of one of the fields. */
const saysAll = ({ withNames, words }: TextSearch) => (property: Property): boolean => {
  const texts = [
    property.address,
    property.city,
    property.recordOwner,
    property.ownerName,
    withNames ? property.commonName : null
  ].flatMap((text) => text?.toLowerCase() ?? [])
  return words.every((word) => texts.some((text) => text.includes(word)))
}

/** Where a row stands in an order. */
const positionOf = ({ column }: Sort) => (property: Property): After => {
  const value = valueOf(property, column)
  return { value: typeof value === "string" && sortKinds[column] === "text" ? folded(value) : value, id: property.id }
}

const compareValues = (left: string | number, right: string | number): number =>
  typeof left === "number" && typeof right === "number" ? left - right : compareText(String(left), String(right))

/** The order of two positions. */
const comparePositions = (sort: Sort) => (left: After, right: After): number => {
  const ties = compareText(left.id, right.id)
  if (left.value === null || right.value === null) {
    const leftFirst = nullsFirst(sort) ? left.value === null : right.value === null
    return left.value === right.value ? ties : leftFirst ? -1 : 1
  }
  const difference = compareValues(left.value, right.value)
  return difference === 0 ? ties : sort.direction === "asc" ? difference : -difference
}

/** Of the matches, in order, those after the position and beyond the offset. */
const pageOf = (
  matches: ReadonlyArray<Property>,
  { after, limit, offset, sort }: Pick<LocationSearch, "after" | "limit" | "offset" | "sort">
) => {
  const compare = comparePositions(sort)
  const rest = matches.map((property) => ({ property, position: positionOf(sort)(property) }))
    .filter(({ position }) => after === null || compare(position, after) > 0)
    .sort((left, right) => compare(left.position, right.position))
    .slice(offset)
  const page = rest.slice(0, limit)
  return {
    rows: page.map(({ property }) => property),
    next: rest.length > limit ? page.at(-1)?.position ?? null : null
  }
}

const breakdownOf = (properties: ReadonlyArray<Property>) =>
  Array.from(
    Map.groupBy(properties, ({ assetCategory }) => assetCategory),
    ([category, { length: count }]) => ({ category, count })
  ).sort(compareBy(
    (left, right) => right.count - left.count,
    (left, right) => Number(left.category === null) - Number(right.category === null),
    (left, right) => compareText(left.category ?? "", right.category ?? "")
  ))

/** `PropertySearch` in memory. */
export const layer: Layer.Layer<PropertySearch, never, MemoryState> = Layer.effect(
  PropertySearch,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const visibleTo = (viewer: Viewer): ReadonlyArray<Property> => {
      const reading = readingOf(state, viewer.orgId)
      return Array.from(state.properties.values(), reading.property)
        .filter((property) => property.retiredInto === null && within(viewer.visible, property))
    }

    return PropertySearch.of({
      byText: Effect.fn("PropertySearch.byText")((search) =>
        Effect.sync(() => {
          const { viewer } = search
          return pageOf(visibleTo(viewer).filter(saysAll(search)), { ...search, offset: 0 })
        })
      ),

      byLocation: Effect.fn("PropertySearch.byLocation")((search) =>
        Effect.sync(() => {
          const { conditions, viewer } = search
          const found = conditions.reduce(
            (properties, condition) => properties.filter(meets(state, viewer, condition)),
            visibleTo(viewer)
          )
          return {
            ...pageOf(found, search),
            total: found.length,
            categories: breakdownOf(found)
          }
        })
      ),

      citiesNamed: Effect.fn("PropertySearch.citiesNamed")((names, visible) =>
        Effect.sync(() => {
          const known = new Map(
            Array.from(state.properties.values()).flatMap(({ city, countyFips, retiredInto, state: abbr }) =>
              city !== null && abbr !== null && retiredInto === null &&
                names.includes(city.toLowerCase()) && Territory.contains(visible, countyFips)
                ? [[`${city.toLowerCase()}, ${abbr}`, { city: city.toLowerCase(), state: abbr }]]
                : []
            )
          )
          return Array.from(known.values())
        })
      ),

      counties: Effect.sync(() => {
        const counties = new Map<string, County>()
        for (const { county, countyFips } of state.properties.values()) {
          const name = counties.get(countyFips)?.name ?? county
          counties.set(countyFips, { countyFips, name, state: stateOfCounty(countyFips) ?? null })
        }
        return Array.from(counties.values()).sort((left, right) => compareText(left.countyFips, right.countyFips))
      })
    })
  })
)
