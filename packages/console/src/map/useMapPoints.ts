/** What the map shows of a search: its places, or counts where there are many, within what is on screen. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { Bounds, Filters } from "../search/SearchUrl.ts"
import { call, type Output } from "../service/Call.ts"

export type MapData = Output<"app_map_points">

/** So wide may a box be that the service looks into. */
const widest = 5

/** Whether the service looks into a box as wide as this one. */
export const isNarrow = ({ east, north, south, west }: Bounds): boolean =>
  north - south <= widest && (west <= east ? east - west : 360 - west + east) <= widest

/** The filters with those of a place taken away. */
const hasPlace = ({ cities, countyFips, countyNames, near, within, zipCodes }: Filters): boolean =>
  [cities, countyFips, countyNames, near, within, zipCodes].some((each) => each !== undefined)

const ask = (bounds: Bounds | null, filters: Filters) =>
  bounds !== null && isNarrow(bounds) ? { bounds, filters } : hasPlace(filters) ? { filters } : null

/** `view`: what is on screen; null: nothing is yet, and the search is looked at as a whole. */
export const useMapPoints = (view: Bounds | null, filters: Filters, isWanted: boolean) => {
  const input = ask(view, filters)
  return useQuery({
    queryKey: ["map", input],
    queryFn: async ({ signal }) => (await call("app_map_points", input ?? {}, signal)).data,
    enabled: isWanted && input !== null,
    placeholderData: keepPreviousData
  })
}
