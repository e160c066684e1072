/** Which properties meet a condition: in memory every property is looked at, so this is also the definition of what one means. */
import { DateTime } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import type { Area } from "../../coverage/Territory.ts"
import type { Viewer } from "../../coverage/Viewer.ts"
import { withoutAccents } from "../../operation/Accents.ts"
import { greatCircleMeters, inBox, inPolygons, type Place } from "../../property/Geography.ts"
import type { Property } from "../../property/Property.ts"
import type { Condition, RangeField, SortColumn } from "../../property/PropertySearch.ts"
import { reveal } from "../../property/Research.ts"
import { rangeKinds } from "../../property/SearchOrder.ts"
import { listedFirms } from "../Listed.ts"
import type { State } from "../MemoryState.ts"
import { readingOf } from "./PropertyReading.ts"

/** The value of a column that a search compares. */
export const valueOf = (property: Property, column: SortColumn | RangeField): string | number | null =>
  column === "contactCount" ? property.contactCounts.contacts : property[column]

const millisOf = (time: string | number): number => DateTime.makeUnsafe(time).epochMilliseconds

const within = (area: Area, { countyFips }: Property): boolean => Territory.contains(area, countyFips)

/** Where it lies; null: nobody knows. */
export const placeOf = ({ lat, lon }: Property): Place | null => lat === null || lon === null ? null : { lat, lon }

/** How its research stands with the viewer's organization. */
export const revealTo = (viewer: Viewer, property: Property) =>
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
      const plain = (text: string) => withoutAccents(text.toLowerCase())
      return value === null ? condition.orUnknown : plain(value).includes(plain(condition.text))
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

/** The properties that the viewer sees and that meet all conditions. */
export const matching = (
  state: State,
  viewer: Viewer,
  conditions: ReadonlyArray<Condition>
): ReadonlyArray<Property> => {
  const reading = readingOf(state, viewer.orgId)
  const visible = Array.from(state.properties.values(), reading.property)
    .filter((property) => property.retiredInto === null && within(viewer.visible, property))
  return conditions.reduce(
    (properties, condition) => properties.filter(meets(state, viewer, condition)),
    visible
  )
}
