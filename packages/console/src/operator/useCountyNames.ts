/** What counties are called, wherever the operator's area names one by its code. */
import { useAsked } from "../admin/Asking.tsx"

/** `King, WA (53033)`; one that is not known is its code. */
export const useCountyNames = (): (fips: string) => string => {
  const { data } = useAsked("operator_list_counties", {})
  const names = new Map(data?.counties.map(({ fips, label }) => [fips, label]))
  return (fips) => {
    const name = names.get(fips) ?? null
    return name === null ? fips : `${name} (${fips})`
  }
}
