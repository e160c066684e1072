/**
 * Whether work may keep a second processor busy, of its organization's half of them, or while nobody else is there: else it would be idle, and one
 * heavy search is answered in about half the time.
 */
import { Context } from "effect"

/** Of the work in this context, asked right before it; false where nobody shares out processors. */
export const IsThere = Context.Reference<() => boolean>("@freehold/core/load/Spare/IsThere", {
  defaultValue: () => () => false
})
