/** `AdministrationLog` in memory. */
import { Duration, Effect, Layer } from "effect"
import { AdministrationLog, retention } from "../../administration/AdministrationLog.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type State } from "../MemoryState.ts"

/** Of every organization and of none, the newest first. */
const newest = (state: State) =>
  [...state.administration.values()].flat().toSorted((one, other) =>
    other.now - one.now || compareText(other.id, one.id)
  )

/** `AdministrationLog` in memory. */
export const layer: Layer.Layer<AdministrationLog, never, MemoryState> = Layer.effect(
  AdministrationLog,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return AdministrationLog.of({
      record: Effect.fn("AdministrationLog.record")((entry) =>
        Effect.sync(() => {
          const oldest = entry.now - Duration.toMillis(retention)
          const kept = (state.administration.get(entry.orgId) ?? []).filter(({ now }) => now > oldest)
          state.administration.set(entry.orgId, [{ reason: null, ...entry }, ...kept])
        })
      ),
      list: Effect.fn("AdministrationLog.list")(({ after, limit, orgId }) =>
        Effect.sync(() => {
          const all = orgId === null ? newest(state) : state.administration.get(orgId) ?? []
          const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
          if (after !== null && from === 0) return []
          return all.slice(from, from + limit).map(({ now, ...entry }) => ({ ...entry, at: isoOf(now) }))
        })
      )
    })
  })
)
