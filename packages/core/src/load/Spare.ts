/**
 * Whether work may keep a second processor busy: while nobody else is there it would be idle, and one heavy search is answered in about half the
 * time. Once somebody else is there, an organization keeps to its own.
 */
import { Context } from "effect"

/** Of the work in this context, asked right before it; false where nobody shares out processors. */
export const IsThere = Context.Reference<() => boolean>("@freehold/core/load/Spare/IsThere", {
  defaultValue: () => () => false
})
