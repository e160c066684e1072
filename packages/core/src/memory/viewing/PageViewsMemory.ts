/** `PageViews` in memory. */
import { Effect, Layer } from "effect"
import { PageViews } from "../../viewing/PageViews.ts"
import { MemoryState } from "../MemoryState.ts"

/** `PageViews` over the state in memory. */
export const layer: Layer.Layer<PageViews, never, MemoryState> = Layer.effect(
  PageViews,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return PageViews.of({
      open: Effect.fn("PageViews.open")(({ memberId, now, orgId, pauseMillis, propertyId, windows }) =>
        Effect.sync(() => {
          const key = `${orgId} ${memberId}`
          const viewer = state.viewers.get(key) ?? { pausedUntil: 0, openedAt: new Map<string, number>() }
          if (viewer.pausedUntil > now && viewer.pausedUntil <= now + pauseMillis) {
            return { _tag: "Paused", until: viewer.pausedUntil, began: false }
          }
          const others = [...viewer.openedAt].filter(([id]) => id !== propertyId)
          const isTooFast = windows.some(({ millis, most }) =>
            others.filter(([, openedAt]) => openedAt > now - millis).length >= most
          )
          if (isTooFast) {
            state.viewers.set(key, { ...viewer, pausedUntil: now + pauseMillis })
            return { _tag: "Paused", until: now + pauseMillis, began: true }
          }
          const longest = Math.max(...windows.map(({ millis }) => millis))
          const openedAt = new Map(others.filter(([, at]) => at > now - longest)).set(propertyId, now)
          state.viewers.set(key, { pausedUntil: 0, openedAt })
          return { _tag: "Opened" }
        })
      )
    })
  })
)
