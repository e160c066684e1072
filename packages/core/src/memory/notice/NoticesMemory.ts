/** `Notices` in memory. */
import { Duration, Effect, Layer } from "effect"
import { Notices, retention } from "../../notice/Notices.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState } from "../MemoryState.ts"

const dayOf = (millis: number): number => Math.floor(millis / 86_400_000)

/** `Notices` over the state in memory. */
export const layer: Layer.Layer<Notices, never, MemoryState> = Layer.effect(
  Notices,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Notices.of({
      record: Effect.fn("Notices.record")(({ cause, id, kind, now, orgId, text }) =>
        Effect.sync(() => {
          const isKnown = state.notices.some((each) =>
            each.orgId === orgId && each.kind === kind && each.cause === cause && dayOf(each.at) === dayOf(now)
          )
          if (isKnown) return false
          const oldest = now - Duration.toMillis(retention)
          const kept = state.notices.filter((each) => each.orgId !== orgId || each.at > oldest)
          state.notices.splice(0, state.notices.length, ...kept, { id, orgId, kind, cause, text, at: now })
          return true
        })
      ),
      list: Effect.fn("Notices.list")(({ limit, offset, orgId }) =>
        Effect.sync(() => {
          const all = state.notices.filter((each) => orgId === null || each.orgId === orgId).toReversed()
          return {
            notices: all.slice(offset, offset + limit).map(({ at, id, kind, orgId, text }) => ({
              id,
              orgId,
              kind,
              text,
              createdAt: isoOf(at)
            })),
            total: all.length
          }
        })
      )
    })
  })
)
