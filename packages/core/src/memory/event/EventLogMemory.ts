/** `EventLog` in memory. */
import { Effect, Layer } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import { EventLog, type EventRecord, type LoggedEvent } from "../../event/EventLog.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredEvent } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"

const toRecord = (event: StoredEvent): EventRecord => ({
  id: event.id,
  type: event.type,
  property_id: event.propertyId,
  subject_type: event.subjectType,
  subject_id: event.subjectId,
  withdraws_event_id: event.withdrawsEventId,
  status: event.status,
  skip_reason: event.skipReason,
  by_agent: event.byAgent,
  occurred_at: isoOf(event.occurredAt),
  fanned_out_at: event.fannedOutAt === null ? null : isoOf(event.fannedOutAt),
  test: event.test
})

const toLogged = (event: StoredEvent): LoggedEvent => ({
  event: toRecord(event),
  position: { occurredAt: String(event.occurredAt * 1000), eventId: event.id }
})

/** `EventLog` in memory. */
export const layer: Layer.Layer<EventLog, never, MemoryState> = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return EventLog.of({
      recent: Effect.fn("EventLog.recent")((orgId, { after, limit, signals, since, type, visible }) =>
        Effect.sync(() => {
          const inArea = (propertyId: string | null): boolean => {
            const property = propertyId === null ? undefined : state.properties.get(propertyId)
            return visible === null || property !== undefined && Territory.contains(visible, property.countyFips)
          }
          const found = [...state.events.values()].filter((event) =>
            event.orgId === orgId && event.occurredAt >= since && (type === null || event.type === type)
            && (signals || !event.type.startsWith("signal.")) && inArea(event.propertyId)
          ).sort(compareBy(
            (left, right) => right.occurredAt - left.occurredAt,
            (left, right) => compareText(left.id, right.id)
          ))
          const at = after === null ? null : Number(after.occurredAt) / 1000
          const rest = found.filter(({ id, occurredAt }) =>
            after === null || at === null || occurredAt < at ||
            occurredAt === at && compareText(id, after.eventId) > 0
          )
          return { events: rest.slice(0, limit).map(toLogged), total: found.length }
        })
      )
    })
  })
)
