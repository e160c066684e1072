/** A customer's list of properties or of contacts. service-api "List", decisions section 4. */
import { Schema } from "effect"

export const ListType = Schema.Literals(["properties", "contacts"])
export type ListType = typeof ListType.Type

/** `private`: its owner alone; `shared`: its owner and named members; `team`: every member. A key sees all of them. */
export const Visibility = Schema.Literals(["private", "team", "shared"])
export type Visibility = typeof Visibility.Type

export const maximumListName = 200
export const maximumItemsPerCall = 500

/** What an organization may keep, so that nobody fills the database and none of its lists is slow to read. */
export interface ListBounds {
  readonly lists: number
  readonly itemsOfOne: number
  readonly itemsOfAll: number
}

export const listBounds: ListBounds = { lists: 1000, itemsOfOne: 100_000, itemsOfAll: 1_000_000 }

/** How many items it has differs by who asks: `Lists.counts`. */
export interface List {
  readonly id: string
  readonly name: string
  readonly type: ListType
  readonly visibility: Visibility
  readonly ownerName: string
  /** ISO-8601. */
  readonly createdAt: string
}

/** A list with whose it is and whom it is shared with. */
export interface KeptList extends List {
  /** The member who made it; null: a key. */
  readonly ownerId: string | null
  /** The members of a shared list, its owner left out. */
  readonly sharedWith: ReadonlyArray<string>
}

/** Names that differ only in case, width or surrounding space are the same name, whatever the database's language. */
export const nameKey = (name: string): string => name.normalize("NFKC").trim().toLowerCase()
