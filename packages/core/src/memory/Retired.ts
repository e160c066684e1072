/** Nothing new is kept about a property that was merged: whoever looked at it before looks again. */
import { Effect } from "effect"
import { overtaken, type TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { State } from "./MemoryState.ts"

/** Does what keeps something about the properties, unless one of them was merged away. */
export const unlessRetired = <A, E = never>(
  state: State,
  propertyIds: ReadonlyArray<string>,
  keep: () => Effect.Effect<A, E>
): Effect.Effect<A, E | TemporarilyUnavailable> =>
  Effect.suspend((): Effect.Effect<A, E | TemporarilyUnavailable> =>
    propertyIds.some((id) => state.mergedAway.has(id)) ? Effect.fail(overtaken) : keep()
  )
