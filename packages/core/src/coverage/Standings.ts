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

/** Port: how properties and contacts stand with an organization. */
export class Standings extends Context.Service<Standings, {
  /** Those of the ids that exist, in any order. One round trip, one snapshot. */
  read(ids: {
    readonly orgId: OrganizationId
    readonly properties: ReadonlyArray<string>
    readonly contacts: ReadonlyArray<string>
  }): Effect.Effect<
    {
      readonly properties: ReadonlyArray<PropertyStanding>
      readonly contacts: ReadonlyArray<ContactStandingFacts>
    },
    TemporarilyUnavailable
  >
}>()("@freehold/core/coverage/Standings") {}
