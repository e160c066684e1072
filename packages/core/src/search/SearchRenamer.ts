/** Gives a member's saved search another name, in the app. */
import { Effect } from "effect"
import { ActingUserRequired } from "../access/AccessRefusals.ts"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { NameInUse } from "../list/ListRefusals.ts"
import { SavedSearches } from "./SavedSearches.ts"
import type { RenameSearch } from "./SavedSearchOperations.ts"

export const make = Effect.gen(function*() {
  const searches = yield* SavedSearches

  const rename: HandlerOf<typeof RenameSearch> = Effect.fn("SearchRenamer.rename")(function*(input) {
    const caller = yield* Caller
    const owner = Acting.member(caller)
    if (owner === null) return yield* new ActingUserRequired()
    const id = input.saved_search_id.toLowerCase()
    const outcome = yield* searches.rename({
      orgId: caller.organization.org_id,
      ownerId: owner.memberId,
      id,
      name: input.name
    })
    switch (outcome) {
      case "renamed":
        return { saved_search_id: id, name: input.name }
      case "in_use":
        return yield* new NameInUse({ resource: "saved_search" })
      case "no_search":
        return yield* new NotFound({ resource: "saved_search" })
    }
  })

  return { rename }
})
