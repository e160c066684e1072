/**
 * The lists of an organization and their items. Each method is one round trip and atomic.
 *
 * `reader` is the member who asks, null for an organization's key: it sees every list, a member the team's, the own ones
 * and those shared with the member. A list that the reader does not see is treated as if it were not there.
 */
import { Context, type Effect, type Option } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { KeptList, List, ListBounds, ListType, Visibility } from "./List.ts"

/** Where something is looked for, and by whom. */
export interface ListReader {
  readonly orgId: OrganizationId
  readonly reader: string | null
}

export interface NewList {
  readonly orgId: OrganizationId
  readonly id: string
  readonly name: string
  readonly type: ListType
  readonly visibility: Visibility
  /** The members of a shared list, its owner left out. */
  readonly sharedWith: ReadonlyArray<string>
  /** `memberId` null: an organization's key. */
  readonly owner: { readonly memberId: string | null; readonly name: string }
  /**
   * What to do when a list of that type and name exists in the same place: among the team's lists, or among the owner's
   * private or shared ones. `reuse` also finds one elsewhere that the owner, if a member, sees.
   */
  readonly onClash: "allow" | "refuse" | "reuse"
  readonly bounds: ListBounds
  /** Milliseconds. */
  readonly now: number
}

/** With the new list, or the one that has the name. `too_many`: there are as many lists as there may be. */
export type Created =
  | { readonly outcome: "created" | "found" | "in_use"; readonly list: List }
  | { readonly outcome: "too_many"; readonly list: null }

/**
 * `Full` and `Unavailable`: nothing was added. `Full`: the list, or all of the organization's together, would hold more than they
 * may. `ofOtherKind`: at least one of the ids is an available item of the other kind.
 */
export type Addition =
  | { readonly _tag: "Added"; readonly added: number; readonly alreadyExists: number }
  | {
    readonly _tag: "Unavailable"
    readonly type: ListType
    readonly itemIds: ReadonlyArray<string>
    readonly ofOtherKind: boolean
  }
  | { readonly _tag: "Full" }
  | { readonly _tag: "NoList" }

/** An item as a list shows it: never a contact detail. Times are ISO-8601. */
export type ListItem =
  | {
    readonly _tag: "Property"
    readonly id: string
    readonly key: string
    readonly address: string | null
    readonly city: string | null
    readonly state: string | null
    readonly zip: string | null
    readonly assetCategory: string | null
    readonly addedAt: string
  }
  | {
    readonly _tag: "Contact"
    readonly id: string
    readonly title: string | null
    readonly roleType: string | null
    readonly seniority: string
    readonly employerName: string | null
    readonly addedAt: string
  }

/** Where a list or an item stands among those that are newest first: its moment, and its id. */
export interface RecentPlace {
  /** ISO-8601, to the millisecond; nothing is kept more exactly. */
  readonly at: string
  readonly id: string
}

/** The rows after a place (null: from the start), but for so many. */
export interface RecentPage {
  readonly after: RecentPlace | null
  readonly offset: number
  readonly limit: number
}

/** Port: lists of properties and contacts, with who may see them. */
export class Lists extends Context.Service<Lists, {
  /** Lists, newest first, and how many there are. `type` null: both kinds. */
  page(
    request: ListReader & RecentPage & { readonly type: ListType | null }
  ): Effect.Effect<{ readonly lists: ReadonlyArray<List>; readonly total: number }, TemporarilyUnavailable>

  /** Of calls for one name at once, exactly one creates it where a clash is not allowed. However many call at once, the bound is kept. */
  create(list: NewList): Effect.Effect<Created, TemporarilyUnavailable>

  /**
   * Adds all of the items or none. A property is available when it is in the area and not merged, a contact when it has
   * such a property. Items are distinct: ids in lower case, or keys of properties; what is unavailable is told as it was named.
   */
  add(
    request: ListReader & {
      readonly listId: string
      readonly itemIds: ReadonlyArray<string>
      readonly visible: Area
      readonly bounds: ListBounds
      /** Milliseconds. */
      readonly now: number
    }
  ): Effect.Effect<Addition, TemporarilyUnavailable>

  /** Takes items out, named as for `add`, by key within the area; answers how many were in. None: no such list. */
  remove(
    request: ListReader & {
      readonly listId: string
      readonly itemIds: ReadonlyArray<string>
      readonly visible: Area
    }
  ): Effect.Effect<Option.Option<number>, TemporarilyUnavailable>

  /** The available items, last added first, and how many there are. None: no such list. */
  items(
    request: ListReader & RecentPage & { readonly listId: string; readonly visible: Area }
  ): Effect.Effect<
    Option.Option<{ readonly list: List; readonly items: ReadonlyArray<ListItem>; readonly total: number }>,
    TemporarilyUnavailable
  >

  /**
   * How many of the items of each list are available in the area, by the list's id: as many as `items` tells one by one, so
   * that nobody counts what nobody may know of. All of them in one statement; what an organization may have in lists bounds it.
   */
  counts(request: {
    readonly orgId: OrganizationId
    readonly listIds: ReadonlyArray<string>
    readonly visible: Area
  }): Effect.Effect<ReadonlyMap<string, number>, TemporarilyUnavailable>

  /** The list with whose it is and who sees it. None: no such list. */
  find(
    request: ListReader & { readonly listId: string }
  ): Effect.Effect<Option.Option<KeptList>, TemporarilyUnavailable>

  /**
   * Gives a list another name, or others who see it. `in_use`: another list of the place where it would be has the name,
   * and nothing was changed; of calls for one name at once, one gets it.
   */
  change(
    request: ListReader & {
      readonly listId: string
      readonly name: string
      readonly visibility: Visibility
      readonly sharedWith: ReadonlyArray<string>
    }
  ): Effect.Effect<"changed" | "in_use" | "no_list", TemporarilyUnavailable>

  /** Deletes a list with what is in it; whether it was there. */
  delete(request: ListReader & { readonly listId: string }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** The kinds of those lists that the reader sees, by id. */
  types(
    request: ListReader & { readonly listIds: ReadonlyArray<string> }
  ): Effect.Effect<ReadonlyMap<string, ListType>, TemporarilyUnavailable>
}>()("@freehold/core/list/Lists") {}
