/** Refusals of a search's mode and cursor: 400 on REST, with the field. service-api "Research, list and search codes". */
import { Schema } from "effect"
import { InputIssue } from "../operation/InvalidInput.ts"

const fields = { issues: Schema.Array(InputIssue) }

/** A search needs free text, a location or bounds. */
export class MissingQueryBoundsOrCounty
  extends Schema.TaggedError<MissingQueryBoundsOrCounty>()("MISSING_QUERY_BOUNDS_OR_COUNTY", fields)
{
  static at(field: string | null) {
    return new MissingQueryBoundsOrCounty({
      issues: [{
        field,
        message: "Expected query, bounds, or filters with countyFips, countyNames, zipCodes, cities, within or near"
      }]
    })
  }
  override get message() {
    return "A search needs free text (query), a map box (bounds) or filters with a location such as countyFips."
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
