/** `OperatorRequests` in memory. */
import { Effect, Layer, Option } from "effect"
import { compareText } from "../../operation/TextOrder.ts"
import { isRecent } from "../../rate/LaunchRateLimited.ts"
import { type OperatorRequest, OperatorRequests } from "../../request/OperatorRequests.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredRequest } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"

const newestFirst = compareBy<StoredRequest>(
  (left, right) => right.createdAt - left.createdAt,
  (left, right) => compareText(left.id, right.id)
)

const oldestFirst = compareBy<StoredRequest>(
  (left, right) => left.createdAt - right.createdAt,
  (left, right) => compareText(left.id, right.id)
)

const shown = ({ asked, closedAt, createdAt, ...request }: StoredRequest): OperatorRequest => ({
  ...request,
  kind: asked.kind,
  status: closedAt === null ? "open" : "closed",
  subject: asked.kind === "support" ? asked.subject : null,
  message: asked.kind === "support" ? asked.message : null,
  countyFips: asked.kind === "coverage" ? asked.countyFips : null,
  createdAt: isoOf(createdAt),
  closedAt: closedAt === null ? null : isoOf(closedAt)
})

/** `OperatorRequests` in memory. */
export const layer: Layer.Layer<OperatorRequests, never, MemoryState> = Layer.effect(
  OperatorRequests,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return OperatorRequests.of({
      add: Effect.fn("OperatorRequests.add")(({ most, now, spanMillis, ...request }) =>
        Effect.sync(() => {
          const recent = Array.from(state.operatorRequests.values())
            .filter((each) =>
              each.orgId === request.orgId && each.asked.kind === request.asked.kind &&
              isRecent(each.createdAt, spanMillis, now)
            )
            .toSorted(newestFirst)
            .slice(0, most)
          const oldest = recent.at(-1)
          if (oldest !== undefined && recent.length >= most) return Option.some(oldest.createdAt + spanMillis)
          state.operatorRequests.set(request.id, { ...request, createdAt: now, closedAt: null, answer: null })
          return Option.none()
        })
      ),

      asked: Effect.fn("OperatorRequests.asked")((orgId, countyFips) =>
        Effect.sync(() => {
          const open = Array.from(state.operatorRequests.values())
            .filter((each) => each.orgId === orgId && each.closedAt === null)
            .toSorted(oldestFirst)
          return countyFips.toSorted(compareText).flatMap((county) => {
            const first = open.find(({ asked }) => asked.kind === "coverage" && asked.countyFips.includes(county))
            return first === undefined
              ? []
              : [{ countyFips: county, id: first.id, createdAt: isoOf(first.createdAt) }]
          })
        })
      ),

      list: Effect.fn("OperatorRequests.list")(({ actorId, limit, offset, orgId, status }) =>
        Effect.sync(() => {
          const found = Array.from(state.operatorRequests.values())
            .filter((each) => orgId === null || each.orgId === orgId)
            .filter(({ actor }) => actorId === undefined || actor.id === actorId)
            .toSorted(newestFirst)
            .map(shown)
            .filter((each) => status === null || each.status === status)
          return { requests: found.slice(offset, offset + limit), total: found.length }
        })
      ),

      close: Effect.fn("OperatorRequests.close")((id, now, answer) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(state.operatorRequests.get(id)), (found) => {
            const closed = found.closedAt === null ? { ...found, closedAt: now, answer } : found
            state.operatorRequests.set(id, closed)
            return shown(closed)
          })
        )
      )
    })
  })
)
