/** The contacts, one at a time, each with its properties. Each method is one round trip. */
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

/** Port: people, what an organization may see of them, and what it has paid for. */
export class Contacts extends Context.Service<Contacts, {
  read(contactId: string, orgId: OrganizationId): Effect.Effect<Option.Option<ContactStanding>, TemporarilyUnavailable>
}>()("@freehold/core/contact/Contacts") {}
