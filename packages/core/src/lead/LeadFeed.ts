/** The polled feed of qualifications. service-api "GET /leads". */
import { Context, type Effect } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** One qualification. Times are ISO-8601 with milliseconds. */
export interface FeedItem {
  readonly event_id: string
  readonly property_id: string
  readonly event_type: "lead.qualified"
  readonly qualified_at: string
  readonly created_at: string
}

/** A place in the feed: everything up to and including this event was read. `createdAt` in microseconds as text. */
export interface FeedPosition {
  readonly createdAt: string
  readonly eventId: string
}

/** Port: the qualifications of an organization, to be polled. */
export class LeadFeed extends Context.Service<LeadFeed, {
  /**
   * Events in the order of their recording, oldest first, in visible places only, test events left out. What is of a property that
   * was merged is told of the survivor, so that nobody who polls meanwhile misses it.
   * `recordedBefore` (milliseconds) is the age at which an event may show: all that were recorded until then are
   * committed, so that no page ever skips one.
   */
  page(request: {
    readonly orgId: OrganizationId
    readonly visible: Area
    readonly from: { readonly _tag: "After"; readonly position: FeedPosition } | {
      readonly _tag: "Since"
      readonly since: number | null
    }
    readonly recordedBefore: number
    readonly limit: number
  }): Effect.Effect<
    { readonly items: ReadonlyArray<FeedItem>; readonly last: FeedPosition | null; readonly hasMore: boolean },
    TemporarilyUnavailable
  >
}>()("@freehold/core/lead/LeadFeed") {}
