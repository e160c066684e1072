/** Everything that a lead bundle is made of, read at once. */
import { Context, type Effect, type Option } from "effect"
import type { AttachedContact } from "../contact/Contact.ts"
import type { Note } from "../note/Notes.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Lead } from "../pipeline/Pipeline.ts"
import type { Property } from "../property/Property.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"
import type { Task } from "../task/Tasks.ts"

/** An owner or management firm and its tie to the property. */
export interface AttachedFirm {
  readonly id: string
  readonly role: "owner" | "property_manager" | "operator" | "tenant"
  readonly name: string
  readonly domain: string | null
  readonly attributionType: string
  readonly linkedinUrl: string | null
  readonly websiteUrl: string | null
  readonly phone: string | null
}

/** What people wrote about the property. */
export type BundleNote = Omit<Note, "propertyId" | "authorId">

/** What they mean to do about it. */
export type BundleTask = Omit<Task, "propertyId">

/** So many notes, and so many tasks, are in one bundle: of either there may be 200,000 about one property. */
export const mostOfBundle = 50

export interface BundleFacts {
  readonly property: Property
  readonly contacts: ReadonlyArray<AttachedContact>
  readonly firms: ReadonlyArray<AttachedFirm>
  readonly lead: Lead | null
  /** Newest first, at most `mostOfBundle`. */
  readonly notes: ReadonlyArray<BundleNote>
  /** The open ones first, then newest first, at most `mostOfBundle`. */
  readonly tasks: ReadonlyArray<BundleTask>
  readonly customerAccountStatus: "active" | "churned" | null
}

/** Port: everything that the bundle of a lead tells, read at one moment. */
export class BundleSource extends Context.Service<BundleSource, {
  /** One round trip; one snapshot. */
  read(ref: PropertyRef, orgId: OrganizationId): Effect.Effect<Option.Option<BundleFacts>, TemporarilyUnavailable>
}>()("@freehold/core/lead/BundleSource") {}
