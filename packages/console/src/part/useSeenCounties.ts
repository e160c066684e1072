/** The counties that the member sees: those of the organization, or of the member's own territory. */
import { useMemo } from "react"
import { useSession } from "../service/Session.tsx"
import { useCoverage } from "./useCoverage.ts"

export const useSeenCounties = () => {
  const { territory } = useSession()
  const { data, error } = useCoverage()
  const counties = useMemo(
    () =>
      data?.counties.filter(({ fips, switched_on }) =>
        switched_on && (territory === null || territory.county_fips.includes(fips))
      ),
    [data, territory]
  )
  return { counties, error }
}
