/**
 * Searches the properties that the caller sees: by free text, by location or by map box. Each can be read whole by its
 * cursors; location and map box also by offsets, as far as those are allowed.
 *
 * Free, and never a contact detail. service-api "POST /properties/search".
 */
import { Clock, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { CursorSeal, parsePayload } from "../operation/CursorSeal.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import type { Organization } from "../organization/Organization.ts"
import * as CountyTable from "./CountyTable.ts"
import type { PropertySummary } from "./Property.ts"
import type { SearchProperties } from "./PropertyOperations.ts"
import { type After, type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { chosenRow, compactRow, fullRow } from "./PropertyView.ts"
import { conditionsOf } from "./SearchConditions.ts"
import * as SearchExplainer from "./SearchExplainer.ts"
import * as SearchFilters from "./SearchFilters.ts"
import { defaultLimit, type Filters, maximumOffset, type SearchInput, SortKey, SortOrder } from "./SearchInput.ts"
import { CursorSortMismatch } from "./SearchRefusals.ts"
import { boundsCondition, modeOf, placeWords, type SearchSort, sortOf, wordsOf } from "./SearchRequest.ts"
import { needsFullRow } from "./SearchRow.ts"

const hourMillis = 3_600_000

const cursorLifeMillis = 24 * hourMillis

/** To the end of the hour, so that the same page, asked for twice or through another door, has the same cursor. */
const sealedAt = (now: number): number => Math.ceil(now / hourMillis) * hourMillis

const CursorPayload = Schema.Struct({
  v: Schema.Literal(1),
  org: Schema.String,
  query: Schema.String,
  sortBy: SortKey,
  sortOrder: SortOrder,
  value: Schema.Union([Schema.Null, Schema.String, Schema.Finite]),
  id: Schema.String,
  at: Schema.Finite
})
type CursorPayload = typeof CursorPayload.Type

const parseCursor = parsePayload(CursorPayload)

type Row = (typeof SearchProperties.output.Encoded)["results"][number]

/** Free text is counted so far: nobody looks at more, and every match is looked at. */
const mostCounted = 10_000

/** Whether the answer shows columns that a compact row has not. */
const showsFull = ({ fields, verbosity }: SearchInput): boolean =>
  fields === undefined ? verbosity === "full" : needsFullRow(fields)

const nothingThere = "No property that you see lies in the box."

/** What there is to say of an answer; nothing, mostly. */
const noting = (note: string) => note === "" ? {} : { note }

/** What a cursor belongs to. */
interface Binding {
  readonly org: string
  /** The search, hashed. */
  readonly query: string
  readonly sort: SearchSort
  readonly now: number
}

const askedCounties = (conditions: ReadonlyArray<Condition>) =>
  conditions.find((condition) => condition._tag === "Counties")?.countyFips

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const cursors = yield* CursorSeal
  const filters = yield* SearchFilters.make
  const explainer = yield* SearchExplainer.make
  const digest = yield* Digest.Digest

  const counties = yield* CountyTable.make

  const queryHash = (words: ReadonlyArray<string>) =>
    digest.digestHex(Digest.sha256, Uint8Array.from(encodeURIComponent(words.join(" ")), (each) => each.charCodeAt(0)))

  const openCursor = Effect.fnUntraced(function*(
    cursor: string,
    expected: Binding
  ): Effect.fn.Return<After, InvalidCursor | CursorSortMismatch> {
    const opened = Option.flatMap(
      yield* cursors.open(cursor),
      (text): Option.Option<CursorPayload> => parseCursor(text)
    )
    if (Option.isNone(opened)) return yield* InvalidCursor.refuse()
    const { at, id, org, query, sortBy, sortOrder, value } = opened.value
    if (org !== expected.org || query !== expected.query || expected.now >= at + cursorLifeMillis) {
      return yield* InvalidCursor.refuse()
    }
    if (sortBy !== expected.sort.key || sortOrder !== expected.sort.sort.direction) {
      return yield* CursorSortMismatch.refuse()
    }
    return { id, value }
  })

  const rowsOf = (
    rows: ReadonlyArray<PropertySummary>,
    { fields, verbosity }: SearchInput,
    organization: Organization
  ): ReadonlyArray<Row> =>
    fields !== undefined
      ? rows.map((row) => chosenRow(row, organization, fields))
      : rows.map((row) => verbosity === "full" ? fullRow(row, organization) : compactRow(row, organization))

  const bindingOf = Effect.fnUntraced(function*(
    search: ReadonlyArray<string>,
    sort: SearchSort,
    { organization }: Territory.Perspective
  ): Effect.fn.Return<Binding> {
    return {
      org: organization.org_id,
      query: yield* queryHash(search),
      sort,
      now: yield* Clock.currentTimeMillis
    }
  })
  const seal = ({ now, org, query, sort }: Binding, next: After) =>
    cursors.seal(JSON.stringify(
      {
        v: 1,
        org,
        query,
        sortBy: sort.key,
        sortOrder: sort.sort.direction,
        value: next.value,
        id: next.id,
        at: sealedAt(now)
      } satisfies CursorPayload
    ))

  const byText = Effect.fnUntraced(function*(
    input: SearchInput,
    query: string,
    sort: SearchSort,
    perspective: Territory.Perspective
  ) {
    const { organization } = perspective
    const words = wordsOf(query)
    const viewer = viewerOf(perspective)
    const binding = yield* bindingOf(words, sort, perspective)
    const after = input.cursor === undefined ? null : yield* openCursor(input.cursor, binding)
    yield* Territory.requireSome(perspective)
    const [page, known] = yield* Effect.all([
      search.byText({
        viewer,
        words,
        withNames: organization.features.common_names,
        sort: sort.sort,
        after,
        limit: input.limit ?? defaultLimit,
        full: showsFull(input)
      }),
      counties
    ], { concurrency: 2 })
    const next = page.next === null ? null : yield* seal(binding, page.next)
    const isEmpty = page.rows.length === 0 && after === null
    return {
      results: rowsOf(page.rows, input, organization),
      has_more: next !== null,
      next_cursor: next,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined),
      ...isEmpty ? noting(yield* explainer.ofText(words, perspective, known)) : {}
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
    words: ReadonlyArray<string>,
    sort: SearchSort,
    perspective: Territory.Perspective
  ) {
    yield* Territory.requireSome(perspective)
    const viewer = viewerOf(perspective)
    const known = yield* counties
    const withNames = perspective.organization.features.common_names
    const total = yield* search.countByText({ viewer, words, withNames }, mostCounted)
    return {
      ...withoutRows(sort),
      total_matching: total,
      ...total === mostCounted ? { total_is_least: true as const } : {},
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined),
      ...total === 0 ? noting(yield* explainer.ofText(words, perspective, known)) : {}
    }
  })

  const byLocation = Effect.fnUntraced(function*(
    input: SearchInput,
    conditions: ReadonlyArray<Condition>,
    sort: SearchSort,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>,
    explain: Effect.Effect<string>
  ) {
    const viewer = viewerOf(perspective)
    const offset = input.offset ?? 0
    const binding = yield* bindingOf(placeWords(input), sort, perspective)
    const after = input.cursor === undefined ? null : yield* openCursor(input.cursor, binding)
    const page = yield* search.byLocation({
      viewer,
      conditions,
      sort: sort.sort,
      after,
      offset,
      limit: input.limit ?? defaultLimit,
      full: showsFull(input)
    })
    const next = page.next === null ? null : yield* seal(binding, page.next)
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
      searched_scope: CountyTable.scopeOf(viewer.visible, counties, askedCounties(conditions)),
      ...page.total === 0
        ? noting(yield* explain)
        : page.rows.length === 0 && after === null
        ? noting(`Only ${page.total} match: offset begins behind the last of them.`)
        : {}
    }
  })

  const countByLocation = Effect.fnUntraced(function*(
    conditions: ReadonlyArray<Condition>,
    sort: SearchSort,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>,
    explain: Effect.Effect<string>
  ) {
    const viewer = viewerOf(perspective)
    const { categories, total } = yield* search.countByLocation({ viewer, conditions })
    return {
      ...withoutRows(sort),
      next_offset: null,
      total_matching: total,
      category_breakdown: categories,
      searched_scope: CountyTable.scopeOf(viewer.visible, counties, askedCounties(conditions)),
      ...total === 0 ? noting(yield* explain) : {}
    }
  })

  /** The conditions of filters, and why they match nothing if so. */
  const byFilters = Effect.fnUntraced(function*(given: Filters, caller: CallerFacts, known: ReadonlyArray<County>) {
    const context = yield* filters.context(given, caller, known)
    return {
      conditions: yield* Effect.fromResult(conditionsOf(given, context)),
      explain: explainer.ofFilters(given, caller, context, known)
    }
  })

  const find: HandlerOf<typeof SearchProperties> = Effect.fn("PropertySearcher.find")(function*(input) {
    const caller = yield* Caller
    const mode = yield* Effect.fromResult(modeOf(input))
    const sort = yield* Effect.fromResult(sortOf(input, caller.organization))
    const isCount = input.count_only === true
    if (mode._tag === "Text") {
      return isCount
        ? yield* countByText(wordsOf(mode.query), sort, caller)
        : yield* byText(input, mode.query, sort, caller)
    }
    const known = yield* counties
    const asked = mode._tag === "Bounds"
      ? { conditions: [boundsCondition(mode.bounds)], explain: Effect.succeed(nothingThere) }
      : yield* byFilters(mode.filters, caller, known)
    yield* Territory.requireSome(caller)
    if (mode._tag === "Filters") yield* filters.requireLists(mode.filters, caller)
    return isCount
      ? yield* countByLocation(asked.conditions, sort, caller, known, asked.explain)
      : yield* byLocation(input, asked.conditions, sort, caller, known, asked.explain)
  })

  return { find }
})
