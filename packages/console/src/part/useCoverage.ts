/** The counties that the service has records of, those of the member's area first. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

export const coverageKey = ["coverage"]

export const useCoverage = () =>
  useQuery({
    queryKey: coverageKey,
    queryFn: async ({ signal }) => (await call("service_get_coverage", {}, signal)).data,
    staleTime: 300_000
  })
