/**
 * Searches the properties that the caller sees: by free text, by location or by map box. Each can be read whole by its
 * cursors; location and map box also by offsets, as far as those are allowed.
 *
 * Free, and never a contact detail. service-api "POST /properties/search".
 */
import { Effect, Schema } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import type { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import type { Organization } from "../organization/Organization.ts"
import * as CountyTable from "./CountyTable.ts"
import type { PropertySummary } from "./Property.ts"
import type { SearchProperties } from "./PropertyOperations.ts"
import { type After, type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { compactRow, fullRow } from "./PropertyView.ts"
import * as SearchFilters from "./SearchFilters.ts"
import { defaultLimit, maximumOffset, type SearchInput } from "./SearchInput.ts"
import { CursorSortMismatch } from "./SearchRefusals.ts"
import { boundsCondition, modeOf, type SearchSort, sortOf, wordsOf } from "./SearchRequest.ts"

/** The sort is in the cursor, so that another one is told from another search. */
const Position = Schema.Tuple([
  Schema.String,
  Schema.Union([Schema.Null, Schema.String, Schema.Finite]),
  PageCursor.ShortId
])

const nameOf = ({ key, sort }: SearchSort): string => `${key} ${sort.direction}`

const askedCounties = (conditions: ReadonlyArray<Condition>) =>
  conditions.find((condition) => condition._tag === "Counties")?.countyFips

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const cursors = yield* PageCursor.make(Position)
  const filters = yield* SearchFilters.make
  const counties = yield* CountyTable.make

  const openCursor = Effect.fnUntraced(function*(
    cursor: string | undefined,
    question: PageCursor.Question,
    sort: SearchSort
  ): Effect.fn.Return<After | null, InvalidCursor | CursorSortMismatch> {
    const position = yield* cursors.open(cursor, question)
    if (position === null) return null
    const [sorted, value, id] = position
    return sorted === nameOf(sort) ? { id, value } : yield* CursorSortMismatch.refuse()
  })

  const rowsOf = (rows: ReadonlyArray<PropertySummary>, input: SearchInput, organization: Organization) =>
    rows.map((row) => input.verbosity === "full" ? fullRow(row, organization) : compactRow(row, organization))

  const seal = (next: After | null, question: PageCursor.Question, sort: SearchSort) =>
    next === null ? Effect.succeed(null) : cursors.seal([nameOf(sort), next.value, next.id], question)

  const byText = Effect.fnUntraced(function*(
    input: SearchInput,
    query: string,
    sort: SearchSort,
    perspective: Territory.Perspective
  ) {
    const { organization } = perspective
    const words = wordsOf(query)
    const viewer = viewerOf(perspective)
    const question = ["search", organization.org_id, words]
    const after = yield* openCursor(input.cursor, question, sort)
    yield* Territory.requireSome(perspective)
    const [page, known] = yield* Effect.all([
      search.byText({
        viewer,
        words,
        withNames: organization.features.common_names,
        sort: sort.sort,
        after,
        limit: input.limit ?? defaultLimit,
        full: input.verbosity === "full"
      }),
      counties
    ], { concurrency: 2 })
    const next = yield* seal(page.next, question, sort)
    return {
      results: rowsOf(page.rows, input, organization),
      has_more: next !== null,
      next_cursor: next,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined)
    }
  })

  const byLocation = Effect.fnUntraced(function*(
    input: SearchInput,
    conditions: ReadonlyArray<Condition>,
    sort: SearchSort,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const viewer = viewerOf(perspective)
    const offset = input.offset ?? 0
    const { bounds, filters } = input
    const question = ["search", perspective.organization.org_id, { bounds, filters }]
    const after = yield* openCursor(input.cursor, question, sort)
    const page = yield* search.byLocation({
      viewer,
      conditions,
      sort: sort.sort,
      after,
      offset,
      limit: input.limit ?? defaultLimit,
      full: input.verbosity === "full"
    })
    const next = yield* seal(page.next, question, sort)
    const reached = offset + page.rows.length
    return {
      results: rowsOf(page.rows, input, perspective.organization),
      has_more: next !== null,
      next_cursor: next,
      // A page that would be refused is not offered; after a cursor nobody knows how many rows came before.
      next_offset: next !== null && after === null && reached <= maximumOffset ? reached : null,
      total_matching: page.total,
      category_breakdown: page.categories,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, counties, askedCounties(conditions))
    }
  })

  const find: HandlerOf<typeof SearchProperties> = Effect.fn("PropertySearcher.find")(function*(input) {
    const caller = yield* Caller
    const mode = yield* Effect.fromResult(modeOf(input))
    const sort = yield* Effect.fromResult(sortOf(input, caller.organization))
    if (mode._tag === "Text") return yield* byText(input, mode.query, sort, caller)
    const known = yield* counties
    const conditions = mode._tag === "Bounds"
      ? [boundsCondition(mode.bounds)]
      : yield* filters.conditions(mode.filters, caller, known)
    yield* Territory.requireSome(caller)
    if (mode._tag === "Filters") yield* filters.requireLists(mode.filters, caller)
    return yield* byLocation(input, conditions, sort, caller, known)
  })

  return { find }
})
