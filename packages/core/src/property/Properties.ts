/**
 * The properties, one at a time, each with what the asking organization holds of it.
 *
 * Each method is one round trip.
 */
import { Context, type Effect, type Option } from "effect"
import type { OrganizationId } from "../access/Organization.ts"
import type { Contact, RelationshipStatus, RoleType } from "../contact/Contact.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Property } from "./Property.ts"
import type { PropertyRef } from "./PropertyRef.ts"

/** What decides over an unlock. */
export interface PropertyStanding {
  readonly id: string
  readonly countyFips: string
  readonly retiredInto: string | null
  readonly researched: boolean
  /** How the organization holds it: by a paid unlock, by one that coverage made free, or not at all. */
  readonly access: "paid" | "covered" | null
}

/** A person at a property, with what the organization holds of the person. */
export interface AttachedContact extends Contact {
  readonly role: RoleType | null
  readonly relationshipStatus: RelationshipStatus
  /** The organization paid for this person, or has unlocked another property that the person is attached to. */
  readonly opened: boolean
}

export class Properties extends Context.Service<Properties, {
  /** The facts that an unlock needs. */
  standing(
    ref: PropertyRef,
    orgId: OrganizationId
  ): Effect.Effect<Option.Option<PropertyStanding>, TemporarilyUnavailable>

  /** The whole property. */
  read(ref: PropertyRef, orgId: OrganizationId): Effect.Effect<Option.Option<Property>, TemporarilyUnavailable>

  /** The whole property and everyone attached to it, ordered by seniority, then id. */
  readWithContacts(
    ref: PropertyRef,
    orgId: OrganizationId
  ): Effect.Effect<
    Option.Option<{ readonly property: Property; readonly contacts: ReadonlyArray<AttachedContact> }>,
    TemporarilyUnavailable
  >
}>()("@freehold/core/property/Properties") {}
