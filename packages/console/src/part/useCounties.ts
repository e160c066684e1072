/** The counties that the organization sees, all of them, and those of the member's own territory. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { call, type Output } from "../service/Call.ts"

type Counties = Output<"app_list_counties">["counties"]

/** How long counties are believed, in milliseconds, and how often whoever sees nothing asks: what they wait for may be loaded by now. */
const believed = 60_000
const pollMillis = 5000

/** Whoever leaves the page open asks no longer. */
const mostPolls = 120

const isAnySeen = (counties: Counties): boolean => counties.some(({ properties, seen }) => seen && properties > 0)

export const countiesQuery = queryOptions({
  queryKey: ["counties"],
  queryFn: async ({ signal }) => (await call("app_list_counties", {}, signal)).data.counties,
  staleTime: ({ state: { data } }) => data !== undefined && isAnySeen(data) ? believed : 0,
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    data === undefined || isAnySeen(data) || dataUpdateCount > mostPolls ? false : pollMillis
})

export const useCounties = () => useQuery(countiesQuery)

export const useSeenCounties = () => {
  const { data, error } = useCounties()
  const counties = useMemo(() => data?.filter(({ seen }) => seen), [data])
  return { counties, error }
}
