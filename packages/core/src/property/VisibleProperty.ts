/**
 * Finds out whether a property may be looked at: it exists, lies in the visible area and was not merged, in that order.
 *
 * Of a merged one the survivor's id is told, and that is a property of its own: a member whose territory ends before the survivor
 * is told no more than that this is beyond it. decisions, section 21.
 */
import { Effect, Option } from "effect"
import { NotFound, type OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Properties } from "./Properties.ts"

export const make = Effect.gen(function*() {
  const properties = yield* Properties

  return Effect.fnUntraced(function*<P extends { readonly countyFips: string; readonly retiredInto: string | null }>(
    found: Option.Option<P>,
    perspective: Territory.Perspective
  ): Effect.fn.Return<P, NotFound | OutOfTerritory | PropertyRetired | TemporarilyUnavailable> {
    if (Option.isNone(found)) return yield* new NotFound({ resource: "property" })
    const property = found.value
    yield* Territory.requireVisible(perspective, property.countyFips)
    const { retiredInto: id } = property
    if (id === null) return property
    // Whoever sees the organization's whole area is told where a record has gone, as the specification has it.
    if (perspective.territory !== null) {
      const survivor = yield* properties.standing({ _tag: "Id", id }, perspective.organization.org_id)
      if (Option.isSome(survivor)) yield* Territory.requireVisible(perspective, survivor.value.countyFips)
    }
    return yield* new PropertyRetired({ successorPropertyId: id })
  })
})

/**
 * Runs what is decided about a property after it was looked at. Where that is refused, the property may have been merged since,
 * and with it went what the caller has of it: then that is what is told.
 */
export const makeDeciding = Effect.gen(function*() {
  const properties = yield* Properties
  const visible = yield* make

  return <A, E, R>(id: string, perspective: Territory.Perspective, decided: Effect.Effect<A, E, R>) =>
    Effect.tapError(decided, () =>
      Effect.flatMap(
        properties.standing({ _tag: "Id", id }, perspective.organization.org_id),
        (found) => visible(found, perspective)
      ))
})
