/** `Deliveries` in memory, with the rules of the one over a database. */
import { Array, Clock, Duration, Effect, Layer, Option, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ledger } from "../../credit/Ledger.ts"
import type { Organization } from "../../organization/Organization.ts"
import {
  type AttemptOutcome,
  type AttemptRecord,
  type ClaimedDelivery,
  Deliveries,
  type DeliveryClaim
} from "../../webhook/Deliveries.ts"
import * as DeliveryMeter from "../../webhook/DeliveryMeter.ts"
import * as Reconsidered from "../../webhook/Reconsidered.ts"
import { attemptsWithin, delayAfter, maximumConsecutiveFailures, restAfterFailure } from "../../webhook/RetryPolicy.ts"
import { relay } from "../change/ChangeFacts.ts"
import { MemoryState, type State, type StoredDelivery, type StoredEvent } from "../MemoryState.ts"
import { cancelWaiting, tellDisabled } from "./DisabledEndpoint.ts"
import { finished } from "./EndedDelivery.ts"
import { routeOf } from "./EventRoute.ts"
import { queueDelivery } from "./QueuedDelivery.ts"

/** Each organization in turn, the oldest first. */
const pending = (state: State, limit: number): ReadonlyArray<StoredEvent> => {
  const events = [...state.events.values()]
    .filter((event) => event.status === "pending" && state.organizations.get(event.orgId)?.status === "active")
    .sort((left, right) => left.createdAt - right.createdAt)
  return Object.values(Array.groupBy(events, ({ orgId }) => orgId))
    .flatMap((some) => some.map((event, turn) => ({ event, turn })))
    .sort((left, right) => left.turn - right.turn || left.event.createdAt - right.event.createdAt)
    .map(({ event }) => event)
    .slice(0, limit)
}

/** What an outcome does to a delivery: the state that it ends in, or null while it is tried again. */
const finalState = (outcome: AttemptOutcome, last: boolean): string | null => {
  switch (outcome._tag) {
    case "Delivered":
      return "delivered"
    case "Gone":
      return "endpoint_gone"
    case "Blocked":
      return "blocked_private_address"
    case "Cancelled":
      return outcome.state
    case "Failed":
      return last ? "failed" : null
    case "Postponed":
    case "Returned":
      return null
  }
}

/** How long what is being booked stays claimed at most. */
const recordWithin = 3_600_000

/** The delivery of the claim; undefined when the claim is not held any more. */
const heldBy = (state: State, claim: DeliveryClaim): StoredDelivery | undefined => {
  const delivery = state.deliveries.get(claim.deliveryId)
  return delivery !== undefined && delivery.orgId === claim.orgId && delivery.claim === claim.claim &&
      delivery.claimedUntil !== null
    ? delivery
    : undefined
}

const recordOutcome = (
  state: State,
  record: AttemptRecord,
  retryDelays: ReadonlyArray<Duration.Duration>,
  now: number
): void => {
  const { outcome } = record
  const delivery = heldBy(state, record)
  const endpoint = delivery === undefined ? undefined : state.endpoints.get(delivery.endpointId)
  if (delivery === undefined || endpoint === undefined) return

  const tried = outcome._tag !== "Postponed" && outcome._tag !== "Returned" && outcome._tag !== "Cancelled"
  const { resending } = delivery
  const attempts = delivery.attempts + (tried && !resending ? 1 : 0)
  const final = finalState(outcome, resending || attempts >= attemptsWithin(retryDelays))
  const consecutiveFailures = outcome._tag === "Delivered"
    ? 0
    : endpoint.consecutiveFailures + (outcome._tag === "Failed" && final !== null && !resending ? 1 : 0)
  const disabledReason = outcome._tag === "Gone"
    ? "gone"
    : outcome._tag === "Blocked"
    ? "private_address"
    : consecutiveFailures >= maximumConsecutiveFailures
    ? "failing"
    : null
  const active = endpoint.active && disabledReason === null
  if (endpoint.active) {
    state.endpoints.set(endpoint.id, { ...endpoint, active, disabledReason, consecutiveFailures })
  }

  const after: StoredDelivery = {
    ...delivery,
    attempts,
    resends: delivery.resends + (tried && resending ? 1 : 0),
    claimedUntil: null,
    reason: !tried && "reason" in outcome ? outcome.reason : null,
    hold: null,
    booking: delivery.booking === "running" ? "done" : delivery.booking,
    log: tried ? [...delivery.log, { ...record, at: now }] : delivery.log,
    data: delivery.data ?? record.data ?? null
  }
  const how = final ?? (active ? null : "cancelled_endpoint_disabled")
  state.deliveries.set(
    delivery.id,
    how !== null
      ? finished(after, how, now)
      : outcome._tag === "Postponed"
      ? { ...after, state: outcome.state, dueAt: outcome.until }
      : outcome._tag === "Returned"
      ? { ...after, state: attempts === 0 ? "queued" : "retry_wait", dueAt: now }
      : { ...after, state: "retry_wait", dueAt: now + Duration.toMillis(delayAfter(attempts, retryDelays)) }
  )
  if (endpoint.active && !active) {
    cancelWaiting(state, endpoint.id, now)
    tellDisabled(state, endpoint, disabledReason, now)
  }
}

/** The places of attempts that failed rest, unless another one of their endpoint arrived. The records are of claims that hold. */
const restPlaces = (state: State, records: ReadonlyArray<AttemptRecord>, now: number): void => {
  for (const [endpointId, ended] of Object.entries(Array.groupBy(records, (record) => record.endpointId))) {
    if (ended.some(({ outcome }) => outcome._tag === "Delivered")) continue
    if (!ended.some(({ outcome }) => outcome._tag === "Failed")) continue
    const places = new Map(state.restingPlaces.get(endpointId))
    for (const { deliveryId } of ended) {
      const place = state.deliveries.get(deliveryId)?.place
      if (place !== undefined) places.set(place, now + Duration.toMillis(restAfterFailure))
    }
    state.restingPlaces.set(endpointId, places)
  }
}

/** How many deliveries each place of each endpoint has; one that rests has one. */
const placesTaken = (state: State, now: number): ReadonlyMap<string, ReadonlyMap<number, number>> => {
  const taken = new Map<string, Map<number, number>>()
  for (const [endpointId, places] of state.restingPlaces) {
    const resting = [...places].filter(([, until]) => until > now).map(([place]) => [place, 1] as const)
    if (resting.length > 0) taken.set(endpointId, new Map(resting))
    else state.restingPlaces.delete(endpointId)
  }
  for (const { claimedUntil, endpointId, place } of state.deliveries.values()) {
    if (claimedUntil === null || claimedUntil <= now) continue
    const places = taken.get(endpointId) ?? new Map<number, number>()
    taken.set(endpointId, places.set(place, (places.get(place) ?? 0) + 1))
  }
  return taken
}

/** Each place as often as it has room for another one, the emptiest first. Whoever claims here has all that are taken. */
const roomOf = (taken: ReadonlyMap<number, number> | undefined, places: number, turns: number): ReadonlyArray<number> =>
  Array.range(1, turns).flatMap((nth) => Array.range(1, places).filter((place) => nth > (taken?.get(place) ?? 0)))

/** The due deliveries in the order of their claims, each with its place: each endpoint in turn, the longest due first. */
const inTurn = (
  state: State,
  { limit, perEndpoint, turns = new Map(), unproven = perEndpoint }: Parameters<Deliveries["Service"]["claim"]>[0],
  now: number
): ReadonlyArray<StoredDelivery> => {
  const taken = placesTaken(state, now)
  const due = [...state.deliveries.values()]
    .filter(({ dueAt, orgId }) => dueAt !== null && dueAt <= now && state.organizations.get(orgId)?.status === "active")
    .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0) || (left.id < right.id ? -1 : 1))
  return Object.entries(Array.groupBy(due, ({ endpointId }) => endpointId))
    .flatMap(([endpointId, lane]) => {
      const places = turns.has(endpointId) ? perEndpoint : Math.min(unproven, perEndpoint)
      const room = roomOf(taken.get(endpointId), places, turns.get(endpointId) ?? 1)
      return lane
        .slice(0, room.length)
        .map((delivery, turn) => ({ delivery: { ...delivery, place: room[turn] ?? 1 }, turn }))
    })
    .sort((left, right) => left.turn - right.turn)
    .map(({ delivery }) => delivery)
    .slice(0, limit)
}

/** `Deliveries` in memory. */
export const layer: Layer.Layer<Deliveries, never, Ledger | MemoryState | SecureRandom.SecureRandom> = Layer.effect(
  Deliveries,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const random = yield* SecureRandom.SecureRandom
    const ledger = yield* Ledger
    const wakes = yield* Queue.sliding<void>(1)
    const wake = () => {
      Queue.offerUnsafe(wakes, undefined)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => state.eventListeners.add(wake)),
      () => Effect.sync(() => state.eventListeners.delete(wake))
    )

    /** Deliveries that came due until then were seen by a claim. */
    let askedUntil = -Infinity

    const reconsidered = Reconsidered.make<Organization>()

    /** Books what arrived and was not booked yet; its claims are held until it is recorded. */
    const book = Effect.fnUntraced(function*(records: ReadonlyArray<AttemptRecord>, now: number) {
      const arrived = records.flatMap((record) => {
        const delivery = heldBy(state, record)
        return delivery !== undefined && record.outcome._tag === "Delivered" && delivery.booking === "none" &&
            DeliveryMeter.isMetered(delivery)
          ? [delivery]
          : []
      })
      const until = now + recordWithin
      for (const delivery of arrived) {
        state.deliveries.set(delivery.id, { ...delivery, booking: "running", claimedUntil: until, dueAt: until })
      }
      for (const [orgId, deliveries] of Object.entries(Array.groupBy(arrived, (each) => each.orgId))) {
        const organization = state.organizations.get(orgId)
        if (organization === undefined) continue
        const recorded = deliveries.map(({ data, id, propertyId }) => ({ deliveryId: id, propertyId, data }))
        yield* DeliveryMeter.book(organization, recorded, now)
      }
    }, Effect.provideService(Ledger, ledger))

    const claimed = (delivery: StoredDelivery, now: number): ReadonlyArray<ClaimedDelivery> => {
      const endpoint = state.endpoints.get(delivery.endpointId)
      const organization = state.organizations.get(delivery.orgId)
      return endpoint === undefined || organization === undefined ? [] : [{
        deliveryId: delivery.id,
        eventId: delivery.eventId,
        endpointId: endpoint.id,
        includeEvidence: endpoint.includeEvidence,
        claim: delivery.claim,
        place: delivery.place,
        attempt: delivery.attempts + delivery.resends + 1,
        delivered: delivery.deliveredAt !== null,
        url: endpoint.url,
        crm: endpoint.crm,
        secrets: endpoint.previous !== null && endpoint.previous.until > now
          ? [endpoint.secret, endpoint.previous.secret]
          : [endpoint.secret],
        eventType: delivery.eventType,
        test: delivery.test,
        organization,
        propertyId: delivery.propertyId,
        partial: delivery.partial,
        data: delivery.data
      }]
    }

    return Deliveries.of({
      fanOut: Effect.fn("Deliveries.fanOut")(function*(limit) {
        yield* relay(state, random, yield* Clock.currentTimeMillis)
        const needed = pending(state, limit).reduce((sum, event) => sum + routeOf(state, event).endpointIds.length, 0)
        const ids = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), needed))
        const now = yield* Clock.currentTimeMillis
        let handled = 0
        for (const event of pending(state, limit)) {
          const route = routeOf(state, event)
          // Routes that appeared while the ids were made wait for the next call.
          if (route.endpointIds.length > ids.length) break
          for (const endpointId of route.endpointIds) {
            const id = ids.pop()
            if (id === undefined) continue
            queueDelivery(
              state,
              {
                id,
                orgId: event.orgId,
                eventId: event.id,
                endpointId,
                eventType: event.type,
                propertyId: route.propertyId,
                test: event.test,
                partial: event.partial,
                data: null
              },
              now
            )
          }
          state.events.set(event.id, {
            ...event,
            status: route.skip === null ? "fanned_out" : "skipped",
            skipReason: route.skip,
            fannedOutAt: route.skip === null ? now : null
          })
          handled += 1
        }
        return handled
      }),

      claim: Effect.fn("Deliveries.claim")((request) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          askedUntil = now
          for (const endpoint of state.endpoints.values()) if (!endpoint.active) cancelWaiting(state, endpoint.id, now)
          const until = now + Duration.toMillis(request.lease)
          return inTurn(state, request, now).flatMap((delivery) => {
            const held: StoredDelivery = {
              ...delivery,
              state: "delivering",
              claim: delivery.claim + 1,
              claimedUntil: until,
              dueAt: until,
              reason: null
            }
            state.deliveries.set(held.id, held)
            return claimed(held, now)
          })
        })
      ),

      storeData: Effect.fn("Deliveries.storeData")((claim, data, outdated) =>
        Effect.sync(() => {
          const delivery = heldBy(state, claim)
          if (delivery === undefined) return Option.none()
          const kept = delivery.data === null || delivery.data === outdated ? data : delivery.data
          state.deliveries.set(claim.deliveryId, { ...delivery, data: kept })
          return Option.some(kept)
        })
      ),

      complete: Effect.fn("Deliveries.complete")((records, retryDelays) =>
        Effect.uninterruptible(Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          yield* book(records, now)
          const held = records.filter((record) => heldBy(state, record) !== undefined)
          restPlaces(state, held, now)
          for (const record of records) recordOutcome(state, record, retryDelays, now)
          return []
        }))
      ),

      reconsider: (lease) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const postponed = [...state.deliveries.values()].filter((each) => each.state === "postponed_daily_limit")
          const found = Array.dedupe(postponed.map(({ orgId }) => orgId)).flatMap((orgId) => {
            const organization = state.organizations.get(orgId)
            return organization === undefined ? [] : [[orgId, organization] as const]
          })
          const orgIds = new Set(reconsidered.take(found, now, Duration.toMillis(lease)))
          const due = postponed.filter(({ orgId }) => orgIds.has(orgId))
          for (const delivery of due) state.deliveries.set(delivery.id, { ...delivery, dueAt: now })
          return due.length
        }),

      awaitWork: Effect.fn("Deliveries.awaitWork")(function*(atMost) {
        const now = yield* Clock.currentTimeMillis
        let nearest = now + Duration.toMillis(atMost)
        for (const { dueAt } of state.deliveries.values()) {
          if (dueAt !== null && dueAt > askedUntil) nearest = Math.min(nearest, dueAt)
        }
        for (const places of state.restingPlaces.values()) {
          for (const until of places.values()) if (until > askedUntil) nearest = Math.min(nearest, until)
        }
        yield* Effect.raceFirst(Queue.take(wakes), Effect.sleep(Duration.millis(Math.max(0, nearest - now))))
      })
    })
  })
)
