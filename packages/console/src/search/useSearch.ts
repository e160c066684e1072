/** Runs the search of an address, page by page. Words and filters are two kinds of search; words win. */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { call, type Input } from "../service/Call.ts"
import { type Bounds, type Filters, hasWords, isDrawn, type SearchState } from "./SearchUrl.ts"

type SearchInput = Input<"service_search_properties">

const pageSize = 50

/** Where the next page begins. */
type Next = Pick<SearchInput, "cursor" | "offset">

const start: Next = {}

/** A box as an area, to be combined with other filters. */
export const areaOf = ({ east, north, south, west }: Bounds): NonNullable<Filters["within"]> => ({
  type: "Polygon",
  coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]]
})

/** Words, or a box alone, or filters: the server takes one of them, so that a box beside filters becomes one of these. */
const whereOf = ({ box, filters, words }: SearchState): Pick<SearchInput, "query" | "bounds" | "filters"> => {
  if (hasWords({ words })) return { query: words }
  if (box === null || isDrawn(filters)) return { filters }
  return Object.keys(filters).length === 0 ? { bounds: box } : { filters: { ...filters, within: areaOf(box) } }
}

/** What is searched for, and in which order. */
export const searchOf = (state: SearchState): Omit<SearchInput, "cursor" | "offset" | "limit"> => ({
  ...whereOf(state),
  ...state.sortBy === undefined ? {} : { sortBy: state.sortBy },
  ...state.sortOrder === undefined ? {} : { sortOrder: state.sortOrder }
})

/** The question that an address asks. */
export const searchQuery = (state: SearchState) => {
  const input: SearchInput = { ...searchOf(state), limit: pageSize }
  return infiniteQueryOptions({
    queryKey: ["search", input],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_search_properties", { ...input, ...pageParam }, signal)).data,
    initialPageParam: start,
    getNextPageParam: ({ has_more, next_cursor, next_offset }): Next | null =>
      !has_more
        ? null
        : next_cursor !== null
        ? { cursor: next_cursor }
        : typeof next_offset === "number"
        ? { offset: next_offset }
        : null
  })
}

export const useSearch = (state: SearchState) =>
  useInfiniteQuery({ ...searchQuery(state), placeholderData: keepPreviousData })
