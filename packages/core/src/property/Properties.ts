/**
 * The properties, one at a time, each with what the asking organization holds of it.
 *
 * Each method is one round trip.
 */
import { Context, type Effect, type Option } from "effect"
import type { AttachedContact } from "../contact/Contact.ts"
import type { FoundProperty } from "../coverage/Standings.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Property } from "./Property.ts"
import type { PropertyRef } from "./PropertyRef.ts"

/** Somebody at a property, as far as opening it goes. */
export interface AttachedPerson {
  readonly id: string
  /** Paid for, alone or with a property of theirs, so that it is no coverage that opens them. */
  readonly opened: boolean
}

/** Port: property records, and what an organization may open of them. */
export class Properties extends Context.Service<Properties, {
  /** The facts that an unlock needs, and what the property is called. */
  standing(
    ref: PropertyRef,
    orgId: OrganizationId
  ): Effect.Effect<Option.Option<FoundProperty>, TemporarilyUnavailable>

  /** Everybody who is attached to one of the properties, each once, by id. */
  people(
    propertyIds: ReadonlyArray<string>,
    orgId: OrganizationId
  ): Effect.Effect<ReadonlyArray<AttachedPerson>, TemporarilyUnavailable>

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
