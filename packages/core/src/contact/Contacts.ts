/** The contacts, each with its properties, and what was written about them. Each method is one round trip. */
import { Context, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Contact, Relationship } from "./Contact.ts"

/** One person for one organization. */
export interface ContactStanding {
  readonly contact: Contact
  /** Every property of the person, in any county; retired ones left out. */
  readonly relationships: ReadonlyArray<Relationship>
  /** A reveal that was recorded for the organization. */
  readonly access: "paid" | "free" | null
}

/** A strategy or a draft about a person and a property that research delivered to the organization. */
export interface Written {
  readonly runId: string
  readonly contactId: string
  /** Of a merged one the survivor. */
  readonly propertyId: string
  /** ISO-8601. */
  readonly at: string
}

export interface LastWritten {
  readonly strategy: Written | null
  readonly draft: Written | null
}

/** Port: people, what an organization may see of them, and what it has paid for. */
export class Contacts extends Context.Service<Contacts, {
  read(contactId: string, orgId: OrganizationId): Effect.Effect<Option.Option<ContactStanding>, TemporarilyUnavailable>

  /** The organization's last strategy and draft about one of the people and one of the properties. */
  lastWritten(
    orgId: OrganizationId,
    about: { readonly contactIds: ReadonlyArray<string>; readonly propertyIds: ReadonlyArray<string> }
  ): Effect.Effect<LastWritten, TemporarilyUnavailable>
}>()("@freehold/core/contact/Contacts") {}
