/** Answers what is asked of saved searches. A search runs with the rights of whoever runs it. decisions, section 14. */
import { Effect, Option, Struct } from "effect"
import { ActingUserRequired } from "../access/AccessRefusals.ts"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { decoder } from "../operation/InvalidInput.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import type { SearchProperties } from "../property/PropertyOperations.ts"
import { SearchInput } from "../property/SearchInput.ts"
import { maximumSavedSearches, type SavedSearch, SavedSearches } from "./SavedSearches.ts"
import {
  type DeleteSavedSearch,
  type ListSavedSearches,
  OffsetRequiresSort,
  type RunSavedSearch,
  type SaveSearch
} from "./SavedSearchOperations.ts"
import * as SearchShelf from "./SearchShelf.ts"

const decodeSearch = decoder(SearchInput)

export const make = Effect.fnUntraced(function*(find: HandlerOf<typeof SearchProperties>) {
  const searches = yield* SavedSearches
  const shelf = yield* SearchShelf.make
  const cursors = yield* PageCursor.make(PageCursor.Recent)

  const reader = Effect.map(Caller, (caller) => ({
    orgId: caller.organization.org_id,
    reader: Acting.member(caller)?.memberId ?? null
  }))

  const list: HandlerOf<typeof ListSavedSearches> = Effect.fn("SavedSearchRunner.list")(
    function*({ cursor, limit = maximumSavedSearches }) {
      const { orgId, reader: memberId } = yield* reader
      const question = ["saved searches", orgId, memberId]
      const position = yield* cursors.open(cursor, question)
      const found = yield* searches.list({
        orgId,
        reader: memberId,
        after: position === null ? null : { at: position[0], id: position[1] },
        limit: limit + 1
      })
      const page = yield* cursors.page(found.searches, {
        limit,
        question,
        position: ({ createdAt, id }: SavedSearch) => [createdAt, id] as const
      })
      return {
        saved_searches: page.rows.map(SearchShelf.savedSearchRecord),
        total: found.total,
        next_cursor: page.next
      }
    }
  )

  const run: HandlerOf<typeof RunSavedSearch> = Effect.fn("SavedSearchRunner.run")(function*(input) {
    const found = yield* searches.find({ ...yield* reader, id: input.saved_search_id.toLowerCase() })
    if (Option.isNone(found)) return yield* new NotFound({ resource: "saved_search" })
    const asked = Struct.omit(input, ["saved_search_id"])
    const search = yield* Effect.fromResult(decodeSearch({ ...found.value.search, ...asked }))
    const { offset = 0, query, sortBy } = search
    const byOffset = query !== undefined || sortBy !== undefined
    if (offset > 0 && !byOffset) return yield* OffsetRequiresSort.refuse()
    const page = yield* find(search)
    return byOffset ? page : { ...page, next_offset: null }
  })

  const save: HandlerOf<typeof SaveSearch> = Effect.fn("SavedSearchRunner.save")(function*(input) {
    const caller = yield* Caller
    const owner = Acting.member(caller)
    if (owner === null) return yield* new ActingUserRequired()
    const saved = yield* shelf.save(caller.organization, owner, input.name, input.search)
    return { saved_search: SearchShelf.savedSearchRecord(saved) }
  })

  const remove: HandlerOf<typeof DeleteSavedSearch> = Effect.fn("SavedSearchRunner.remove")(function*(input) {
    const caller = yield* Caller
    const owner = Acting.member(caller)
    if (owner === null) return yield* new ActingUserRequired()
    const id = input.saved_search_id.toLowerCase()
    const there = yield* searches.remove({ orgId: caller.organization.org_id, ownerId: owner.memberId, id })
    return there
      ? { saved_search_id: id, deleted: true as const }
      : yield* new NotFound({ resource: "saved_search" })
  })

  return { list, run, save, remove }
})
