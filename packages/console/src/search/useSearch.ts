/** Runs the search of an address, page by page. Words and filters are two kinds of search; words win. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { call, type Input } from "../service/Call.ts"
import type { SearchState } from "./SearchUrl.ts"

type SearchInput = Input<"service_search_properties">

const pageSize = 50

/** Where the next page begins. */
type Next = Pick<SearchInput, "cursor" | "offset">

const start: Next = {}

/** What is asked of the server. */
export const inputOf = ({ filters, sortBy, sortOrder, words }: SearchState): SearchInput => ({
  ...words === "" ? { filters } : { query: words },
  ...sortBy === undefined ? {} : { sortBy },
  ...sortOrder === undefined ? {} : { sortOrder },
  limit: pageSize
})

export const useSearch = (state: SearchState) => {
  const input = inputOf(state)
  return useInfiniteQuery({
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
        : null,
    placeholderData: keepPreviousData
  })
}
