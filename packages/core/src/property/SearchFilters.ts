/** From filters to the conditions of a search, with all that must be looked up for it. */
import { Clock, Effect, Result } from "effect"
import type { CallerFacts } from "../access/Caller.ts"
import * as Territory from "../coverage/Territory.ts"
import { listReader } from "../list/ListKeeper.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { Lists } from "../list/Lists.ts"
import * as CityNames from "./CityNames.ts"
import * as CountyTable from "./CountyTable.ts"
import type { FilterContext, NamedCities } from "./FilterContext.ts"
import type { Condition, County } from "./PropertySearch.ts"
import { conditionsOf } from "./SearchConditions.ts"
import type { Filters } from "./SearchInput.ts"

/** Filters that break no rule. */
export interface Checked {
  readonly filters: Filters
  readonly context: FilterContext
  readonly conditions: ReadonlyArray<Condition>
}

export const make = Effect.gen(function*() {
  const cities = yield* CityNames.make
  const lists = yield* Lists

  const contextWith = Effect.fnUntraced(function*(
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>,
    named: NamedCities
  ) {
    return {
      organization: perspective.organization,
      counties: CountyTable.within(counties, Territory.visible(perspective)),
      cities: named,
      now: yield* Clock.currentTimeMillis
    } satisfies FilterContext
  })

  /** The conditions of the filters, or every rule that they break, and what they were checked with. */
  const checked = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const named = yield* cities.findFirst(filters, Territory.visible(perspective))
    const context = yield* contextWith(perspective, counties, named)
    return { filters, context, conditions: yield* Effect.fromResult(conditionsOf(filters, context)) } satisfies Checked
  })

  /**
   * What is looked for by checked filters. Where that is nothing, a city that was not looked for yet is, and may have another
   * name in the records.
   */
  const found = Effect.fnUntraced(function*<Found extends { readonly total: number }, E, R>(
    { conditions, context, filters }: Checked,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>,
    look: (conditions: ReadonlyArray<Condition>) => Effect.Effect<Found, E, R>
  ) {
    const first = yield* look(conditions)
    if (first.total > 0 || !cities.areLeft(filters)) return { context, found: first }
    const named = yield* cities.find(filters, Territory.visible(perspective))
    const further = yield* contextWith(perspective, counties, named)
    return {
      context: further,
      found: named.recorded.size === 0
        ? first
        : yield* look(Result.getOrElse(conditionsOf(filters, further), () => conditions))
    }
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

  return { checked, found, requireLists }
})
