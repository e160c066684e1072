/** What the checks of a filter need beyond the filter itself. */
import type { Organization } from "../access/Organization.ts"
import type { County } from "./PropertySearch.ts"

export interface FilterContext {
  readonly organization: Organization
  /** Those of the visible area. */
  readonly counties: ReadonlyArray<County>
  /** Cities of the visible area by the asked names that came without a state, both in lower case. */
  readonly cityStates: ReadonlyArray<{ readonly city: string; readonly state: string }>
  /** Milliseconds. */
  readonly now: number
}
