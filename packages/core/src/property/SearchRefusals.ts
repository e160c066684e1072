/** Refusals of a search's mode and cursor: 400 on REST, with the field. service-api "Research, list and search codes". */
import { Schema } from "effect"
import { InputIssue } from "../operation/InvalidInput.ts"

const fields = { issues: Schema.Array(InputIssue) }

/** A search needs free text, a location or bounds. */
export class MissingQueryBoundsOrCounty
  extends Schema.TaggedError<MissingQueryBoundsOrCounty>()("MISSING_QUERY_BOUNDS_OR_COUNTY", fields)
{
  /** At `cursor`: it came alone. */
  static at(field: "query" | "filters" | "cursor" | null) {
    return new MissingQueryBoundsOrCounty({
      issues: [{
        field,
        message: field === "cursor"
          ? "Expected beside the query, filters or bounds of the first page"
          : "Expected query, bounds, or filters with countyFips, countyNames, zipCodes, cities, within or near"
      }]
    })
  }
  override get message() {
    return this.issues.some(({ field }) => field === "cursor")
      ? "A cursor goes on with the search that it is of: send the query, filters or bounds of its first page beside it."
      : "A search needs free text (query), a map box (bounds) or filters with a location such as countyFips."
  }
}

/** Two or more of query, filters and bounds. */
export class AmbiguousSearchMode extends Schema.TaggedError<AmbiguousSearchMode>()("AMBIGUOUS_SEARCH_MODE", fields) {
  override get message() {
    return "Send exactly one of query, filters and bounds."
  }
}

export class CursorSortMismatch extends Schema.TaggedError<CursorSortMismatch>()("CURSOR_SORT_MISMATCH", fields) {
  static refuse() {
    return new CursorSortMismatch({
      issues: [{ field: "cursor", message: "Expected the sort that the cursor was made for" }]
    })
  }
  override get message() {
    return "The cursor belongs to another sort; repeat the sort of the first page or start again."
  }
}
