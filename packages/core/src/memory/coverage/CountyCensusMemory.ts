/** `CountyCensus` in memory. Nothing is imported there, so no county was ever refreshed, and no source brought any. */
import { Effect, Layer } from "effect"
import { CountyCensus } from "../../coverage/CountyCensus.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { MemoryState } from "../MemoryState.ts"

/** `CountyCensus` in memory. */
export const layer: Layer.Layer<CountyCensus, never, MemoryState> = Layer.effect(
  CountyCensus,
  Effect.map(MemoryState, (state) =>
    CountyCensus.of({
      read: Effect.sync(() => {
        const live = Array.from(state.properties.values()).filter(({ retiredInto }) => retiredInto === null)
        return Array.from(Map.groupBy(live, ({ countyFips }) => countyFips), ([countyFips, properties]) => ({
          countyFips,
          name: properties.find(({ county }) => county !== null)?.county ?? null,
          properties: properties.length,
          lastRefresh: null,
          sources: []
        })).sort((left, right) => compareText(left.countyFips, right.countyFips))
      }),
      revision: Effect.sync(() => String(state.properties.size))
    }))
)
