/**
 * The search over all properties: a port of its own, so that an index engine can stand in for the database.
 *
 * A query comes fully checked and already narrowed to what the caller may see: an adapter never decides over rights. How
 * values compare is in `SearchOrder` (text by code point, A to Z as a to z), what lies where in `Geography`.
 */
import { Context, type Effect } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { Viewer } from "../coverage/Viewer.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { PropertySummary } from "./Property.ts"

/** The fields with a minimum and a maximum, both included. */
export type RangeField =
  | "buildingSqft"
  | "lotSqft"
  | "roofAreaSqft"
  | "landscapableSqft"
  | "footprintArea"
  | "yearBuilt"
  | "effectiveYearBuilt"
  | "numFloors"
  | "totalUnits"
  | "contactCount"
  | "totalParval"
  | "lastSaleDate"
  | "updatedAt"
  | "lastEnrichedAt"

/** The fields with a set of accepted values, compared without regard to case. */
export type ChoiceField =
  | "assetCategory"
  | "assetSubcategory"
  | "primaryConstructionType"
  | "roofCover"
  | "roofShape"
  | "heatingType"
  | "coolingType"
  | "enrichmentStatus"

/** Those of them whose values are in the words of the sources. */
export type WordedField = "primaryConstructionType" | "roofCover" | "roofShape" | "heatingType" | "coolingType"

/** One condition on a property. Conditions are joined by AND; what is inside one, by OR. A null value matches none. */
export type Condition =
  | { readonly _tag: "Counties"; readonly countyFips: ReadonlyArray<string> }
  | { readonly _tag: "Zips"; readonly zipCodes: ReadonlyArray<string> }
  /** City names in lower case, each with its state when it was given. */
  | {
    readonly _tag: "Cities"
    readonly cities: ReadonlyArray<{ readonly city: string; readonly state: string | null }>
  }
  /** A map box; `west > east` crosses the antimeridian. Degrees, WGS84, borders included. */
  | {
    readonly _tag: "Box"
    readonly north: number
    readonly south: number
    readonly east: number
    readonly west: number
  }
  /** Rings of longitude and latitude; the first ring of a polygon is its border, the others are holes. */
  | {
    readonly _tag: "Within"
    readonly polygons: ReadonlyArray<ReadonlyArray<ReadonlyArray<readonly [number, number]>>>
  }
  | { readonly _tag: "Near"; readonly lat: number; readonly lon: number; readonly radiusMeters: number }
  | {
    readonly _tag: "Range"
    readonly field: RangeField
    readonly min: number | string | null
    readonly max: number | string | null
    /** A null value matches too. */
    readonly orUnknown: boolean
  }
  | {
    readonly _tag: "OneOf"
    readonly field: ChoiceField
    readonly values: ReadonlyArray<string>
    readonly orUnknown: boolean
  }
  /** A case-insensitive substring, whatever its accents. */
  | {
    readonly _tag: "Contains"
    readonly field: "ownerName" | "commonName"
    readonly text: string
    readonly orUnknown: boolean
  }
  | {
    readonly _tag: "Is"
    readonly field: "hasPool" | "hasSprinklers"
    readonly value: boolean
    readonly orUnknown: boolean
  }
  /** The property has, or has not, any contact, any with an email, any with a phone. */
  | { readonly _tag: "HasContact"; readonly which: "any" | "email" | "phone"; readonly value: boolean }
  /** The research state as the organization sees it. */
  | { readonly _tag: "ResearchStates"; readonly states: ReadonlyArray<"revealed" | "locked" | "none"> }
  /**
   * A firm that owns by county record, or by any attribution at properties that are revealed to the organization. `role`
   * null: any.
   */
  | { readonly _tag: "Firm"; readonly firmId: string; readonly role: string | null }
  /** Lead stages of the organization; `none`: never in its pipeline. */
  | { readonly _tag: "PipelineStatuses"; readonly statuses: ReadonlyArray<string> }
  | { readonly _tag: "CustomerStatuses"; readonly statuses: ReadonlyArray<"active" | "churned" | "none"> }
  /** Of the organization's list of properties or not; a list that does not exist is empty. */
  | { readonly _tag: "List"; readonly listId: string; readonly member: boolean }
  /** A change of one of the kinds was recorded (and not withdrawn) at or after `since` (milliseconds; null: ever). */
  | { readonly _tag: "Changed"; readonly kinds: ReadonlyArray<string>; readonly since: number | null }

/** The columns a search can be ordered by; the last tie is always broken by id, ascending. */
export type SortColumn =
  | "commonName"
  | "lotSqft"
  | "buildingSqft"
  | "totalUnits"
  | "contactCount"
  | "landscapableSqft"
  | "roofAreaSqft"
  | "footprintArea"
  | "yearBuilt"
  | "numFloors"
  | "ownerName"
  | "totalParval"
  | "updatedAt"
  | "lastEnrichedAt"
  | "lastSaleDate"
  | "rawAddress"
  | "city"
  | "recordOwner"

/**
 * The order of the rows. Numbers and dates: null last in both directions. Text: null counts as the highest value, last
 * ascending and first descending.
 */
export interface Sort {
  readonly column: SortColumn
  readonly direction: "asc" | "desc"
}

/** The sort value and id of the last row of the page before. */
export interface After {
  readonly value: string | number | null
  readonly id: string
}

/** A page by free text: every word is a case-insensitive substring of one of the fields. */
export interface TextSearch {
  readonly viewer: Viewer
  /** Lower case. Each stands in one of the fields, or is in the address as one of `alsoSpelled`. */
  readonly words: ReadonlyArray<string>
  /** Of each, one stands in the address as a word. Lower case, letters alone. */
  readonly spellings: ReadonlyArray<ReadonlyArray<string>>
  /**
   * Of the words: letters stand for those with accents too, and those for the letters; left out: as they are written. It is asked for where
   * nothing has them so, and finds nothing where neither a word nor the properties' fields have a letter beyond ASCII.
   */
  readonly anyAccents?: boolean
  /** Whether the common name is among the fields looked at, beside address, city and owner. */
  readonly withNames: boolean
  readonly sort: Sort
  readonly after: After | null
  readonly limit: number
  /**
   * Whether rows with every field are asked for. A compact row may leave the others null, or empty where that cannot be, and
   * tell of `researchedAt` no more than whether it is null.
   */
  readonly full: boolean
}

/** A page by location. */
export interface LocationSearch {
  readonly viewer: Viewer
  readonly conditions: ReadonlyArray<Condition>
  readonly sort: Sort
  readonly after: After | null
  /** Rows to skip after that. */
  readonly offset: number
  readonly limit: number
  readonly full: boolean
}

export interface TextPage {
  readonly rows: ReadonlyArray<PropertySummary>
  /** The position after the last row; null when there is no further row. */
  readonly next: After | null
}

export interface LocationPage extends TextPage {
  /** All matches, exact, those before the position too. */
  readonly total: number
  /** All matches by category, most first; a row without a category counts under null. */
  readonly categories: ReadonlyArray<{ readonly category: string | null; readonly count: number }>
}

/** So many names of cities are told at once. */
export const mostCities = 5_000

/** A county with data. */
export interface County {
  readonly countyFips: string
  readonly name: string | null
  readonly state: string | null
}

/** All matches of a search by location, exact. */
export type LocationCount = Pick<LocationPage, "total" | "categories">

/** So many matches are looked at for the words that they have. */
export const mostWorded = 1000

/** Port: finds properties by conditions, in an order, page by page. */
export class PropertySearch extends Context.Service<PropertySearch, {
  /** Retired properties are never found. */
  byText(search: TextSearch): Effect.Effect<TextPage, TemporarilyUnavailable>
  byLocation(search: LocationSearch): Effect.Effect<LocationPage, TemporarilyUnavailable>
  /** How many match, without reading a page; it stops counting at `most`. */
  countByText(
    search: Pick<TextSearch, "viewer" | "words" | "spellings" | "anyAccents" | "withNames">,
    most: number
  ): Effect.Effect<number, TemporarilyUnavailable>
  countByLocation(
    search: Pick<LocationSearch, "viewer" | "conditions">
  ): Effect.Effect<LocationCount, TemporarilyUnavailable>
  /** Whether anything matches, for each of several sets of conditions. */
  matchesAny(
    viewer: Viewer,
    alternatives: ReadonlyArray<ReadonlyArray<Condition>>
  ): Effect.Effect<ReadonlyArray<boolean>, TemporarilyUnavailable>
  /** Which values some of the matches have in the field: those of a thousand at most, the most frequent first. */
  wordsFor(
    field: WordedField,
    search: Pick<LocationSearch, "viewer" | "conditions">,
    most: number
  ): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>
  /** The states in which the visible area has a city of each of these names (lower case); to tell them apart. */
  citiesNamed(
    names: ReadonlyArray<string>,
    visible: Area
  ): Effect.Effect<ReadonlyArray<{ readonly city: string; readonly state: string }>, TemporarilyUnavailable>
  /** Cities of the visible area that begin with one of the letters (a to z), each once, in lower case; 5,000 at most. */
  citiesBeginning(
    letters: ReadonlyArray<string>,
    visible: Area
  ): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>
  /** Every county that any property lies in; may lag a little behind an import. */
  counties: Effect.Effect<ReadonlyArray<County>, TemporarilyUnavailable>
}>()("@freehold/core/property/PropertySearch") {}
