/** What each filter is called, and where its values come from. A filter that the service gains and this table lacks does not compile. */
import { number, word } from "../part/Wording.ts"
import { filterKinds, type Filters } from "./SearchUrl.ts"

/** Drawn on the map, not chosen from the table. */
export type DrawnName = "within" | "near"

export type FilterName = Exclude<keyof Filters, DrawnName>

export const groups = [
  "Place",
  "Building",
  "People and research",
  "Owner",
  "Sale and value",
  "Pipeline and lists"
] as const

interface FilterWords {
  readonly label: string
  readonly group: (typeof groups)[number]
  /** Of the number that is asked for, where the label does not say it. */
  readonly unit?: string
  /** Stands before or behind the value of a chip. */
  readonly chip?: (value: string) => string
  /** Values are looked up; others have theirs in the schema of the filter, or are free. */
  readonly lookup?: "categories" | "subcategories" | "counties" | "lists"
}

const atLeast = (unit: string) => (value: string): string => `≥ ${value} ${unit}`
const atMost = (unit: string) => (value: string): string => `≤ ${value} ${unit}`

export const filterWords: Readonly<Record<FilterName, FilterWords>> = {
  countyFips: { label: "County", group: "Place", lookup: "counties" },
  countyNames: { label: "County by name", group: "Place" },
  cities: { label: "City", group: "Place" },
  zipCodes: { label: "Zip code", group: "Place", chip: (value) => `Zip ${value}` },
  // By itself it is no place to the service: it says which city, or which county by name, is meant.
  states: { label: "State, beside a city or a county", group: "Place", chip: (value) => `State: ${value}` },
  categories: { label: "Category", group: "Building", lookup: "categories" },
  subcategories: { label: "Subcategory", group: "Building", lookup: "subcategories" },
  minBuildingSqft: { label: "Building, at least", group: "Building", unit: "sqft", chip: atLeast("sqft") },
  maxBuildingSqft: { label: "Building, at most", group: "Building", unit: "sqft", chip: atMost("sqft") },
  minLotSqft: { label: "Lot, at least", group: "Building", unit: "sqft", chip: atLeast("sqft of lot") },
  maxLotSqft: { label: "Lot, at most", group: "Building", unit: "sqft", chip: atMost("sqft of lot") },
  minRoofAreaSqft: { label: "Roof, at least", group: "Building", unit: "sqft", chip: atLeast("sqft of roof") },
  maxRoofAreaSqft: { label: "Roof, at most", group: "Building", unit: "sqft", chip: atMost("sqft of roof") },
  minLandscapableSqft: {
    label: "Landscapable, at least",
    group: "Building",
    unit: "sqft",
    chip: atLeast("sqft landscapable")
  },
  maxLandscapableSqft: {
    label: "Landscapable, at most",
    group: "Building",
    unit: "sqft",
    chip: atMost("sqft landscapable")
  },
  minBuildingFootprintSqft: {
    label: "Footprint, at least",
    group: "Building",
    unit: "sqft",
    chip: atLeast("sqft of footprint")
  },
  maxBuildingFootprintSqft: {
    label: "Footprint, at most",
    group: "Building",
    unit: "sqft",
    chip: atMost("sqft of footprint")
  },
  minYearBuilt: { label: "Built since", group: "Building", chip: (value) => `Built since ${value}` },
  maxYearBuilt: { label: "Built until", group: "Building", chip: (value) => `Built until ${value}` },
  minEffectiveYearBuilt: { label: "Renewed since", group: "Building", chip: (value) => `Renewed since ${value}` },
  maxEffectiveYearBuilt: { label: "Renewed until", group: "Building", chip: (value) => `Renewed until ${value}` },
  minNumFloors: { label: "Floors, at least", group: "Building", chip: atLeast("floors") },
  maxNumFloors: { label: "Floors, at most", group: "Building", chip: atMost("floors") },
  minTotalUnits: { label: "Units, at least", group: "Building", chip: atLeast("units") },
  maxTotalUnits: { label: "Units, at most", group: "Building", chip: atMost("units") },
  primaryConstructionType: { label: "Construction", group: "Building" },
  roofCover: { label: "Roof cover", group: "Building" },
  roofShape: { label: "Roof shape", group: "Building" },
  heatingType: { label: "Heating", group: "Building" },
  coolingType: { label: "Cooling", group: "Building" },
  hasPool: { label: "Pool", group: "Building" },
  hasSprinklers: { label: "Sprinklers", group: "Building" },
  minContactCount: { label: "People, at least", group: "People and research", chip: atLeast("people") },
  maxContactCount: { label: "People, at most", group: "People and research", chip: atMost("people") },
  hasContacts: { label: "Any people", group: "People and research" },
  hasEmailContact: { label: "Somebody with email", group: "People and research" },
  hasPhoneContact: { label: "Somebody with phone", group: "People and research" },
  researchState: { label: "Research", group: "People and research" },
  enrichmentStatus: { label: "Research run", group: "People and research" },
  lastEnrichedAfter: { label: "Researched after", group: "People and research" },
  lastEnrichedBefore: { label: "Researched before", group: "People and research" },
  ownerName: { label: "Owner of record", group: "Owner" },
  commonName: { label: "Name of the property", group: "Owner" },
  organizationId: { label: "Firm, by its id", group: "Owner" },
  organizationRole: { label: "Role of that firm", group: "Owner" },
  minPropertyValue: {
    label: "Value, at least",
    group: "Sale and value",
    unit: "US dollars",
    chip: (value) => `≥ $${value}`
  },
  maxPropertyValue: {
    label: "Value, at most",
    group: "Sale and value",
    unit: "US dollars",
    chip: (value) => `≤ $${value}`
  },
  lastSaleAfter: { label: "Sold after", group: "Sale and value" },
  lastSaleBefore: { label: "Sold before", group: "Sale and value" },
  changedKinds: { label: "Kind of change", group: "Sale and value" },
  changedWithinDays: {
    label: "Changed within days",
    group: "Sale and value",
    chip: (value) => `Changed within ${value} days`
  },
  updatedAfter: { label: "Record updated after", group: "Sale and value" },
  inListId: { label: "On the list", group: "Pipeline and lists", lookup: "lists" },
  notInListId: { label: "Not on the list", group: "Pipeline and lists", lookup: "lists" },
  pipelineStatus: { label: "Stage of the lead", group: "Pipeline and lists" },
  customerStatus: { label: "Customer", group: "Pipeline and lists" },
  includeUnknown: { label: "Also where it is not known", group: "Pipeline and lists" }
}

const isFilterName = (name: string): name is FilterName => Object.hasOwn(filterWords, name)

export const filterNames: ReadonlyArray<FilterName> = Object.keys(filterWords).filter(isFilterName)

/** Filters whose value is a day. */
export const isDay = (name: FilterName): boolean => /(After|Before)$/.test(name)

/** What the chip of a filter says; `labels`: of values that are no words themselves. */
export const chipText = (name: FilterName, filters: Filters, labels: ReadonlyMap<string, string>): string => {
  const value = filters[name]
  const { chip, label } = filterWords[name]
  if (typeof value === "boolean") return `${label}: ${value ? "yes" : "no"}`
  const text = (Array.isArray(value) ? value : [value])
    .map((each: unknown) =>
      typeof each === "number" && !name.includes("Year")
        ? number(each)
        : labels.get(String(each)) ?? (isDay(name) ? String(each).slice(0, 10) : word(String(each)))
    )
    .join(", ")
  return chip === undefined ? `${label}: ${text}` : chip(text)
}

export const kindOf = (name: FilterName) => filterKinds[name]
