/** The counties that the service has records of, those of the member's area first. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

export const coverageQuery = queryOptions({
  queryKey: ["coverage"],
  queryFn: async ({ signal }) => (await call("service_get_coverage", {}, signal)).data,
  staleTime: 300_000
})

export const useCoverage = () => useQuery(coverageQuery)
