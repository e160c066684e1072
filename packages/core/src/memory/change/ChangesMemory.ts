/** `Changes` in memory. */
import { Effect, Layer, Option } from "effect"
import { Changes, type ListedChange } from "../../change/Changes.ts"
import * as Territory from "../../coverage/Territory.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"
import { changeOf, placesOf } from "./ChangeFacts.ts"

/** `Changes` in memory. */
export const layer: Layer.Layer<Changes, never, MemoryState> = Layer.effect(
  Changes,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Changes.of({
      list: Effect.fn("Changes.list")(({ after, kinds, limit, orgId, since, subject, visible }) =>
        Effect.sync(() =>
          state.changes.flatMap((stored): ReadonlyArray<ListedChange> => {
            const change = changeOf(state, stored, orgId)
            const detectedAt = stored.detectedAt ?? 0
            const shown = change !== undefined && kinds.includes(change.kind) && detectedAt >= since &&
              (subject === null || subject.type === change.subject.type && subject.id === change.subject.id) &&
              (stored.contactId === null || !state.suppressedContacts.has(stored.contactId)) &&
              placesOf(state, stored).some((county) => Territory.contains(visible, county))
            if (!shown) return []
            const event = [...state.events.values()].find(({ changeId, orgId: owner, type }) =>
              owner === orgId && changeId === stored.id && type !== "signal.withdrawn"
            )
            const position = { detectedAt: String(detectedAt * 1000), signalId: stored.id }
            return [{ ...change, eventId: event?.id ?? null, position }]
          })
            .sort(compareBy(
              (left, right) => Number(right.position.detectedAt) - Number(left.position.detectedAt),
              (left, right) => compareText(right.signalId, left.signalId)
            ))
            .filter(({ position }) =>
              after === null || Number(position.detectedAt) < Number(after.detectedAt) ||
              position.detectedAt === after.detectedAt && position.signalId < after.signalId
            )
            .slice(0, limit)
        )
      ),
      ofEvent: Effect.fn("Changes.ofEvent")((orgId, eventId) =>
        Effect.sync(() => {
          const event = state.events.get(eventId)
          const stored = state.changes.find(({ id }) => id === event?.changeId)
          const change = stored === undefined ? undefined : changeOf(state, stored, orgId)
          if (event === undefined || event.orgId !== orgId || stored === undefined || change === undefined) {
            return Option.none()
          }
          return Option.some({
            eventId,
            occurredAt: isoOf(event.occurredAt),
            change,
            withdraws: event.withdrawsEventId === null
              ? null
              : { eventId: event.withdrawsEventId, reason: event.withdrawalReason ?? "source_correction" },
            counties: placesOf(state, stored),
            personSuppressed: stored.contactId !== null && state.suppressedContacts.has(stored.contactId)
          })
        })
      )
    })
  })
)
