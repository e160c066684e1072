/** Keeps the searches of members: saves what would run, for the person who asks. */
import { Clock, DateTime, Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { NameInUse } from "../list/ListRefusals.ts"
import type { Author } from "../note/Notes.ts"
import { invalid, InvalidInput } from "../operation/InvalidInput.ts"
import type { Organization } from "../organization/Organization.ts"
import { noCities } from "../property/FilterContext.ts"
import { conditionsOf } from "../property/SearchConditions.ts"
import { modeOf, sortOf } from "../property/SearchRequest.ts"
import { maximumSavedCharacters, maximumSavedSearches, type SavedSearch, SavedSearches } from "./SavedSearches.ts"
import type { KeptSearch } from "./SavedSearchOperations.ts"

/** Most characters of a search as JSON. */
const maximumCharacters = 65_536

/** Refused where the member keeps as many as may be, or as much of them. */
export const tooManySearches =
  `Expected at most ${maximumSavedSearches} saved searches, of ${maximumSavedCharacters} characters in all; delete one first`

type Kept = typeof KeptSearch.Type

/** A saved search as the API shows it. */
export const savedSearchRecord = (saved: SavedSearch) => ({
  id: saved.id,
  name: saved.name,
  owner_name: saved.ownerName,
  search: saved.search,
  created_at: saved.createdAt
})

const underSearch = (refused: InvalidInput) =>
  new InvalidInput({
    issues: refused.issues.map(({ field, message }) => ({
      field: field === null ? "search" : `search.${field}`,
      message
    }))
  })

/**
 * The rules between a search's arguments, as far as they do not depend on the data: what is refused here would be
 * refused whenever it runs.
 */
const check = (search: Kept, organization: Organization, now: number) =>
  Result.gen(function*() {
    const mode = yield* modeOf(search)
    yield* sortOf(search, organization)
    if (mode._tag === "Filters") {
      yield* conditionsOf(mode.filters, { organization, counties: [], cities: noCities, now })
    }
  }).pipe(Result.mapError((refused) => refused._tag === "INVALID_ARGUMENTS" ? underSearch(refused) : refused))

export const make = Effect.gen(function*() {
  const searches = yield* SavedSearches
  const random = yield* SecureRandom.SecureRandom

  const save = Effect.fn("SearchShelf.save")(function*(
    organization: Organization,
    owner: Author,
    name: string,
    search: Kept
  ) {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.fromResult(check(search, organization, now))
    if (JSON.stringify(search).length > maximumCharacters) {
      return yield* invalid("search", `Expected at most ${maximumCharacters} characters of JSON`)
    }
    const id = yield* random.uuidV4()
    const kept: SavedSearch["search"] = { ...search }
    const outcome = yield* searches.save({ orgId: organization.org_id, id, owner, name, search: kept, now })
    switch (outcome) {
      case "in_use":
        return yield* new NameInUse({ resource: "saved_search" })
      case "too_many":
        return yield* invalid("name", tooManySearches)
      case "saved": {
        const saved: SavedSearch = {
          id,
          name,
          ownerName: owner.name,
          search: kept,
          createdAt: DateTime.formatIso(DateTime.makeUnsafe(now))
        }
        return saved
      }
    }
  })

  return { save }
})
