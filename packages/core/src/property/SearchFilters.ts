/** From filters to the conditions of a search, with all that must be looked up for it. */
import { Clock, Effect } from "effect"
import type { CallerFacts } from "../access/Caller.ts"
import * as Territory from "../coverage/Territory.ts"
import { listReader } from "../list/ListKeeper.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { Lists } from "../list/Lists.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as CountyTable from "./CountyTable.ts"
import type { FilterContext } from "./FilterContext.ts"
import { type County, PropertySearch } from "./PropertySearch.ts"
import { conditionsOf } from "./SearchConditions.ts"
import type { Filters } from "./SearchInput.ts"
import { citiesWithoutState } from "./SearchPlaces.ts"

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const lists = yield* Lists

  /** What the filters are checked with. */
  const context = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ): Effect.fn.Return<FilterContext, TemporarilyUnavailable> {
    const area = Territory.visible(perspective)
    const names = citiesWithoutState(filters)
    const cityStates = names.length === 0 ? [] : yield* search.citiesNamed(names, area)
    return {
      organization: perspective.organization,
      counties: CountyTable.within(counties, area),
      cityStates,
      now: yield* Clock.currentTimeMillis
    }
  })

  /** The conditions of the filters, or every rule that they break. */
  const conditions = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    return yield* Effect.fromResult(conditionsOf(filters, yield* context(filters, perspective, counties)))
  })

  /** The lists of the filters are there, hold properties, and the caller sees them. */
  const requireLists = Effect.fnUntraced(function*(filters: Filters, caller: CallerFacts) {
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

  return { conditions, context, requireLists }
})
