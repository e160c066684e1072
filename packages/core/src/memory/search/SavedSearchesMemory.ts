/** `SavedSearches` in memory. */
import { Effect, Layer, Option } from "effect"
import { nameKey } from "../../list/List.ts"
import {
  maximumSavedCharacters,
  maximumSavedSearches,
  type SavedSearch,
  SavedSearches
} from "../../search/SavedSearches.ts"
import { isoOf } from "../IsoTime.ts"
import { pageOf } from "../list/ListsMemory.ts"
import { MemoryState, type StoredSearch } from "../MemoryState.ts"

const shown = ({ createdAt, id, name, ownerName, search }: StoredSearch): SavedSearch => ({
  id,
  name,
  ownerName,
  search,
  createdAt: isoOf(createdAt)
})

/** `SavedSearches` in memory. */
export const layer: Layer.Layer<SavedSearches, never, MemoryState> = Layer.effect(
  SavedSearches,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const seen = (orgId: string, reader: string | null): ReadonlyArray<StoredSearch> =>
      Array.from(state.savedSearches.values()).filter((each) =>
        each.orgId === orgId && (reader === null || each.ownerId === reader)
      )

    return SavedSearches.of({
      list: Effect.fn("SavedSearches.list")(({ after, limit, orgId, reader }) =>
        Effect.sync(() => {
          const searches = seen(orgId, reader).map(shown)
          const place = ({ createdAt, id }: SavedSearch) => ({ at: createdAt, id })
          return { searches: pageOf(searches, place, { after, offset: 0, limit }), total: searches.length }
        })
      ),

      find: Effect.fn("SavedSearches.find")(({ id, orgId, reader }) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(seen(orgId, reader).find((each) => each.id === id)), shown))
      ),

      save: Effect.fn("SavedSearches.save")(({ id, name, now, orgId, owner, search }) =>
        Effect.sync(() => {
          const own = seen(orgId, owner.memberId)
          if (own.some((each) => nameKey(each.name) === nameKey(name))) return "in_use" as const
          const characters = [...own.map((each) => each.search), search].reduce(
            (sum, each) => sum + JSON.stringify(each).length,
            0
          )
          if (own.length >= maximumSavedSearches || characters > maximumSavedCharacters) return "too_many" as const
          state.savedSearches.set(`${orgId} ${id}`, {
            id,
            orgId,
            name,
            ownerId: owner.memberId,
            ownerName: owner.name,
            search,
            createdAt: now
          })
          return "saved" as const
        })
      ),

      rename: Effect.fn("SavedSearches.rename")(({ id, name, orgId, ownerId }) =>
        Effect.sync(() => {
          const own = seen(orgId, ownerId)
          const found = own.find((each) => each.id === id)
          if (found === undefined) return "no_search" as const
          if (own.some((each) => each.id !== id && nameKey(each.name) === nameKey(name))) return "in_use" as const
          state.savedSearches.set(`${orgId} ${id}`, { ...found, name })
          return "renamed" as const
        })
      ),

      remove: Effect.fn("SavedSearches.remove")(({ id, orgId, ownerId }) =>
        Effect.sync(() =>
          seen(orgId, ownerId).some((each) => each.id === id) && state.savedSearches.delete(`${orgId} ${id}`)
        )
      )
    })
  })
)
