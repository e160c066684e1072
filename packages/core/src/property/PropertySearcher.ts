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
import { listReader } from "../list/ListKeeper.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { Lists } from "../list/Lists.ts"
import { CursorSeal, parsePayload } from "../operation/CursorSeal.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import type { Organization } from "../organization/Organization.ts"
import * as CountyTable from "./CountyTable.ts"
import type { PropertySummary } from "./Property.ts"
import type { SearchProperties } from "./PropertyOperations.ts"
import { type After, type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { compactRow, fullRow } from "./PropertyView.ts"
import { conditionsOf } from "./SearchConditions.ts"
import { defaultLimit, type Filters, maximumOffset, type SearchInput, SortKey, SortOrder } from "./SearchInput.ts"
import { citiesWithoutState } from "./SearchPlaces.ts"
import { CursorSortMismatch } from "./SearchRefusals.ts"
import { boundsCondition, modeOf, placeWords, type SearchSort, sortOf, wordsOf } from "./SearchRequest.ts"

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
  const lists = yield* Lists
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

  const rowsOf = (rows: ReadonlyArray<PropertySummary>, input: SearchInput, organization: Organization) =>
    rows.map((row) => input.verbosity === "full" ? fullRow(row, organization) : compactRow(row, organization))

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
        full: input.verbosity === "full"
      }),
      counties
    ], { concurrency: 2 })
    const next = page.next === null ? null : yield* seal(binding, page.next)
    return {
      results: rowsOf(page.rows, input, organization),
      has_more: next !== null,
      next_cursor: next,
      sorted_by: { field: sort.key, direction: sort.sort.direction },
      searched_scope: CountyTable.scopeOf(viewer.visible, known, undefined)
    }
  })

  const filterConditions = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const { organization } = perspective
    const area = Territory.visible(perspective)
    const names = citiesWithoutState(filters)
    const cityStates = names.length === 0
      ? []
      : yield* search.citiesNamed(names, area)
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.fromResult(
      conditionsOf(filters, {
        organization,
        counties: counties.filter((county) => Territory.contains(area, county.countyFips)),
        cityStates,
        now
      })
    )
  })

  /** The lists of the filters are there, hold properties, and the caller sees them. */
  const listsOf = Effect.fnUntraced(function*(filters: Filters, caller: CallerFacts) {
    const named = (["inListId", "notInListId"] as const).flatMap((key) => {
      const id = filters[key]?.toLowerCase()
      return id === undefined ? [] : [{ field: `filters.${key}`, id }]
    })
    if (named.length === 0) return
    const types = yield* lists.types({ ...listReader(caller), listIds: named.map(({ id }) => id) })
    for (const { field, id } of named) {
      const type = types.get(id)
      if (type === undefined) return yield* new ListNotFound()
      if (type !== "properties") return yield* new WrongListType({ list_type: type, field, item_ids: [] })
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
    const binding = yield* bindingOf(placeWords(input), sort, perspective)
    const after = input.cursor === undefined ? null : yield* openCursor(input.cursor, binding)
    const page = yield* search.byLocation({
      viewer,
      conditions,
      sort: sort.sort,
      after,
      offset,
      limit: input.limit ?? defaultLimit,
      full: input.verbosity === "full"
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
      : yield* filterConditions(mode.filters, caller, known)
    yield* Territory.requireSome(caller)
    if (mode._tag === "Filters") yield* listsOf(mode.filters, caller)
    return yield* byLocation(input, conditions, sort, caller, known)
  })

  return { find }
})
