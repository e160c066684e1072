/** What the checks of a filter need beyond the filter itself. */
import type { Organization } from "../organization/Organization.ts"
import type { County } from "./PropertySearch.ts"

/** A city of the visible area, in lower case. */
export interface KnownCity {
  readonly city: string
  readonly state: string
}

/** What is known of the cities that a filter names. */
export interface NamedCities {
  /** Those that have one of the asked names, as far as they were looked for. */
  readonly states: ReadonlyArray<KnownCity>
  /** What records call a city that was asked for by its usual name, by what was asked. */
  readonly recorded: ReadonlyMap<string, string>
  /** What was asked, and no city is called. */
  readonly unknown: ReadonlyArray<string>
  /** Cities that begin as the unknown ones do; null: they were not read. */
  readonly alike: ReadonlySet<string> | null
}

export interface FilterContext {
  readonly organization: Organization
  /** Those of the visible area. */
  readonly counties: ReadonlyArray<County>
  readonly cities: NamedCities
  /** Milliseconds. */
  readonly now: number
}

/** No city was looked for. */
export const noCities: NamedCities = { states: [], recorded: new Map(), unknown: [], alike: null }
