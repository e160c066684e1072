/**
 * Searches that members saved. Each method is one round trip and atomic.
 *
 * `reader` is the member who asks and sees the own ones; null for an organization's key, which sees all.
 */
import { Context, type Effect, type Option } from "effect"
import type { RecentPlace } from "../list/Lists.ts"
import type { Author } from "../note/Notes.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** So many can one member keep, and so many are listed at once. */
export const maximumSavedSearches = 200

/** Most characters of one member's searches together, as JSON: all of them are listed at once. */
export const maximumSavedCharacters = 1_048_576

export interface SavedSearch {
  readonly id: string
  readonly name: string
  readonly ownerName: string
  /** The arguments of the search, as they were given. */
  readonly search: Readonly<Record<string, unknown>>
  /** ISO-8601. */
  readonly createdAt: string
}

/** Port: the searches that members keep. */
export class SavedSearches extends Context.Service<SavedSearches, {
  /** The newest after a place (null: of all), and how many there are. */
  list(
    request: {
      readonly orgId: OrganizationId
      readonly reader: string | null
      readonly after: RecentPlace | null
      readonly limit: number
    }
  ): Effect.Effect<{ readonly searches: ReadonlyArray<SavedSearch>; readonly total: number }, TemporarilyUnavailable>

  find(
    request: { readonly orgId: OrganizationId; readonly reader: string | null; readonly id: string }
  ): Effect.Effect<Option.Option<SavedSearch>, TemporarilyUnavailable>

  /** Names of one member's searches differ in more than case. Of calls for one name at once, one saves. */
  save(
    search: {
      readonly orgId: OrganizationId
      readonly id: string
      readonly owner: Author
      readonly name: string
      readonly search: Readonly<Record<string, unknown>>
      /** Milliseconds. */
      readonly now: number
    }
  ): Effect.Effect<"saved" | "in_use" | "too_many", TemporarilyUnavailable>

  /** Gives a search of that member another name. `in_use`: another one of theirs has it. */
  rename(
    request: {
      readonly orgId: OrganizationId
      readonly ownerId: string
      readonly id: string
      readonly name: string
    }
  ): Effect.Effect<"renamed" | "in_use" | "no_search", TemporarilyUnavailable>

  /** Deletes a search of that member; whether it was there. */
  remove(
    request: { readonly orgId: OrganizationId; readonly ownerId: string; readonly id: string }
  ): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("@freehold/core/search/SavedSearches") {}
