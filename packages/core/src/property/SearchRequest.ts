/**
 * Which search the arguments ask for, and in what order: free text, filters or a map box.
 *
 * What a caller may not see must not show through a filter (`SearchConditions`) or a sort: values that the plan withholds
 * cannot be asked for, and attributions found by research count only at revealed properties. decisions, sections 1, 8 and
 * 20.
 */
import { Result } from "effect"
import { within } from "../operation/Characters.ts"
import { type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Condition, Sort, SortColumn } from "./PropertySearch.ts"
import type { Bounds, Filters, SearchInput, SortKey, SortOrder } from "./SearchInput.ts"
import { maximumOffset } from "./SearchInput.ts"
import { locationKeys } from "./SearchPlaces.ts"
import { AmbiguousSearchMode, MissingQueryBoundsOrCounty } from "./SearchRefusals.ts"
import { wordsOf } from "./SearchWords.ts"
import { notOnPlan, withheld } from "./Withheld.ts"

const maximumSpanDegrees = 5

/** Each word is looked for in every text that has the others: more of them find nothing, and take their time for it. */
const maximumWords = 30

/** The sort columns behind the words of `sortBy`, and the direction when none is given. */
const sorts: Readonly<Record<SortKey, { readonly column: SortColumn; readonly direction: SortOrder }>> = {
  relevance: { column: "contactCount", direction: "desc" },
  commonName: { column: "commonName", direction: "asc" },
  lotSqft: { column: "lotSqft", direction: "desc" },
  buildingSqft: { column: "buildingSqft", direction: "desc" },
  totalUnits: { column: "totalUnits", direction: "desc" },
  contactCount: { column: "contactCount", direction: "desc" },
  landscapableSqft: { column: "landscapableSqft", direction: "desc" },
  roofAreaSqft: { column: "roofAreaSqft", direction: "desc" },
  buildingFootprintSqft: { column: "footprintArea", direction: "desc" },
  yearBuilt: { column: "yearBuilt", direction: "desc" },
  numFloors: { column: "numFloors", direction: "desc" },
  ownerName: { column: "ownerName", direction: "asc" },
  propertyValue: { column: "totalParval", direction: "desc" },
  updatedAt: { column: "updatedAt", direction: "desc" },
  lastEnrichedAt: { column: "lastEnrichedAt", direction: "desc" },
  lastSaleDate: { column: "lastSaleDate", direction: "desc" },
  address: { column: "rawAddress", direction: "asc" },
  city: { column: "city", direction: "asc" },
  owner: { column: "recordOwner", direction: "asc" }
}

export type SearchMode =
  | { readonly _tag: "Text"; readonly query: string }
  | { readonly _tag: "Filters"; readonly filters: Filters }
  | { readonly _tag: "Bounds"; readonly bounds: Bounds }

/** Which of the three searches is asked for. */
export const modeOf = (
  input: SearchInput
): Result.Result<SearchMode, AmbiguousSearchMode | MissingQueryBoundsOrCounty | InvalidInput> => {
  const given = (["query", "filters", "bounds"] as const).filter((key) => input[key] !== undefined)
  if (given.length > 1) {
    return Result.fail(
      new AmbiguousSearchMode({
        issues: given.slice(1).map((field) => ({ field, message: "Expected exactly one of query, filters, bounds" }))
      })
    )
  }
  if (input.query !== undefined) {
    const issues: Array<InputIssue> = [...countIssues(input)]
    if (input.query.trim().length === 0) return Result.fail(MissingQueryBoundsOrCounty.at("query"))
    issues.push(...wordIssues(wordsOf(input.query)))
    if (input.offset !== undefined) issues.push({ field: "offset", message: "Free text pages with cursor, not offset" })
    return issues.length > 0
      ? Result.fail(new InvalidInput({ issues }))
      : Result.succeed({ _tag: "Text", query: input.query })
  }
  if (input.filters === undefined && input.bounds === undefined) {
    return Result.fail(MissingQueryBoundsOrCounty.at(input.cursor === undefined ? null : "cursor"))
  }
  const issues: Array<InputIssue> = [...countIssues(input)]
  if (input.cursor !== undefined && input.offset !== undefined) {
    issues.push({ field: "offset", message: "Expected cursor or offset, not both" })
  }
  if (input.offset !== undefined && input.offset > maximumOffset) {
    issues.push({
      field: "offset",
      message: `Expected at most ${maximumOffset}; go on with cursor, the next_cursor of the page before`
    })
  }
  const { bounds, filters } = input
  if (bounds !== undefined) issues.push(...boundsIssues(bounds))
  if (filters !== undefined && !hasLocation(filters)) return Result.fail(MissingQueryBoundsOrCounty.at("filters"))
  if (issues.length > 0) return Result.fail(new InvalidInput({ issues }))
  return bounds !== undefined
    ? Result.succeed({ _tag: "Bounds", bounds })
    : filters !== undefined
    ? Result.succeed({ _tag: "Filters", filters })
    : Result.fail(MissingQueryBoundsOrCounty.at(null))
}

/** What is wrong with the words of a free text. */
export const wordIssues = (words: ReadonlyArray<string>): ReadonlyArray<InputIssue> => [
  ...!within(words.join(" "), 2, Number.POSITIVE_INFINITY)
    ? [{ field: "query", message: "Expected at least 2 characters" }]
    : [],
  ...words.length > maximumWords
    ? [{ field: "query", message: `Expected at most ${maximumWords} different words` }]
    : []
]

/** A count has no pages. */
const countIssues = (input: SearchInput): ReadonlyArray<InputIssue> =>
  input.count_only === true
    ? (["cursor", "offset"] as const).flatMap((field) =>
      input[field] === undefined ? [] : [{ field, message: "Expected without count_only" }]
    )
    : []

const boundsIssues = ({ east, north, south, west }: Bounds): ReadonlyArray<InputIssue> => {
  if (south >= north) return [{ field: "bounds", message: "Expected south below north" }]
  const width = west <= east ? east - west : 360 - west + east
  return north - south > maximumSpanDegrees || width > maximumSpanDegrees
    ? [{ field: "bounds", message: `Expected a box of at most ${maximumSpanDegrees} degrees each way` }]
    : []
}

const hasLocation = (filters: Filters): boolean => locationKeys.some((key) => filters[key] !== undefined)

/** Refuses filters without a place. */
export const requireLocation = (filters: Filters): Result.Result<void, MissingQueryBoundsOrCounty> =>
  hasLocation(filters) ? Result.succeed(undefined) : Result.fail(MissingQueryBoundsOrCounty.at("filters"))

/** Refuses a box that is none, or too large. */
export const requireBounds = (bounds: Bounds): Result.Result<void, InvalidInput> => {
  const issues = boundsIssues(bounds)
  return issues.length > 0 ? Result.fail(new InvalidInput({ issues })) : Result.succeed(undefined)
}

/** The order of the rows, and how it is reported. */
export interface SearchSort {
  readonly key: SortKey
  readonly sort: Sort
}

export const sortOf = (
  input: SearchInput,
  organization: Organization
): Result.Result<SearchSort, InvalidInput> => {
  const key = input.sortBy ?? "relevance"
  if (withheld(key, organization)) return Result.fail(new InvalidInput({ issues: [notOnPlan("sortBy")] }))
  const { column, direction } = sorts[key]
  return Result.succeed({ key, sort: { column, direction: input.sortOrder ?? direction } })
}

export const boundsCondition = (bounds: Bounds): Condition => ({ _tag: "Box", ...bounds })
