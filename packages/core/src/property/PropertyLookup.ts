/** Properties that may be what somebody wrote down: an address, or a parcel number. */
import { Context, type Effect } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { AddressProbe, Located } from "./AddressMatch.ts"

export interface Lookup {
  readonly probe: AddressProbe | null
  /** Any of them that is given must be right; lower case, 5 digits. */
  readonly city: string | null
  readonly zip: string | null
  /** As `AddressMatch.parcelForm`. */
  readonly parcel: string | null
}

export interface LookedUp extends Located {
  readonly id: string
  readonly key: string
}

/** Port: finds properties by address or parcel number. */
export class PropertyLookup extends Context.Service<PropertyLookup, {
  /**
   * For each lookup at most `perLookup` visible properties: with the parcel number, or with an address that has the
   * probe's house number and holds its word, in the zip or the city if one is given. Addresses without a house number are
   * looked for in a zip or a city alone: there are too many of them. Retired properties are left out. One round trip.
   */
  candidates(
    lookups: ReadonlyArray<Lookup>,
    visible: Area,
    perLookup: number
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<LookedUp>>, TemporarilyUnavailable>
}>()("@freehold/core/property/PropertyLookup") {}
