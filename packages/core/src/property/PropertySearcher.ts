/**
 * Searches the properties that the caller sees: by free text, by location or by map box. Each can be read whole by its
 * cursors; location and map box also by offsets, as far as those are allowed.
 *
 * Free, and never a contact detail. service-api "POST /properties/search".
 */
import { Effect, Schema } from "effect"
import type { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import type { InvalidCursor } from "../operation/InvalidCursor.ts"
import type { InvalidInput } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import * as Span from "../operation/Span.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization } from "../organization/Organization.ts"
import * as CountyTable from "./CountyTable.ts"
import { emptyBox } from "./EmptyPlaces.ts"
import * as OrNothing from "./OrNothing.ts"
import type { PropertySummary } from "./Property.ts"
import type { SearchProperties } from "./PropertyOperations.ts"
import { type After, type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { chosenRow, compactRow, fullRow } from "./PropertyView.ts"
import * as SearchExplainer from "./SearchExplainer.ts"
import * as SearchFilters from "./SearchFilters.ts"
import { type Bounds, defaultLimit, type Filters, maximumOffset, type SearchInput } from "./SearchInput.ts"
import { CursorSortMismatch } from "./SearchRefusals.ts"
import { boundsCondition, modeOf, type SearchSort, sortOf } from "./SearchRequest.ts"
import { needsFullRow } from "./SearchRow.ts"
import { type Spelled, waysOfSaying, wordsOf } from "./SearchWords.ts"

/** The sort is in the cursor, so that another one is told from another search. */
const Position = Schema.Tuple([
  Schema.String,
  Schema.Union([Schema.Null, Schema.String, Schema.Finite]),
  PageCursor.ShortId
])

const nameOf = ({ key, sort }: SearchSort): string => `${key} ${sort.direction}`

type Row = (typeof SearchProperties.output.Encoded)["results"][number]

/** Free text is counted so far: nobody looks at more, and every match is looked at. */
const mostCounted = 10_000

/** Whether the answer shows columns that a compact row has not. */
const showsFull = ({ fields, verbosity }: SearchInput): boolean =>
  fields === undefined ? verbosity === "full" : needsFullRow(fields)

/** A search by location: what it looks for. */
interface Asked {
  readonly conditions: ReadonlyArray<Condition>
  /** What one way of looking finds, and what there is to say of that. `zips`: where what is shown of it lies. */
  readonly look: <Found extends { readonly total: number }>(
    look: (conditions: ReadonlyArray<Condition>) => Effect.Effect<Found, TemporarilyUnavailable>
  ) => Effect.Effect<
    {
      readonly found: Found
      readonly note: (zips: ReadonlySet<string | null>) => Effect.Effect<ReadonlyArray<string>>
    },
    TemporarilyUnavailable
  >
}

const inBox = (bounds: Bounds): Asked => {
  const conditions = [boundsCondition(bounds)]
  return {
    conditions,
    look: (look) =>
      Effect.map(look(conditions), (found) => ({
        found,
        note: () => Effect.succeed(found.total === 0 ? emptyBox : [])
      }))
  }
}

const askedCounties = (conditions: ReadonlyArray<Condition>) =>
  conditions.find((condition) => condition._tag === "Counties")?.countyFips

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const cursors = yield* PageCursor.make(Position)
  const filters = yield* SearchFilters.make
  const explainer = yield* SearchExplainer.make
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

  const rowsOf = (
    rows: ReadonlyArray<PropertySummary>,
    { fields, verbosity }: SearchInput,
    organization: Organization
  ): ReadonlyArray<Row> =>
    fields !== undefined
      ? rows.map((row) => chosenRow(row, organization, fields))
      : rows.map((row) => verbosity === "full" ? fullRow(row, organization) : compactRow(row, organization))

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
    const [asWritten, ...otherwise] = waysOfSaying(words)
    const questionOf = ({ anyAccents, spellings }: Spelled): PageCursor.Question => [
      "search",
      organization.org_id,
      words,
      ...spellings.length === 0 ? [] : ["spelled"],
      ...anyAccents === true ? ["any accents"] : []
    ]
    /** A cursor goes on with what its page was found by. */
    const begunWith = (asked: Spelled) =>
      Effect.map(openCursor(input.cursor, questionOf(asked), sort), (after) => ({ asked, after }))
    const begun = yield* otherwise.reduce(
      (opened, asked) => Effect.catchTag(opened, "INVALID_CURSOR", () => begunWith(asked)),
      begunWith(asWritten)
    )
    yield* Territory.requireSome(perspective)
    const pageOf = Effect.fnUntraced(function*(asked: Spelled, after: After | null) {
      const page = yield* search.byText({
        ...asked,
        viewer,
        withNames: organization.features.common_names,
        sort: sort.sort,
        after,
        limit: input.limit ?? defaultLimit,
        full: showsFull(input)
      })
      return { rows: page.rows, next: yield* seal(page.next, questionOf(asked), sort) }
    })
    const [first, known] = yield* Effect.all([pageOf(begun.asked, begun.after), counties], { concurrency: 2 })
    const isNothing = first.rows.length === 0 && begun.after === null
    let found = first
    for (const asked of isNothing ? otherwise : []) if (found.rows.length === 0) found = yield* pageOf(asked, null)
    const { next, rows } = found
    return {
      results: rowsOf(rows, input, organization),
      has_more: next !== null,
      next_cursor: next,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined),
      ...isNothing && rows.length === 0 ? noting(yield* explainer.ofText(query, perspective, known)) : {}
    }
  })

  /** What a count answers in the place of pages. */
  const withoutRows = (sort: SearchSort) => ({
    results: [],
    has_more: false,
    next_cursor: null,
    sorted_by: { field: sort.key, direction: sort.sort.direction }
  })

  const countByText = Effect.fnUntraced(function*(
    query: string,
    sort: SearchSort,
    perspective: Territory.Perspective
  ) {
    yield* Territory.requireSome(perspective)
    const viewer = viewerOf(perspective)
    const words = wordsOf(query)
    const known = yield* counties
    const withNames = perspective.organization.features.common_names
    const countOf = (asked: Spelled) => search.countByText({ ...asked, viewer, withNames }, mostCounted)
    let total = 0
    for (const asked of waysOfSaying(words)) if (total === 0) total = yield* countOf(asked)
    return {
      ...withoutRows(sort),
      total_matching: total,
      ...total === mostCounted ? { total_is_least: true as const } : {},
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined),
      ...total === 0 ? noting(yield* explainer.ofText(query, perspective, known)) : {}
    }
  })

  const byLocation = Effect.fnUntraced(function*(
    input: SearchInput,
    asked: Asked,
    sort: SearchSort,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const viewer = viewerOf(perspective)
    const offset = input.offset ?? 0
    const { bounds, filters } = input
    const question = ["search", perspective.organization.org_id, { bounds, filters }]
    const after = yield* openCursor(input.cursor, question, sort)
    const { found: page, note } = yield* asked.look((conditions) =>
      search.byLocation({
        viewer,
        conditions,
        sort: sort.sort,
        after,
        offset,
        limit: input.limit ?? defaultLimit,
        full: showsFull(input)
      })
    )
    const next = yield* seal(page.next, question, sort)
    const reached = offset + page.rows.length
    const isFirst = after === null && offset === 0
    return {
      results: rowsOf(page.rows, input, perspective.organization),
      has_more: next !== null,
      next_cursor: next,
      // A page that would be refused is not offered; after a cursor nobody knows how many rows came before.
      next_offset: next !== null && after === null && reached <= maximumOffset ? reached : null,
      total_matching: page.total,
      category_breakdown: page.categories,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, counties, askedCounties(asked.conditions)),
      ...page.total === 0 || isFirst
        ? noting(yield* note(new Set(page.rows.map(({ zip }) => zip))))
        : page.rows.length === 0 && after === null
        ? noting([`Only ${page.total} match: offset begins behind the last of them.`])
        : {}
    }
  })

  const countByLocation = Effect.fnUntraced(function*(
    asked: Asked,
    sort: SearchSort,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const viewer = viewerOf(perspective)
    const { found: { categories, total }, note } = yield* asked.look((conditions) =>
      search.countByLocation({ viewer, conditions })
    )
    return {
      ...withoutRows(sort),
      next_offset: null,
      total_matching: total,
      category_breakdown: categories,
      searched_scope: CountyTable.scopeOf(viewer.visible, counties, askedCounties(asked.conditions)),
      ...noting(yield* note(new Set()))
    }
  })

  const byFilters = Effect.fnUntraced(function*(
    given: Filters,
    caller: CallerFacts,
    known: ReadonlyArray<County>
  ): Effect.fn.Return<Asked, InvalidInput | SignalsNotEnabled | TemporarilyUnavailable> {
    const checked = yield* filters.checked(given, caller, known)
    return {
      conditions: checked.conditions,
      look: (look) =>
        Effect.map(filters.found(checked, caller, known, look), ({ context, found }) => ({
          found,
          note: (zips) =>
            found.total === 0
              ? explainer.ofFilters(given, caller, context, known)
              : explainer.ofPlaces(given, caller, context, known, zips)
        }))
    }
  })

  const find: HandlerOf<typeof SearchProperties> = Effect.fnUntraced(
    function*(input) {
      const caller = yield* Caller
      const mode = yield* Effect.fromResult(modeOf(input))
      const sort = yield* Effect.fromResult(sortOf(input, caller.organization))
      const isCount = input.count_only === true
      if (mode._tag === "Text") {
        return isCount
          ? yield* countByText(mode.query, sort, caller)
          : yield* byText(input, mode.query, sort, caller)
      }
      const known = yield* counties
      const asked = mode._tag === "Bounds" ? inBox(mode.bounds) : yield* byFilters(mode.filters, caller, known)
      yield* Territory.requireSome(caller)
      if (mode._tag === "Filters") yield* filters.requireLists(mode.filters, caller)
      return isCount
        ? yield* countByLocation(asked, sort, caller, known)
        : yield* byLocation(input, asked, sort, caller, known)
    },
    OrNothing.beginning,
    Span.named("PropertySearcher.find")
  )

  return { find }
})
