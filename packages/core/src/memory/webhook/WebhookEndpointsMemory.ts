/** `WebhookEndpoints` in memory; secrets stay redacted values and need no seal. */
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { defaults } from "../../organization/Organization.ts"
import type { AttemptOutcome } from "../../webhook/Deliveries.ts"
import {
  type DeliveryRow,
  DeliveryUnderWay,
  endedDaysLookedAt,
  endedLookedAt,
  EndpointNotEnabled,
  type EndpointStanding,
  failedStates,
  isGone,
  waitingCountedAtMost,
  type WebhookEndpoint,
  WebhookEndpoints
} from "../../webhook/WebhookEndpoints.ts"
import {
  maximumActiveEndpoints,
  maximumEndpoints,
  WebhookEndpointLimitReached,
  WebhookEndpointTotalLimitReached
} from "../../webhook/WebhookRefusals.ts"
import { noteSubscription } from "../change/ChangeFacts.ts"
import { recordEvent } from "../event/EventRecord.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredDelivery, type StoredEndpoint } from "../MemoryState.ts"
import { cancelWaiting, handOver } from "./DisabledEndpoint.ts"
import { queueDelivery } from "./QueuedDelivery.ts"

const shown = (
  { previous: _previous, secret: _secret, targetKey: _targetKey, ...endpoint }: StoredEndpoint
): WebhookEndpoint => endpoint

const newestFirst = <A extends { readonly id: string; readonly createdAt: string | number }>(
  left: A,
  right: A
): number =>
  left.createdAt !== right.createdAt ? left.createdAt < right.createdAt ? 1 : -1 : left.id < right.id ? -1 : 1

const byOrganization = (left: StoredEndpoint, right: StoredEndpoint): number =>
  left.orgId !== right.orgId ? left.orgId < right.orgId ? -1 : 1 : left.id < right.id ? -1 : 1

/** What an attempt was answered. */
const answerOf = (outcome: AttemptOutcome) => ({
  status: outcome._tag === "Gone" ? 410 : "status" in outcome ? outcome.status : null,
  error: "reason" in outcome ? outcome.reason : null
})

const toRow = (delivery: StoredDelivery): DeliveryRow => {
  const last = delivery.log.at(-1)?.outcome
  const waits = delivery.dueAt !== null && delivery.claimedUntil === null
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    propertyId: delivery.propertyId,
    test: delivery.test,
    state: delivery.state,
    attempts: delivery.attempts + delivery.resends,
    lastStatus: last === undefined ? null : last._tag === "Gone" ? 410 : "status" in last ? last.status : null,
    lastError: delivery.reason ?? (last !== undefined && "reason" in last ? last.reason : null),
    createdAt: isoOf(delivery.createdAt),
    nextAttemptAt: waits && delivery.dueAt !== null ? isoOf(delivery.dueAt) : null,
    deliveredAt: delivery.deliveredAt === null ? null : isoOf(delivery.deliveredAt)
  }
}

/** `WebhookEndpoints` in memory. */
export const layer: Layer.Layer<WebhookEndpoints, never, MemoryState> = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const standing = (orgId: string): ReadonlyArray<StoredEndpoint> =>
      [...state.endpoints.values()].filter((each) => each.orgId === orgId && each.disabledReason !== "superseded")

    /** The endpoint of that id, if it is of that organization; absent: of whichever. */
    const named = (endpointId: string, of: string | undefined): StoredEndpoint | undefined => {
      const endpoint = state.endpoints.get(endpointId)
      return of === undefined || endpoint?.orgId === of ? endpoint : undefined
    }

    const isGivenUp = (delivery: StoredDelivery): boolean => failedStates.some((each) => each === delivery.state)

    const standingOf = (endpoint: StoredEndpoint, now: number): EndpointStanding => {
      const of = [...state.deliveries.values()].filter(({ endpointId }) => endpointId === endpoint.id).sort(newestFirst)
      const waiting = of.filter(({ dueAt }) => dueAt !== null)
      const since = now - Duration.toMillis(Duration.days(endedDaysLookedAt))
      const ended = of.filter(({ createdAt, dueAt }) => dueAt === null && createdAt >= since).slice(0, endedLookedAt)
      const fault = [...waiting.filter((each) => each.state === "retry_wait"), ...ended.filter(isGivenUp)]
        .sort(newestFirst)
        .map(toRow)[0]
      const organization = state.organizations.get(endpoint.orgId) ?? defaults(endpoint.orgId)
      return {
        ...shown(endpoint),
        organization: { name: organization.name, status: organization.status },
        waiting: Math.min(waiting.length, waitingCountedAtMost),
        nextAttemptAt: waiting.length === 0 ? null : isoOf(Math.min(...waiting.flatMap(({ dueAt }) => dueAt ?? []))),
        ended: ended.length,
        givenUp: ended.filter(isGivenUp).length,
        lastFault: fault === undefined ? null : {
          state: fault.state,
          lastStatus: fault.lastStatus,
          lastError: fault.lastError,
          createdAt: fault.createdAt
        }
      }
    }

    const isTroubled = ({ consecutiveFailures, disabledReason, lastFault }: EndpointStanding): boolean =>
      disabledReason !== "disabled" && (disabledReason !== null || consecutiveFailures > 0 || lastFault !== null)

    const deactivate = (endpoint: StoredEndpoint, reason: "deleted" | "superseded" | "disabled", now: number): void => {
      state.endpoints.set(endpoint.id, { ...endpoint, active: false, disabledReason: reason })
      cancelWaiting(state, endpoint.id, now)
    }

    return WebhookEndpoints.of({
      register: Effect.fn("WebhookEndpoints.register")(function*(endpoint) {
        const at = yield* Clock.currentTimeMillis
        const { createdVia, events, id, includeEvidence, label, now, orgId, secret, targetKey, url } = endpoint
        const old = standing(orgId).filter((each) => each.targetKey === targetKey)
        const others = standing(orgId).filter((each) => each.targetKey !== targetKey)
        if (others.filter((each) => each.active).length >= maximumActiveEndpoints) {
          return yield* new WebhookEndpointLimitReached({})
        }
        if (others.length >= maximumEndpoints) return yield* new WebhookEndpointTotalLimitReached({})
        const made: StoredEndpoint = {
          id,
          orgId,
          url,
          targetKey,
          label,
          subscribedEvents: events,
          includeEvidence,
          active: true,
          createdVia,
          createdAt: isoOf(now),
          disabledReason: null,
          consecutiveFailures: 0,
          secret,
          previous: null,
          crm: null
        }
        state.endpoints.set(id, made)
        noteSubscription(state, orgId, events)
        for (const each of old) {
          handOver(state, each.id, made)
          deactivate(each, "superseded", at)
        }
        return { endpoint: shown(made), superseded: old[0]?.id ?? null }
      }),

      connect: Effect.fn("WebhookEndpoints.connect")(function*({ credentials, now, ...given }) {
        const others = standing(given.orgId).filter(({ targetKey }) => targetKey !== given.targetKey)
        const old = standing(given.orgId).find(({ disabledReason, targetKey }) =>
          targetKey === given.targetKey && disabledReason !== "deleted"
        )
        if (others.filter(({ active }) => active).length >= maximumActiveEndpoints) {
          return yield* new WebhookEndpointLimitReached({})
        }
        if (old === undefined && standing(given.orgId).length >= maximumEndpoints) {
          return yield* new WebhookEndpointTotalLimitReached({})
        }
        const made: StoredEndpoint = {
          ...given,
          id: old?.id ?? given.id,
          createdAt: old?.createdAt ?? isoOf(now),
          subscribedEvents: ["lead.qualified"],
          includeEvidence: false,
          active: true,
          createdVia: "manual",
          disabledReason: null,
          consecutiveFailures: 0,
          secret: credentials,
          previous: null
        }
        state.endpoints.set(made.id, made)
        return shown(made)
      }),

      remove: Effect.fn("WebhookEndpoints.remove")((orgId, endpointId) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const endpoint = state.endpoints.get(endpointId)
          if (endpoint === undefined || endpoint.orgId !== orgId) return false
          if (!isGone(endpoint)) deactivate(endpoint, "deleted", now)
          return true
        })
      ),

      find: Effect.fn("WebhookEndpoints.find")((endpointId, of) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(named(endpointId, of)), shown))
      ),

      enable: Effect.fn("WebhookEndpoints.enable")(function*(endpointId, of) {
        const endpoint = named(endpointId, of)
        if (endpoint === undefined) return Option.none()
        const { disabledReason: reason, orgId } = endpoint
        if (reason === "deleted" || reason === "superseded") return yield* new EndpointNotEnabled({ reason })
        const others = standing(orgId).filter(({ active, id }) => active && id !== endpointId).length
        if (reason !== null && others >= maximumActiveEndpoints) return yield* new WebhookEndpointLimitReached({})
        const enabled: StoredEndpoint = { ...endpoint, active: true, disabledReason: null, consecutiveFailures: 0 }
        state.endpoints.set(endpointId, enabled)
        return Option.some(shown(enabled))
      }),

      disable: Effect.fn("WebhookEndpoints.disable")((orgId, endpointId) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const endpoint = named(endpointId, orgId)
          if (endpoint?.active === true) deactivate(endpoint, "disabled", now)
          return Option.map(Option.fromUndefinedOr(named(endpointId, orgId)), shown)
        })
      ),

      change: Effect.fn("WebhookEndpoints.change")((orgId, endpointId, { events, label }) =>
        Effect.sync(() => {
          const before = named(endpointId, orgId)
          if (before === undefined || isGone(before)) return Option.none()
          const after: StoredEndpoint = {
            ...before,
            label: label === undefined ? before.label : label,
            subscribedEvents: events ?? before.subscribedEvents
          }
          state.endpoints.set(endpointId, after)
          noteSubscription(state, orgId, after.subscribedEvents)
          return Option.some(shown(after))
        })
      ),

      failed: Effect.fn("WebhookEndpoints.failed")((orgId, endpointId, { limit, since, until }) =>
        Effect.sync(() =>
          [...state.deliveries.values()]
            .filter((each) =>
              each.orgId === orgId && each.endpointId === endpointId && each.dueAt === null
              && isGivenUp(each)
              && each.createdAt >= since && each.createdAt < until
            )
            .sort((left, right) => newestFirst(right, left))
            .slice(0, limit)
            .map(({ id }) => id)
        )
      ),

      delivery: Effect.fn("WebhookEndpoints.delivery")((orgId, deliveryId) =>
        Effect.sync(() => {
          const found = state.deliveries.get(deliveryId)
          if (found === undefined || found.orgId !== orgId) return Option.none()
          const { data, endpointId, log, propertyId, state: standing, test } = found
          return Option.some({
            endpointId,
            propertyId,
            test,
            state: standing,
            data,
            attempts: log.map(({ at, attempt, durationMillis, outcome }) => ({
              attempt,
              at: isoOf(at),
              ...answerOf(outcome),
              durationMillis,
              answer: "answer" in outcome ? outcome.answer ?? null : null
            }))
          })
        })
      ),

      rotateSecret: Effect.fn("WebhookEndpoints.rotateSecret")((endpointId, secret, overlap, of) =>
        Effect.map(
          Clock.currentTimeMillis,
          (now) =>
            Option.map(
              Option.filter(Option.fromUndefinedOr(named(endpointId, of)), ({ crm }) => crm === null),
              (endpoint) => {
                const until = now + Duration.toMillis(overlap)
                state.endpoints.set(endpointId, { ...endpoint, secret, previous: { secret: endpoint.secret, until } })
                return isoOf(until)
              }
            )
        )
      ),

      sendTest: Effect.fn("WebhookEndpoints.sendTest")(function*(test) {
        const { data, deliveryId, endpointId, eventId, eventType, now } = test
        const endpoint = state.endpoints.get(endpointId)
        if (endpoint === undefined) return
        if (endpoint.disabledReason !== null) return yield* new EndpointNotEnabled({ reason: endpoint.disabledReason })
        const event = {
          id: eventId,
          orgId: endpoint.orgId,
          type: eventType,
          propertyId: null,
          partial: false,
          test: true,
          byAgent: false,
          occurredAt: now
        }
        recordEvent(state, event, now)
        const recorded = state.events.get(eventId)
        if (recorded !== undefined) state.events.set(eventId, { ...recorded, status: "fanned_out", fannedOutAt: now })
        queueDelivery(
          state,
          {
            id: deliveryId,
            orgId: endpoint.orgId,
            eventId,
            endpointId,
            eventType,
            propertyId: null,
            test: true,
            partial: false,
            data
          },
          now
        )
      }),

      resend: Effect.fn("WebhookEndpoints.resend")(function*(deliveryId, of) {
        const now = yield* Clock.currentTimeMillis
        const delivery = state.deliveries.get(deliveryId)
        const endpoint = delivery === undefined ? undefined : named(delivery.endpointId, of)
        if (delivery === undefined || endpoint === undefined) return Option.none()
        if (delivery.dueAt !== null) return yield* new DeliveryUnderWay({ state: delivery.state })
        if (endpoint.disabledReason !== null) return yield* new EndpointNotEnabled({ reason: endpoint.disabledReason })
        state.deliveries.set(deliveryId, {
          ...delivery,
          state: "queued",
          resending: true,
          dueAt: now,
          reason: null,
          finishedAt: null
        })
        for (const wake of state.eventListeners) wake()
        return Option.some({ endpointId: endpoint.id, eventType: delivery.eventType })
      }),

      deliveriesOf: Effect.fn("WebhookEndpoints.deliveriesOf")((eventId) =>
        Effect.sync(() =>
          [...state.deliveries.values()].filter((each) => each.eventId === eventId).map(({ id }) => id).sort()
        )
      ),

      standing: Effect.fn("WebhookEndpoints.standing")((endpointId) =>
        Effect.map(
          Clock.currentTimeMillis,
          (now) =>
            Option.map(Option.fromUndefinedOr(state.endpoints.get(endpointId)), (endpoint) => standingOf(endpoint, now))
        )
      ),

      standings: Effect.fn("WebhookEndpoints.standings")(({ after, limit, lookAt, orgId, which }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const all = [...state.endpoints.values()].sort(byOrganization)
          const position = after === null ? -1 : all.findIndex(({ id }) => id === after)
          if (after !== null && position === -1) return { endpoints: [], next: null }
          const walked = all.slice(position + 1)
            .filter((each) => !isGone(each) && (orgId === null || each.orgId === orgId))
            .slice(0, lookAt)
            .map((each) => standingOf(each, now))
          const chosen = walked.filter((each) =>
            which === "all" || (which === "waiting" ? each.waiting > 0 : isTroubled(each))
          )
          const endpoints = chosen.slice(0, limit)
          const last = chosen.length > limit
            ? endpoints.at(-1)
            : walked.length === lookAt
            ? walked.at(-1)
            : undefined
          return { endpoints, next: last?.id ?? null }
        })
      ),

      list: Effect.fn("WebhookEndpoints.list")((orgId) =>
        Effect.sync(() => [...standing(orgId)].sort(newestFirst).map(shown))
      ),

      deliveries: Effect.fn("WebhookEndpoints.deliveries")((endpointId, limit, of) =>
        Effect.sync(() => {
          const endpoint = state.endpoints.get(endpointId)
          if (endpoint === undefined || of !== undefined && endpoint.orgId !== of.orgId) return Option.none()
          const all = [...state.deliveries.values()].filter((each) => each.endpointId === endpointId).sort(newestFirst)
          const after = of?.after ?? null
          const before = after === null ? 0 : all.findIndex((each) => each.id === after) + 1
          return after !== null && before === 0
            ? Option.none()
            : Option.some(all.slice(before, before + limit).map(toRow))
        })
      )
    })
  })
)
