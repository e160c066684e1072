/** How many properties and contacts stand with one organization, read at once. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** What decides over an unlock. */
export interface PropertyStanding {
  readonly id: string
  readonly countyFips: string
  readonly retiredInto: string | null
  readonly researched: boolean
  /** How the organization holds it: by a paid unlock, by one that coverage made free, or not at all. */
  readonly access: "paid" | "covered" | null
}

/** What decides over a reveal. */
export interface ContactStandingFacts {
  readonly id: string
  /** The counties of the person's properties, retired ones left out. */
  readonly counties: ReadonlyArray<string>
  /** One of its properties was unlocked by payment. */
  readonly openedByProperty: boolean
  /** A reveal that was recorded for the organization. */
  readonly access: "paid" | "free" | null
}

/** A property that was asked for by its id or by its key. */
export interface FoundProperty extends PropertyStanding {
  readonly key: string
  readonly address: string | null
}

/** A property with what decides over what was written about it. */
export interface StoodProperty extends FoundProperty {
  /** An owner of it asked not to be listed. */
  readonly withholdsOwner: boolean
}

/** A person with what decides over what was found about them. */
export interface StoodContact extends ContactStandingFacts {
  /** What the person asked not to be reached by. */
  readonly doNotContact: { readonly email: boolean; readonly phone: boolean }
}

/** A property as a line tells of it, with what it is to the organization beside its access. */
export interface NamedProperty extends FoundProperty {
  readonly city: string | null
  readonly state: string | null
  /** It is a lead that is neither lost nor disqualified. */
  readonly lead: boolean
  /** It is an active customer. */
  readonly customer: boolean
}

/** A person as a line tells of them. */
export interface NamedContact extends ContactStandingFacts {
  readonly fullName: string
  readonly title: string | null
  readonly employerName: string | null
}

/** Port: how properties and contacts stand with an organization. */
export class Standings extends Context.Service<Standings, {
  /** Those of the properties, by id or key, and of the contacts, by id, that exist, in any order. One round trip, one snapshot. */
  read(asked: {
    readonly orgId: OrganizationId
    readonly properties: ReadonlyArray<string>
    readonly contacts: ReadonlyArray<string>
  }): Effect.Effect<
    {
      readonly properties: ReadonlyArray<StoodProperty>
      readonly contacts: ReadonlyArray<StoodContact>
    },
    TemporarilyUnavailable
  >

  /** Those of the ids that exist, in any order, with what they are called. One round trip, one snapshot. */
  named(ids: {
    readonly orgId: OrganizationId
    readonly properties: ReadonlyArray<string>
    readonly contacts: ReadonlyArray<string>
  }): Effect.Effect<
    { readonly properties: ReadonlyArray<NamedProperty>; readonly contacts: ReadonlyArray<NamedContact> },
    TemporarilyUnavailable
  >
}>()("@freehold/core/coverage/Standings") {}
