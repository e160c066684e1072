/** `AdministrationLog` in memory. */
import { Duration, Effect, Layer } from "effect"
import { AdministrationLog, retention } from "../../administration/AdministrationLog.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState } from "../MemoryState.ts"

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
          state.administration.set(entry.orgId, [entry, ...kept])
        })
      ),
      countSince: Effect.fn("AdministrationLog.countSince")(({ atMost, orgId, since }) =>
        Effect.sync(() => {
          const all = state.administration.get(orgId) ?? []
          return Math.min(atMost, all.filter(({ actor, now }) => now > since && actor.kind !== "operator").length)
        })
      ),
      list: Effect.fn("AdministrationLog.list")(({ after, limit, orgId }) =>
        Effect.sync(() => {
          const all = state.administration.get(orgId) ?? []
          const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
          if (after !== null && from === 0) return []
          return all.slice(from, from + limit).map(({ now, orgId: _, ...entry }) => ({ ...entry, at: isoOf(now) }))
        })
      )
    })
  })
)
