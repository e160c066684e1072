/** Asks what a search page will show while who is signed in is still being asked, so that both answers come at once. */
import type { QueryClient } from "@tanstack/react-query"
import { countiesQuery } from "../part/useCounties.ts"
import { isAsking, parse } from "./SearchUrl.ts"
import { searchQuery } from "./useSearch.ts"

export const askAhead = (client: QueryClient, search: URLSearchParams): void => {
  const state = parse(search)
  if (isAsking(state)) void client.prefetchInfiniteQuery(searchQuery(state))
  void client.prefetchQuery(countiesQuery)
}
