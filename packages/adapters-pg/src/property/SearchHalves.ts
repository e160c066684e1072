/**
 * A search by location in halves: each of every second county that its area touches. What lies in both is all that matches, and the page of all is
 * among the first of both.
 */
import type { LocationSearch } from "@freehold/core/property/PropertySearch"
import * as Exclusions from "./Exclusions.ts"
import * as GriddedArea from "./GriddedArea.ts"

/** What is searched for, whether a page of it is asked for or how many there are. */
export type Searched = Pick<LocationSearch, "conditions" | "viewer">

export interface Half<Search extends Searched> {
  readonly search: Search
  readonly areas: GriddedArea.Areas
}

export type Halves<Search extends Searched> = readonly [Half<Search>, Half<Search>]

/** Of fewer counties a half would be looked for in another way than the whole. */
const fewest = 2 * Exclusions.manyCounties + 1

/** What takes long of a large area: to compare places with its lines, or what is asked for besides. */
const isHeavy = ({ conditions }: Searched, areas: GriddedArea.Areas): boolean =>
  conditions.length > 1 || GriddedArea.has(areas, ({ isCrossed }) => isCrossed)

const within = <Search extends Searched>(
  search: Search,
  areas: GriddedArea.Areas,
  counties: ReadonlySet<string>
): Half<Search> => {
  const visible = { nationwide: false, stateFips: [], countyFips: Array.from(counties) }
  return {
    search: { ...search, viewer: { ...search.viewer, visible } },
    areas: new Map(
      Array.from(areas, ([condition, area]) => [
        condition,
        area === null || area.counties === null
          ? area
          : { ...area, counties: area.counties.filter((each) => counties.has(each)) }
      ])
    )
  }
}

/** null: it is not worth its while. */
export const of = <Search extends Searched>(
  search: Search,
  areas: GriddedArea.Areas
): Halves<Search> | null => {
  const counties = Array.from(new Set(Array.from(areas.values()).flatMap((area) => area?.counties ?? [])))
  if (counties.length < fewest || !isHeavy(search, areas)) return null
  const half = (remainder: number) => within(search, areas, new Set(counties.filter((_, at) => at % 2 === remainder)))
  return [half(0), half(1)]
}

/** As many of the first of its order as the page of the whole may have of a half. */
export const fromStart = (search: LocationSearch): LocationSearch => ({
  ...search,
  offset: 0,
  limit: search.offset + search.limit
})
