/** `OperatorLog` in memory. */
import { Effect, Layer } from "effect"
import { OperatorLog } from "../../administration/OperatorLog.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState } from "../MemoryState.ts"

/** `OperatorLog` in memory. */
export const layer: Layer.Layer<OperatorLog, never, MemoryState> = Layer.effect(
  OperatorLog,
  Effect.gen(function*() {
    const { operatorLog } = yield* MemoryState
    return OperatorLog.of({
      record: Effect.fn("OperatorLog.record")(({ now, ...entry }) =>
        Effect.sync(() => {
          operatorLog.unshift({ ...entry, at: isoOf(now) })
        })
      ),
      list: Effect.fn("OperatorLog.list")(({ after, limit, orgId }) =>
        Effect.sync(() => {
          const from = after === null ? 0 : operatorLog.findIndex(({ id }) => id === after) + 1
          if (after !== null && from === 0) return []
          return operatorLog.slice(from).filter((entry) => orgId === undefined || entry.orgId === orgId).slice(0, limit)
        })
      )
    })
  })
)
