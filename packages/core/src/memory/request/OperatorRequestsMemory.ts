/** `OperatorRequests` in memory. */
import { Effect, Layer, Option } from "effect"
import { compareText } from "../../operation/TextOrder.ts"
import { isRecent } from "../../rate/LaunchRateLimited.ts"
import {
  type AskedCounty,
  ClosedBefore,
  type OperatorRequest,
  OperatorRequests,
  type RequestPlace
} from "../../request/OperatorRequests.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type State, type StoredRequest } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"

const newestFirst = compareBy<StoredRequest>(
  (left, right) => right.createdAt - left.createdAt,
  (left, right) => compareText(left.id, right.id)
)

/** In the order of `newestFirst`, as the texts that are shown. */
const isBehind = (request: OperatorRequest, place: RequestPlace): boolean =>
  request.createdAt < place.createdAt || request.createdAt === place.createdAt && request.id > place.id

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

/** Each of the counties that an open request of the organization names, with the first that does. */
const askedBefore = (
  { operatorRequests }: State,
  orgId: string,
  countyFips: ReadonlyArray<string>
): ReadonlyArray<AskedCounty> => {
  const open = Array.from(operatorRequests.values())
    .filter((each) => each.orgId === orgId && each.closedAt === null)
    .toSorted(oldestFirst)
  return countyFips.toSorted(compareText).flatMap((county) => {
    const first = open.find(({ asked }) => asked.kind === "coverage" && asked.countyFips.includes(county))
    return first === undefined ? [] : [{ countyFips: county, id: first.id, createdAt: isoOf(first.createdAt) }]
  })
}

/** `OperatorRequests` in memory. */
export const layer: Layer.Layer<OperatorRequests, never, MemoryState> = Layer.effect(
  OperatorRequests,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return OperatorRequests.of({
      add: Effect.fn("OperatorRequests.add")(({ asked: given, most, now, spanMillis, ...common }) =>
        Effect.sync(() => {
          const before = given.kind === "coverage" ? askedBefore(state, common.orgId, given.countyFips) : []
          const known = new Set(before.map(({ countyFips }) => countyFips))
          const asked = given.kind === "coverage"
            ? { ...given, countyFips: given.countyFips.filter((each) => !known.has(each)) }
            : given
          if (asked.kind === "coverage" && asked.countyFips.length === 0) return { before, next: Option.none() }
          const request = { ...common, asked }
          const recent = Array.from(state.operatorRequests.values())
            .filter((each) =>
              each.orgId === request.orgId && each.asked.kind === request.asked.kind &&
              isRecent(each.createdAt, spanMillis, now)
            )
            .toSorted(newestFirst)
            .slice(0, most)
          const oldest = recent.at(-1)
          if (oldest !== undefined && recent.length >= most) {
            return { before, next: Option.some(oldest.createdAt + spanMillis) }
          }
          state.operatorRequests.set(request.id, { ...request, createdAt: now, closedAt: null, answer: null })
          return { before, next: Option.none() }
        })
      ),

      list: Effect.fn("OperatorRequests.list")(({ actorId, after, kind, limit, offset, orgId, stateFips, status }) =>
        Effect.sync(() => {
          const found = Array.from(state.operatorRequests.values())
            .filter((each) => orgId === null || each.orgId === orgId)
            .filter(({ actor }) => actorId === undefined || actor.id === actorId)
            .toSorted(newestFirst)
            .map(shown)
            .filter((each) => status === null || each.status === status)
            .filter((each) => kind === undefined || each.kind === kind)
            .filter(({ countyFips }) =>
              stateFips === undefined || countyFips?.some((each) => each.startsWith(stateFips)) === true
            )
          const page = after === undefined ? found : found.filter((each) => isBehind(each, after))
          return { requests: page.slice(offset, offset + limit), total: found.length }
        })
      ),

      close: Effect.fn("OperatorRequests.close")((id, now, answer) =>
        Effect.suspend(() => {
          const found = state.operatorRequests.get(id)
          if (found === undefined) return Effect.succeedNone
          if (found.closedAt !== null) return Effect.fail(new ClosedBefore({ answer: found.answer }))
          const closed = { ...found, closedAt: now, answer }
          state.operatorRequests.set(id, closed)
          return Effect.succeedSome(shown(closed))
        })
      )
    })
  })
)
