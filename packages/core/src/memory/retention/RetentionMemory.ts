/** `Retention` in memory. */
import { Duration, Effect, Layer, Option } from "effect"
import { operatorIdleTime, operatorSessionLifetime } from "../../access/OperatorSessions.ts"
import { idleTime, sessionLifetime } from "../../access/Sessions.ts"
import { retention as administrationKept } from "../../administration/AdministrationLog.ts"
import { retention as noticesKept } from "../../notice/Notices.ts"
import { type Kept, type Kind, Retention } from "../../retention/Retention.ts"
import { MemoryState, type State, type StoredEndpoint } from "../MemoryState.ts"

/** Removes those of a map that are over, at most so many; answers how many. */
const prune = <Key, Value>(map: Map<Key, Value>, atMost: number, isOver: (value: Value) => boolean): number => {
  const over = [...map].filter(([, value]) => isOver(value)).slice(0, atMost)
  for (const [key] of over) map.delete(key)
  return over.length
}

const forgetBodies = (state: State, before: number, atMost: number): number => {
  const over = [...state.deliveries.values()]
    .filter(({ createdAt, data, dueAt }) => dueAt === null && data !== null && createdAt < before)
    .slice(0, atMost)
  for (const delivery of over) state.deliveries.set(delivery.id, { ...delivery, data: null })
  return over.length
}

const forgetEvents = (state: State, before: number, atMost: number): number => {
  const deliveries = [...state.deliveries.values()]
  const events = [...state.events.values()]
  return prune(
    state.events,
    atMost,
    (event) =>
      event.createdAt < before && event.status !== "pending" && (event.type !== "lead.qualified" || event.test)
      && !deliveries.some(({ eventId }) => eventId === event.id)
      && !events.some(({ withdrawsEventId }) => withdrawsEventId === event.id)
  )
}

/** Endpoints that another took the place of by then, and of which nothing is left that was sent to them. */
const forgetEndpoints = (state: State, before: number, atMost: number): number => {
  const known = new Set([...state.deliveries.values()].map(({ endpointId }) => endpointId))
  const endpoints = [...state.endpoints.values()]
  const isReplaced = (endpoint: StoredEndpoint): boolean =>
    endpoints.some((other) =>
      other.orgId === endpoint.orgId && other.targetKey === endpoint.targetKey && other.createdAt > endpoint.createdAt
      && Date.parse(other.createdAt) <= before
    )
  return prune(
    state.endpoints,
    atMost,
    (endpoint) => endpoint.disabledReason === "superseded" && isReplaced(endpoint) && !known.has(endpoint.id)
  )
}

const forgetNotices = (state: State, before: number, atMost: number): number => {
  const over = state.notices.filter(({ at }) => at <= before).slice(0, atMost)
  state.notices.splice(0, state.notices.length, ...state.notices.filter((notice) => !over.includes(notice)))
  return over.length
}

const forgetAdministration = (state: State, before: number): number => {
  let removed = 0
  for (const [orgId, entries] of state.administration) {
    const kept = entries.filter(({ now }) => now > before)
    removed += entries.length - kept.length
    state.administration.set(orgId, kept)
  }
  return removed
}

const sweep = (state: State, kept: Kept, now: number, atMost: number): ReadonlyArray<readonly [Kind, number]> => {
  const before = (duration: Duration.Duration) => now - Duration.toMillis(duration)
  const isOver = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt <= now
  return [
    ["bodies", forgetBodies(state, before(kept.bodies), atMost)],
    [
      "deliveries",
      prune(
        state.deliveries,
        atMost,
        ({ createdAt, dueAt, finishedAt }) =>
          dueAt === null && Math.max(createdAt, finishedAt ?? 0) < before(kept.deliveries)
      )
    ],
    ["endpoints", forgetEndpoints(state, before(kept.deliveries), atMost)],
    ["events", forgetEvents(state, Math.min(before(kept.events), before(kept.deliveries)), atMost)],
    ["idempotent_answers", prune(state.idempotentAnswers, atMost, ({ expiresAt }) => expiresAt <= now)],
    ["links", prune(state.signInLinks, atMost, isOver) + prune(state.operatorLinks, atMost, isOver)],
    [
      "sessions",
      prune(
        state.sessions,
        atMost,
        ({ lastUsedAt, signedInAt }) => signedInAt <= before(sessionLifetime) || lastUsedAt <= before(idleTime)
      ) + prune(
        state.operatorSessions,
        atMost,
        ({ lastUsedAt, signedInAt }) =>
          signedInAt <= before(operatorSessionLifetime) || lastUsedAt <= before(operatorIdleTime)
      )
    ],
    ["views", prune(state.operatorViews, atMost, isOver)],
    ["notices", forgetNotices(state, before(noticesKept), atMost)],
    ["administration", forgetAdministration(state, before(administrationKept))],
    ["finder", prune(state.finderCache, atMost, isOver)]
  ]
}

/** `Retention` in memory. */
export const layer: Layer.Layer<Retention, never, MemoryState> = Layer.effect(
  Retention,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Retention.of({
      sweep: Effect.fn("Retention.sweep")(({ atMost, kept, now }) =>
        Effect.sync(() => {
          const counts = sweep(state, kept, now, atMost)
          return Option.some({
            removed: new Map(counts.filter(([, removed]) => removed > 0)),
            more: counts.some(([, removed]) => removed >= atMost)
          })
        })
      )
    })
  })
)
