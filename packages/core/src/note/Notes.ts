/** What members wrote about properties. Each method is one round trip. */
import { Context, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"

/** So many has an organization at most. */
export const mostNotes = 200_000

/** A member as the author of something; the name is kept as it was then. */
export interface Author {
  readonly memberId: string
  readonly name: string
}

/** `createdAt` is ISO-8601. */
export interface Note {
  readonly id: string
  readonly propertyId: string
  readonly content: string
  readonly author: string
  /** null: written by none of the members. */
  readonly authorId: string | null
  readonly createdAt: string
}

/** A note with the property that it is about. */
export interface PlacedNote extends Note {
  readonly countyFips: string
  readonly retiredInto: string | null
}

/** A property with its notes, newest first. */
export interface NotedProperty {
  readonly id: string
  readonly countyFips: string
  readonly retiredInto: string | null
  readonly notes: ReadonlyArray<Note>
}

/** Port: what members wrote about properties. */
export class Notes extends Context.Service<Notes, {
  /** None: no such property. */
  of(
    request: { readonly orgId: OrganizationId; readonly property: PropertyRef; readonly limit: number }
  ): Effect.Effect<Option.Option<NotedProperty>, TemporarilyUnavailable>

  /** None: the organization has `most` of them, and nothing was written. However many write at once, there are no more. */
  add(
    note: {
      readonly orgId: OrganizationId
      readonly id: string
      readonly propertyId: string
      readonly content: string
      readonly author: Author
      readonly most: number
      /** Milliseconds. */
      readonly now: number
    }
  ): Effect.Effect<Option.Option<Note>, TemporarilyUnavailable>

  /** None: no such note. */
  find(orgId: OrganizationId, id: string): Effect.Effect<Option.Option<PlacedNote>, TemporarilyUnavailable>

  /** Writes a note anew; it keeps its author and its time. None: no such note. */
  edit(
    request: { readonly orgId: OrganizationId; readonly id: string; readonly content: string }
  ): Effect.Effect<Option.Option<Note>, TemporarilyUnavailable>

  /** Whether it was there. */
  delete(orgId: OrganizationId, id: string): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("@freehold/core/note/Notes") {}
