/** Which property pages a person has opened in the app lately, and whether that was too fast. */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { ViewingWindow } from "./FairUse.ts"

export type ViewOutcome =
  | { readonly _tag: "Opened" }
  /** Pages stay closed until then, in milliseconds. `began`: by this call. */
  | { readonly _tag: "Paused"; readonly until: number; readonly began: boolean }

/** Keeps which property pages a member opened lately. */
export class PageViews extends Context.Service<PageViews, {
  /**
   * Opens a page, unless a pause is in force or this would be one property too many within a window, which begins one.
   * Atomic: however many pages a person opens at once, no more are opened.
   *
   * A pause that ends further ahead than it lasts was begun before a clock was set back, and is over.
   */
  open(view: {
    readonly orgId: OrganizationId
    readonly memberId: string
    readonly propertyId: string
    readonly windows: ReadonlyArray<ViewingWindow>
    readonly pauseMillis: number
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<ViewOutcome, TemporarilyUnavailable>
}>()("@freehold/core/viewing/PageViews") {}
