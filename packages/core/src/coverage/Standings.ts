/** How many properties and contacts stand with one organization, read at once. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../access/Organization.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { PropertyStanding } from "../property/Properties.ts"

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
