/**
 * The firms as an organization sees them: by their ties to properties that may be told to it.
 *
 * A tie may be told unless it is known by research alone (`researchedAttributions`) and the property's research is not
 * revealed to the viewer. Ties to retired properties do not exist. A firm without a tie in the viewer's area is not
 * there. Each method is one round trip.
 */
import { Context, type Effect, type Option } from "effect"
import type { RoleType } from "../contact/Contact.ts"
import type { Viewer } from "../coverage/Viewer.ts"
import type { Place } from "../operation/PageCursor.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { folded } from "../operation/TextOrder.ts"
import type { Firm, FirmRole } from "./Firm.ts"

export interface FirmBrowse {
  readonly viewer: Viewer
  /** A tie of this role; null: any. Together with `countyFips`: such a tie there. */
  readonly role: FirmRole | null
  /** A tie in one of these counties, all visible; null: any. */
  readonly countyFips: ReadonlyArray<string> | null
  /** A substring of the name, in lower case; null: any. */
  readonly text: string | null
  /** Its letters stand for those with accents too, and those for the letters. */
  readonly anyAccents: boolean
  /** Least number of properties in the visible area. */
  readonly minProperties: number
  /** Most properties first, or by name (as `SearchOrder.folded`); then by id. */
  readonly sort: "propertyCount" | "name"
  /** Where the page before ends, in the same order; null: from the start. */
  readonly after: Place | null
  /** Rows to skip after that. */
  readonly offset: number
  readonly limit: number
}

export interface FirmSummary {
  readonly id: string
  readonly name: string
  readonly domain: string | null
  /** Of the ties in the visible area, in the order of `FirmRole`. */
  readonly roles: ReadonlyArray<FirmRole>
  /** Properties in the visible area. */
  readonly properties: number
  /** One of these properties is researched. */
  readonly researched: boolean
}

export interface FirmPage {
  readonly rows: ReadonlyArray<FirmSummary>
  /** All matches, exact. */
  readonly total: number
}

/** The counts are of properties in the visible area. */
export interface FirmDetail {
  readonly firm: Firm
  readonly roles: ReadonlyArray<FirmRole>
  readonly properties: number
  readonly researchedProperties: number
  readonly revealedProperties: number
  /** The first ten properties by id, each with its first role. */
  readonly first: ReadonlyArray<{
    readonly propertyId: string
    readonly address: string | null
    readonly city: string | null
    readonly state: string | null
    readonly role: FirmRole
  }>
  /** The firm's own people whom the viewer sees, most first, then by role type, null last. */
  readonly people: ReadonlyArray<{ readonly roleType: RoleType | null; readonly count: number }>
}

/** Where a firm stands in an order, as `after` takes it. */
export const positionOf = (sort: FirmBrowse["sort"]) => ({ id, name, properties }: FirmSummary): Place => ({
  value: sort === "propertyCount" ? properties : folded(name),
  id
})

/** One tie of a firm to a property anywhere; there is one for each role. */
export interface FirmTie {
  readonly propertyId: string
  readonly countyFips: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly role: FirmRole
  readonly attributionType: string
}

/**
 * The ties after one of them; null: from the start. Those in the visible area come first, by property id and role; the
 * others by county, role, kind of attribution and id, since an order by anything else would tell more than is shown of them.
 * Roles are in the order of `FirmRole`.
 */
export interface TiePage {
  readonly after: TiePlace | null
  readonly limit: number
}

/** What of a tie is compared. */
export type TiePlace = Pick<FirmTie, "attributionType" | "countyFips" | "propertyId" | "role">

/** Port: companies that own, manage or rent property. */
export class Firms extends Context.Service<Firms, {
  browse(browse: FirmBrowse): Effect.Effect<FirmPage, TemporarilyUnavailable>

  /** None for a firm without a tie in the visible area. */
  read(firmId: string, viewer: Viewer): Effect.Effect<Option.Option<FirmDetail>, TemporarilyUnavailable>

  /** Those of the firms that have a tie in the visible area that may be told. */
  seen(firmIds: ReadonlyArray<string>, viewer: Viewer): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  /** Ties that may be told, in any county, in their order. None for a firm without a tie in the visible area. */
  ties(firmId: string, viewer: Viewer, page: TiePage): Effect.Effect<
    Option.Option<{ readonly id: string; readonly name: string; readonly ties: ReadonlyArray<FirmTie> }>,
    TemporarilyUnavailable
  >
}>()("@freehold/core/firm/Firms") {}
