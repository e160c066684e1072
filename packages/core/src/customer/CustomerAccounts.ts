/** The properties whose owners are customers of an organization, or were. */
import { Context, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { CustomerStatus } from "../pipeline/Pipeline.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"

/** Where a property lies, and whether it was merged. */
export interface Location {
  readonly id: string
  readonly countyFips: string
  readonly retiredInto: string | null
}

export interface SyncedAccount {
  readonly propertyId: string
  readonly status: CustomerStatus
  /** The id of the lead.changed event, if there is one to record. */
  readonly eventId: string
}

/** Port: an organization's own customers, as it last told them. */
export class CustomerAccounts extends Context.Service<CustomerAccounts, {
  /** The properties of those names, in their order. One round trip, however many. */
  locate(
    refs: ReadonlyArray<PropertyRef>
  ): Effect.Effect<ReadonlyArray<Option.Option<Location>>, TemporarilyUnavailable>

  /**
   * Sets the accounts, each property once, and records lead.changed for each lead whose property becomes a current
   * customer or is one no longer. Atomic; one round trip, however many.
   */
  sync(
    orgId: OrganizationId,
    accounts: ReadonlyArray<SyncedAccount>,
    made: { readonly byAgent: boolean; /** Milliseconds. */ readonly now: number }
  ): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/customer/CustomerAccounts") {}
