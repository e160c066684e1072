/** What a page is narrowed by: it stands in the address, and is there again when somebody comes back. */
import { useCallback } from "react"
import { navigate, usePlace, withParameter } from "./Router.tsx"

/** `change` leaves what it does not name as it is; empty clears it. */
export const useFilter = () => {
  const { search } = usePlace()
  const change = useCallback((changes: Readonly<Record<string, string>>): void => {
    const { pathname, search: now } = location
    const next = Object.entries(changes).reduce(
      (search, [name, value]) => withParameter(search, name, value),
      new URLSearchParams(now)
    ).toString()
    navigate(next === "" ? pathname : `${pathname}?${next}`, { replace: true })
  }, [])
  return [search, change] as const
}
