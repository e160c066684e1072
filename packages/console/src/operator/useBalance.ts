/** The balance of an organization as it is when a dialog opens, and not as the page was told it some time ago. */
import { useAsked } from "../admin/Asking.tsx"
import { number } from "../part/Wording.ts"

/** In words, with a part of it added; dots until it is known. */
export const useBalance = (orgId: string) => {
  const { data, isFetchedAfterMount } = useAsked(
    "operator_get_organization",
    { org_id: orgId },
    { refetchOnMount: "always" }
  )
  const credits = isFetchedAfterMount ? data?.credits : undefined
  return (added = 0): string => credits === undefined ? "…" : number(credits + added)
}
