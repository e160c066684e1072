/** The counties that the organization sees, all of them, and those of the member's own territory. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { call } from "../service/Call.ts"

export const countiesQuery = queryOptions({
  queryKey: ["counties"],
  queryFn: async ({ signal }) => (await call("app_list_counties", {}, signal)).data.counties,
  staleTime: 300_000
})

export const useCounties = () => useQuery(countiesQuery)

export const useSeenCounties = () => {
  const { data, error } = useCounties()
  const counties = useMemo(() => data?.filter(({ seen }) => seen), [data])
  return { counties, error }
}
