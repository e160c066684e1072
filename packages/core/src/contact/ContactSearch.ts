/**
 * The people whom an organization sees, found by name or employer and browsed by what they do.
 *
 * A person is seen through a property: one that is not retired and lies in the viewer's area. A query comes fully checked
 * and narrowed to what the caller may see. Each method is one round trip.
 */
import { Context, type Effect } from "effect"
import type { Viewer } from "../coverage/Viewer.ts"
import type { Place } from "../operation/PageCursor.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { folded } from "../operation/TextOrder.ts"
import { type RoleType, Seniority } from "./Contact.ts"

export interface ContactFind {
  readonly viewer: Viewer
  /** A fragment of the name or of the employer, in lower case. */
  readonly text: string
  /** Letters stand for those with accents too, and those for the letters; left out: as they are written. */
  readonly anyAccents?: boolean
  readonly limit: number
  /** So many matches are too many: no row is answered. */
  readonly tooMany: number
}

export interface FoundContact {
  readonly id: string
  readonly fullName: string
  readonly title: string | null
  readonly employerName: string | null
  readonly location: string | null
}

/** `outside`: somebody matches, but nobody whom the viewer sees. Rows are ordered by id. */
export type ContactsFound =
  | { readonly _tag: "Found"; readonly rows: ReadonlyArray<FoundContact> }
  | { readonly _tag: "Nobody" | "Outside" | "TooMany" }

/** Joined by AND; null: not asked for. */
export interface ContactBrowse {
  readonly viewer: Viewer
  readonly roleType: RoleType | null
  /** Substrings, in lower case. */
  readonly titleText: string | null
  readonly employerText: string | null
  /** Of the texts: letters stand for those with accents too, and those for the letters; left out: as they are written. */
  readonly anyAccents?: boolean
  /** A property in one of these counties, all visible. */
  readonly countyFips: ReadonlyArray<string> | null
  /** Whether name and details are open to the viewer's organization. */
  readonly revealed: boolean | null
  /** The firm's own people. */
  readonly firmId: string | null
  /** Where to mark and rank the firm's people, before any other condition; only with `firmId`. */
  readonly market: string | null
  /** A change of one of the kinds was recorded (and not withdrawn) at or after `since` (milliseconds; null: ever). */
  readonly changed: { readonly kinds: ReadonlyArray<string>; readonly since: number | null } | null
  /**
   * Most properties first; title and employer A to Z, compared as `SearchOrder.folded`, without one last; best market rank
   * first. Then by id.
   */
  readonly sort: "propertyCount" | "title" | "employerName" | "marketRank"
  /** Where the page before ends, in the same order; null: from the start. */
  readonly after: Place | null
  /** Rows to skip after that. */
  readonly offset: number
  readonly limit: number
}

export interface BrowsedContact {
  readonly id: string
  readonly title: string | null
  readonly roleType: RoleType | null
  readonly seniority: Seniority
  readonly employerName: string | null
  /** Properties in the visible area. */
  readonly properties: number
  readonly revealed: boolean
  readonly emailValidated: boolean
  readonly hasPhone: boolean
  /**
   * In the asked market: how many of the person's visible properties lie there, and the person's place among the firm's
   * people (most properties there, then seniority, then id; from 1). null: no market was asked for.
   */
  readonly market: { readonly properties: number; readonly rank: number } | null
}

/**
 * What the places in a market are given by, the greatest first: properties there, then seniority. Unlike the rank it stays
 * when others come and go.
 */
export const marketWeight = (properties: number, seniority: Seniority): number =>
  properties * Seniority.literals.length - Seniority.literals.indexOf(seniority)

const comparedOf = (sort: ContactBrowse["sort"], contact: BrowsedContact): string | number | null => {
  switch (sort) {
    case "propertyCount":
      return contact.properties
    case "title":
      return contact.title === null ? null : folded(contact.title)
    case "employerName":
      return contact.employerName === null ? null : folded(contact.employerName)
    case "marketRank":
      return contact.market === null ? null : marketWeight(contact.market.properties, contact.seniority)
  }
}

/** Where a person stands in an order, as `after` takes it. */
export const positionOf = (sort: ContactBrowse["sort"]) => (contact: BrowsedContact): Place => ({
  value: comparedOf(sort, contact),
  id: contact.id
})

/** Port: finds people by what everybody may know of them. */
export class ContactSearch extends Context.Service<ContactSearch, {
  find(find: ContactFind): Effect.Effect<ContactsFound, TemporarilyUnavailable>
  browse(browse: ContactBrowse): Effect.Effect<
    { readonly rows: ReadonlyArray<BrowsedContact>; readonly total: number },
    TemporarilyUnavailable
  >
}>()("@freehold/core/contact/ContactSearch") {}
